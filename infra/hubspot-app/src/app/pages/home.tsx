import {
  Button,
  Flex,
  Heading,
  ProgressBar,
  Statistics,
  StatisticsItem,
  Text,
  Tile,
} from '@hubspot/ui-extensions';
import { PageLink } from '@hubspot/ui-extensions/pages';
import { useContext } from 'react';
import { SureButton } from '../cards/answer.tsx';
import { DataTable } from '../cards/data-table.tsx';
import { credits, grouped } from '../cards/words.ts';
import { LookupTable } from './activity.tsx';
import { DecisionResult, isBusy, useDecision } from './decision.tsx';
import { PageSettings, usePage } from './frame.tsx';
import type { HomeData, HomeWish, OpenBackfill, Waiting } from './home-service.ts';
import {
  monthName,
  PAGE_BUTTONS,
  PAGE_NOTES,
  PURPOSE_WORDS,
  percent,
  shortTime,
  TYPE_WORDS,
} from './home-words.ts';
import { Inbox } from './inbox.tsx';

const SHOWN_LOOKUPS = 10;

/** The app's home: figures, decisions for a person, backfills, waiting records, and the last lookups. */
export function HomePage() {
  const { data } = usePage();
  const { backfills, waiting, activity } = data;
  return (
    <Flex direction="column" gap="lg">
      <Figures data={data} />
      <Inbox />
      {backfills.length === 0 ? null : <Backfills backfills={backfills} />}
      {waiting.length === 0 ? null : <WaitingGroups waiting={waiting} />}
      <Flex direction="column" gap="sm">
        <Heading>Last lookups</Heading>
        <LookupTable lookups={activity.slice(0, SHOWN_LOOKUPS)} />
        {activity.length > SHOWN_LOOKUPS ? <PageLink to="/activity">More lookups</PageLink> : null}
      </Flex>
    </Flex>
  );
}

function Figures({ data: { spend, policy, timeZone, atMs } }: { readonly data: HomeData }) {
  const budgetOf = (name: string) => spend.budgets.find(({ budget }) => budget === name);
  const [day, month] = [budgetOf('total/day'), budgetOf('total/month')];
  const left = month && month.limitCredits - spend.forecastCredits;
  return (
    <Tile>
      <Statistics>
        <StatisticsItem label={`Spent in ${monthName(atMs, timeZone)}`} number={grouped(spend.monthCredits)}>
          <Text variant="microcopy">{month ? `of ${credits(month.limitCredits)}` : 'credits'}</Text>
        </StatisticsItem>
        <StatisticsItem
          label={`Forecast for ${monthName(atMs, timeZone)}`}
          number={grouped(spend.forecastCredits)}
        >
          <Text variant="microcopy">
            {left === undefined
              ? 'credits'
              : `${grouped(Math.abs(left))} ${left < 0 ? 'above' : 'below'} budget`}
          </Text>
        </StatisticsItem>
        <StatisticsItem label="Today" number={grouped(spend.todayCredits)}>
          <Text variant="microcopy">
            {day ? `of ${grouped(day.limitCredits)}. ${leftWords(day)}` : 'credits'}
          </Text>
        </StatisticsItem>
        <StatisticsItem label="Match rate, 30 days" number={percent(policy.all.matchRate)}>
          <Text variant="microcopy">of answered lookups</Text>
        </StatisticsItem>
        {spend.balanceCredits === undefined ? null : (
          <StatisticsItem label="Bought credits left" number={grouped(spend.balanceCredits)}>
            <Text variant="microcopy">{openWords(spend)}</Text>
          </StatisticsItem>
        )}
      </Statistics>
    </Tile>
  );
}

/** `26 left, reserved for leads` */
export function leftWords({ leftCredits, keptCredits = 0 }: HomeData['spend']['budgets'][number]): string {
  const left = `${grouped(leftCredits)} left`;
  if (keptCredits === 0) return left;
  return keptCredits >= leftCredits
    ? `${left}, reserved for leads`
    : `${left}, ${grouped(keptCredits)} reserved for leads`;
}

function openWords({ pendingCredits, doubtfulCredits }: HomeData['spend']): string {
  if (doubtfulCredits > 0) return `${grouped(doubtfulCredits)} with an unknown outcome`;
  return pendingCredits > 0 ? `${grouped(pendingCredits)} set aside for requests under way` : 'credits';
}

function Backfills({ backfills }: { readonly backfills: readonly OpenBackfill[] }) {
  const rows = backfills.map((backfill) => {
    const { scope, objectType, state, records, ended, spentCredits, atMostCredits, days, reason } = backfill;
    const most = atMostCredits === undefined ? '' : ` of at most ${grouped(atMostCredits)}`;
    const ends = days === undefined ? '' : `In about ${PAGE_NOTES.days(days)}`;
    return {
      key: `${backfill.backfillId} ${state}`,
      cells: [
        <Flex key="name" direction="column" gap="flush">
          <Text format={{ fontWeight: 'demibold' }}>{`${TYPE_WORDS[objectType]}: ${scope}`}</Text>
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
        percent(backfill.matchRate),
        `${grouped(spentCredits)}${most}`,
        state === 'paused' ? 'Paused' : ends,
        <BackfillButtons key="buttons" backfill={backfill} />,
      ],
    };
  });
  const heads = ['Backfill', 'Progress', 'Match rate', 'Credits', 'Ends', 'Decide'];
  return (
    <Flex direction="column" gap="sm">
      <Heading>Backfills</Heading>
      <DataTable heads={heads} figures={['Match rate', 'Credits']} rows={rows} />
    </Flex>
  );
}

/** The moves of a backfill. Each that leads to charges names its price. */
export function BackfillButtons({
  backfill: { backfillId, moves, maxCredits },
}: {
  readonly backfill: Pick<OpenBackfill, 'backfillId' | 'moves' | 'maxCredits'>;
}) {
  const { pace } = useContext(PageSettings);
  const state = useDecision<HomeWish>(pace, usePage().onDecided);
  const disabled = isBusy(state);
  const named = { kind: 'backfill', backfillId } as const;
  return (
    <>
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
      <DecisionResult state={state} />
    </>
  );
}

function WaitingGroups({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const { data, nowMs } = usePage();
  const time = (atMs: number | undefined) =>
    atMs === undefined ? '' : shortTime(atMs, { nowMs, timeZone: data.timeZone });
  const rows = waiting.map(({ purpose, records, why, nextMs, lastMs, until, admit }) => ({
    key: `${purpose} ${why}`,
    cells: [
      PURPOSE_WORDS[purpose ?? ''] ?? 'Several',
      grouped(records),
      why,
      until === undefined ? time(nextMs) : `When ${until}`,
      time(lastMs),
      admit && <AdmitButton key="admit" admit={admit} />,
    ],
  }));
  const heads = ['Group', 'Records', 'Why', 'Next starts', 'Last starts', 'Decide'];
  return (
    <Flex direction="column" gap="sm">
      <Heading>Waiting</Heading>
      <DataTable heads={heads} figures={['Records']} rows={rows} />
    </Flex>
  );
}

function AdmitButton({ admit }: { readonly admit: NonNullable<Waiting['admit']> }) {
  const { pace } = useContext(PageSettings);
  const state = useDecision<HomeWish>(pace, usePage().onDecided);
  const { purpose, records, maxCredits } = admit;
  return (
    <>
      <SureButton
        label={PAGE_BUTTONS.admit(records, maxCredits)}
        question={`This uses ${credits(maxCredits)} reserved for leads. New leads may then wait until the budget resets.`}
        yes={PAGE_BUTTONS.admit(records, maxCredits)}
        disabled={isBusy(state)}
        onYes={() => state.wish({ kind: 'admit', purpose, maxCredits })}
      />
      <DecisionResult state={state} />
    </>
  );
}
