import { Button, Flex, Heading, ProgressBar, Text } from '@hubspot/ui-extensions';
import { SureButton } from '../cards/answer.tsx';
import { AppTable } from '../cards/app-table.tsx';
import { grouped } from '../cards/words.ts';
import { DecisionResult, type DecisionState, isBusy, useDecision } from './decision.tsx';
import { usePage } from './frame.tsx';
import type { BackfillProgress, HomeWish } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES, shareWords, shortTime, TYPE_WORDS } from './home-words.ts';

/** Started backfills that have not ended, with their progress and moves. */
export function Backfills({ backfills }: { readonly backfills: readonly BackfillProgress[] }) {
  const { data, nowMs } = usePage();
  const time = (atMs: number) => shortTime(atMs, { nowMs, timeZone: data.timeZone });
  const rows = backfills.map((backfill) => {
    const { scope, objectType, state, records, ended, spentCredits, atMostCredits, days, reason } = backfill;
    const { startedBy, startedAtMs = 0 } = backfill;
    const most = atMostCredits === undefined ? '' : ` of at most ${grouped(atMostCredits)}`;
    const ends = days === undefined ? '' : PAGE_NOTES.within(days);
    return {
      key: `${backfill.backfillId} ${state}`,
      cells: [
        <Flex key="name" direction="column" gap="flush">
          <Text format={{ fontWeight: 'demibold' }}>{`${TYPE_WORDS[objectType]}: ${scope}`}</Text>
          {startedBy === undefined ? null : (
            <Text variant="microcopy">{PAGE_NOTES.startedBy(startedBy, time(startedAtMs))}</Text>
          )}
          {reason === undefined ? null : <Text variant="microcopy">{reason}</Text>}
        </Flex>,
        <ProgressBar
          key="progress"
          aria-label={`Progress of ${scope}`}
          value={ended}
          maxValue={Math.max(1, records)}
          valueDescription={`${grouped(ended)} of ${grouped(records)}`}
          variant={state === 'paused' ? 'warning' : 'success'}
        />,
        shareWords(backfill.matchRate),
        `${grouped(spentCredits)}${most}`,
        state === 'paused' ? 'Paused' : ends,
        <TableButtons key="buttons" backfill={backfill} />,
      ],
    };
  });
  const heads = ['Backfill', 'Progress', 'Match rate', 'Credits', 'Ends', 'Decide'];
  return (
    <Flex direction="column" gap="sm">
      <Heading>Backfills</Heading>
      <AppTable heads={heads} figures={['Match rate', 'Credits']} rows={rows} />
    </Flex>
  );
}

type Moving = Pick<BackfillProgress, 'backfillId' | 'moves' | 'maxCredits'>;

function TableButtons({ backfill }: { readonly backfill: Moving }) {
  const state = useDecision<HomeWish>(usePage().onDecided);
  return (
    <>
      <BackfillButtons backfill={backfill} state={state} />
      <DecisionResult state={state} />
    </>
  );
}

/** The moves of a backfill. Each that leads to charges names its price. */
export function BackfillButtons({
  backfill: { backfillId, moves, maxCredits },
  state,
}: {
  readonly backfill: Moving;
  readonly state: DecisionState<HomeWish>;
}) {
  const disabled = isBusy(state);
  const named = { kind: 'backfill', backfillId } as const;
  return (
    <Flex direction="row" gap="sm" wrap={true}>
      {moves.map((move) => {
        if (move === 'stop')
          return (
            <SureButton
              key={move}
              label={moves.includes('approve') ? PAGE_BUTTONS.decline : PAGE_BUTTONS.move(move, maxCredits)}
              question="Stop this backfill for good? Its quote cannot be used again."
              yes="Yes, stop it"
              disabled={disabled}
              onYes={() => state.wish({ ...named, move })}
            />
          );
        const isAgreed = move === 'start' || move === 'approve';
        return (
          <Button
            key={move}
            size="sm"
            disabled={disabled}
            onClick={() => state.wish({ ...named, move, ...(isAgreed && { maxCredits }) })}
          >
            {PAGE_BUTTONS.move(move, maxCredits)}
          </Button>
        );
      })}
    </Flex>
  );
}
