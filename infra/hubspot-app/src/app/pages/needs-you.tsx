import { Button, Flex, Heading, StatusTag, Text } from '@hubspot/ui-extensions';
import { localTime } from '../cards/words.ts';
import { DecisionResult, type DecisionState, isBusy, SureButton, useDecision } from './decision.tsx';
import { FindingList } from './finding-list.tsx';
import type { HomeData, HomeWish, Need } from './home-service.ts';
import { PAGE_BUTTONS, PAGE_NOTES } from './home-words.ts';
import type { PageActions } from './page-actions.ts';

const NEEDS = {
  stop: { word: 'Stopped', variant: 'danger' },
  doubt: { word: 'In doubt', variant: 'warning' },
  backfill: { word: 'Backfill', variant: 'info' },
  notice: { word: 'Privacy notices', variant: 'warning' },
} as const;

/** All open decisions, each with its reason, its start, the effect of no decision, and its buttons. */
export function NeedsYou({ data, actions }: { readonly data: HomeData; readonly actions: PageActions }) {
  const { needs, review, timeZone } = data;
  const isNothing = needs.length === 0 && review.items.length === 0;
  return (
    <Flex direction="column" gap="md">
      <Heading>Needs you</Heading>
      {isNothing ? <Text>{PAGE_NOTES.nothingToDecide}</Text> : null}
      {needs.map((need) => (
        <NeedRow key={keyOf(need)} need={need} timeZone={timeZone} actions={actions} />
      ))}
      {review.items.length === 0 ? null : (
        <FindingList review={review} timeZone={timeZone} actions={actions} />
      )}
    </Flex>
  );
}

function keyOf(need: Need): string {
  if (need.kind === 'doubt') return `doubt ${need.doubt?.reservationId}`;
  return need.kind === 'backfill'
    ? `backfill ${need.backfillId} ${need.moves[0]}`
    : `${need.kind} ${need.what}`;
}

interface NeedRowProps {
  readonly need: Need;
  readonly timeZone: string;
  readonly actions: PageActions;
}

function NeedRow({ need, timeZone, actions }: NeedRowProps) {
  const state = useDecision<HomeWish>(actions.pace, actions.onDecided);
  const { kind, what, otherwise, sinceMs } = need;
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant={NEEDS[kind].variant}>{NEEDS[kind].word}</StatusTag>
      <Text format={{ fontWeight: 'demibold' }}>{what}</Text>
      {sinceMs === undefined ? null : <Text>{`Since ${localTime(sinceMs, timeZone)}.`}</Text>}
      <Text>{`Without a decision: ${otherwise}`}</Text>
      {'toDo' in need ? <Text>{need.toDo}</Text> : null}
      <NeedButtons {...{ need, state }} />
      <DecisionResult state={state} />
    </Flex>
  );
}

interface NeedButtonsProps extends Pick<NeedRowProps, 'need'> {
  readonly state: DecisionState<HomeWish>;
}

function NeedButtons({ need, state }: NeedButtonsProps) {
  const disabled = isBusy(state);
  switch (need.kind) {
    case 'stop':
      return need.byPerson ? (
        <Button size="sm" disabled={disabled} onClick={() => state.wish({ kind: 'resume-spending' })}>
          {PAGE_BUTTONS.resume}
        </Button>
      ) : null;
    case 'doubt': {
      const { doubt } = need;
      if (!doubt) return null;
      const decide = (charged: boolean) => state.wish({ kind: 'resolve-doubt', ...doubt, charged });
      return (
        <Flex direction="row" gap="sm" wrap={true}>
          <Button size="sm" disabled={disabled} onClick={() => decide(true)}>
            {PAGE_BUTTONS.charged}
          </Button>
          <Button size="sm" disabled={disabled} onClick={() => decide(false)}>
            {PAGE_BUTTONS.notCharged}
          </Button>
        </Flex>
      );
    }
    case 'backfill':
      return <BackfillButtons need={need} state={state} />;
    case 'notice':
      return null;
  }
}

interface BackfillButtonsProps {
  readonly need: Extract<Need, { readonly kind: 'backfill' }>;
  readonly state: DecisionState<HomeWish>;
}

function BackfillButtons({ need: { backfillId, moves, maxCredits }, state }: BackfillButtonsProps) {
  const disabled = isBusy(state);
  const named = { kind: 'backfill', backfillId } as const;
  return (
    <Flex direction="row" gap="sm" wrap={true}>
      {moves.map((move) => {
        if (move === 'stop')
          return (
            <SureButton
              key={move}
              label={PAGE_BUTTONS.stopBackfill}
              question="Stop this backfill for good? Its quote cannot be used again."
              yes="Yes, stop it"
              disabled={disabled}
              onYes={() => state.wish({ ...named, move })}
            />
          );
        const isPaid = move === 'start' || move === 'approve';
        return (
          <Button
            key={move}
            size="sm"
            disabled={disabled}
            onClick={() => state.wish({ ...named, move, ...(isPaid && { maxCredits }) })}
          >
            {PAGE_BUTTONS.move(move, isPaid ? maxCredits : undefined)}
          </Button>
        );
      })}
    </Flex>
  );
}
