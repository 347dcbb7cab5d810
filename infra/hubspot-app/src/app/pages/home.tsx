import { Flex, Heading, Statistics, StatisticsItem, Text, Tile } from '@hubspot/ui-extensions';
import { PageLink } from '@hubspot/ui-extensions/pages';
import { SureButton } from '../cards/answer.tsx';
import { AppTable } from '../cards/app-table.tsx';
import { credits, dateWords, grouped } from '../cards/words.ts';
import { LookupTable } from './activity.tsx';
import { Backfills } from './backfills.tsx';
import { Claims } from './claims.tsx';
import { DecisionResult, isBusy, useDecision } from './decision.tsx';
import { usePage } from './frame.tsx';
import type { HomeData, HomeWish, Waiting } from './home-service.ts';
import { dayName, PAGE_BUTTONS, PURPOSE_WORDS, shareWords, shortTime } from './home-words.ts';
import { Inbox } from './inbox.tsx';

const SHOWN_LOOKUPS = 5;

/** The app's home: figures, decisions for a person, backfills, waiting records, and the last lookups. */
export function HomePage() {
  const { data } = usePage();
  const { backfills, waiting, activity } = data;
  return (
    <Flex direction="column" gap="lg">
      <Figures data={data} />
      <Inbox />
      <Claims />
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
        <StatisticsItem
          label={`Spent in ${dateWords('month', atMs, timeZone)}`}
          number={grouped(spend.monthCredits)}
        >
          <Text variant="microcopy">{month ? `of ${credits(month.limitCredits)}` : 'credits'}</Text>
        </StatisticsItem>
        <StatisticsItem
          label={`Forecast for ${dateWords('month', atMs, timeZone)}`}
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
        <StatisticsItem label="Match rate, 30 days" number={shareWords(policy.all.matchRate)}>
          <Text variant="microcopy">of the lookups that were answered</Text>
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

function WaitingGroups({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const { data, nowMs } = usePage();
  const time = (atMs: number | undefined) =>
    atMs === undefined ? '' : shortTime(atMs, { nowMs, timeZone: data.timeZone });
  const rows = waiting.map(({ purpose, records, why, nextMs, lastMs, lastDay, until, admit }) => ({
    key: `${purpose} ${why}`,
    cells: [
      PURPOSE_WORDS[purpose ?? ''] ?? 'Several purposes',
      grouped(records),
      why,
      until === undefined ? time(nextMs) : `When ${until}`,
      lastDay === undefined ? time(lastMs) : `About ${dayName(lastDay)}`,
      admit && <AdmitButton key="admit" admit={admit} />,
    ],
  }));
  const heads = ['Group', 'Records', 'Why', 'Next starts', 'Last starts', 'Decide'];
  return (
    <Flex direction="column" gap="sm">
      <Heading>Waiting</Heading>
      <AppTable heads={heads} figures={['Records']} rows={rows} />
    </Flex>
  );
}

function AdmitButton({ admit }: { readonly admit: NonNullable<Waiting['admit']> }) {
  const state = useDecision<HomeWish>(usePage().onDecided);
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
