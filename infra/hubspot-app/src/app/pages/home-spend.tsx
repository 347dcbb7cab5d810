import { Flex, Heading, Link, Text } from '@hubspot/ui-extensions';
import { SPEND_PAGE } from '../cards/address.ts';
import { credits, grouped, localTime, operationName } from '../cards/words.ts';
import type { HomeData } from './home-service.ts';
import { OUTCOME_WORDS, PAGE_NOTES, PURPOSE_WORDS, recordHref, recordWord } from './home-words.ts';

/** Spending of this month, compared with the budgets. */
export function MonthSpend({ spend, timeZone }: Pick<HomeData, 'spend' | 'timeZone'>) {
  const { todayCredits, monthCredits, forecastCredits, balanceCredits } = spend;
  return (
    <Flex direction="column" gap="xs">
      <Heading>Spend</Heading>
      <Text format={{ fontWeight: 'demibold' }}>{PAGE_NOTES.thisMonth(monthCredits)}</Text>
      <Text>{`${credits(todayCredits)} today. Forecast for the month: ${credits(forecastCredits)}.`}</Text>
      {spend.pendingCredits === 0 ? null : (
        <Text>{`${credits(spend.pendingCredits)} set aside for requests under way.`}</Text>
      )}
      {spend.doubtfulCredits === 0 ? null : (
        <Text>{`${credits(spend.doubtfulCredits)} in doubt: it is not known yet whether they were charged.`}</Text>
      )}
      {balanceCredits === undefined ? null : (
        <Text>{`${credits(balanceCredits)} left of those that you bought.`}</Text>
      )}
      {spend.budgets.map((budget) => (
        <Text key={budget.label}>{budgetSentence(budget, timeZone)}</Text>
      ))}
      {SPEND_PAGE === '' ? null : <Link href={SPEND_PAGE}>All figures and charges</Link>}
    </Flex>
  );
}

type Budget = HomeData['spend']['budgets'][number];

function budgetSentence(
  { label, limitCredits, usedCredits, keptCredits, resetsAtMs }: Budget,
  timeZone: string,
): string {
  const kept = keptCredits === undefined ? '' : ` ${credits(keptCredits)} of the rest reserved for leads.`;
  return `${label}: ${grouped(usedCredits)} of ${credits(limitCredits)} used until ${localTime(resetsAtMs, timeZone)}.${kept}`;
}

/** The last charges, each with a link to its record. */
export function Activity({
  activity,
  timeZone,
  portalId,
}: Pick<HomeData, 'activity' | 'timeZone'> & { readonly portalId: number | undefined }) {
  return (
    <Flex direction="column" gap="xs">
      <Heading>Last charges</Heading>
      {activity.length === 0 ? <Text>Nothing was charged this month.</Text> : null}
      {activity.map((charge) => {
        const record = recordOf(charge);
        return (
          <Flex
            key={`${charge.atMs} ${charge.record} ${charge.operation}`}
            direction="row"
            gap="sm"
            wrap={true}
          >
            {record ? (
              <Link href={recordHref(record, portalId)}>{recordWord(record)}</Link>
            ) : (
              <Text>Several records</Text>
            )}
            <Text>{chargeSentence(charge, timeZone)}</Text>
          </Flex>
        );
      })}
    </Flex>
  );
}

type LastCharge = HomeData['activity'][number];

function chargeSentence(charge: LastCharge, timeZone: string): string {
  const { atMs, operation, purpose, outcome } = charge;
  const ends = `${OUTCOME_WORDS[outcome] ?? 'Other'}, ${credits(charge.credits)}`;
  const asked = charge.askedBy ?? PURPOSE_WORDS[purpose] ?? 'Other';
  return `${localTime(atMs, timeZone)}. ${operationName(operation)}. ${ends}. Asked for by: ${asked}.`;
}

function recordOf({ record }: LastCharge) {
  const [type, id] = record?.split('#') ?? [];
  if (id === undefined) return undefined;
  return { objectType: type === 'contacts' ? 'contacts' : 'companies', id } as const;
}
