import { type BudgetPace, daysToPay } from '#shared/credit-ledger';
import {
  type Backfill,
  type BackfillSummary,
  limitWords,
  type Stratum,
  summaryOf,
  trialWords,
} from '#shared/enrichment';
import { command, counted, figure, instant, percent, type Wording, wording } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';

type Quote = NonNullable<BackfillSummary['quote']>;

/** `at most 5,600 credits, expected 3,020 (at the match rate of the last 30 days, 71%)`. */
function costWords({ atMost, expected, matchRate }: Quote): string {
  const most = `at most ${counted(atMost, 'credit')}`;
  if (expected === undefined || matchRate === undefined) return most;
  return `${most}, expected ${figure(expected)} (at the match rate of the last 30 days, ${percent(matchRate)})`;
}

/** Lines of a quote, at most one screen. */
export async function quoteLines({ services }: Connection, backfill: Backfill): Promise<Wording[]> {
  const { id, scope, strata, leftOut, byRule = {}, quote, state } = backfill;
  const { seen, records } = summaryOf(backfill);
  const out = byCount(leftOut);
  const ruled = byCount(byRule);
  const rate = await services.ratePerMinute();
  const pace = (await services.ledger.now()).pace({ purpose: 'backfill', amountCredits: 1 });
  const [paid, free] = [strata.filter(isPaid), strata.filter((stratum) => !isPaid(stratum))];
  const requests = paid.reduce((sum, each) => sum + each.records, 0);
  const minutes = Math.ceil(requests / rate);
  return [
    `Quote ${id}: ${scope.objectType}, ${scope.words}. ${counted(seen, 'record')} looked at.`,
    '',
    `${figure(requests)} would be looked up${paid.length > 0 ? ':' : '.'}`,
    ...paid.map((stratum) => `  ${figure(stratum.records).padStart(9)}  ${stratumWords(stratum)}`),
    ...(free.length > 0 ? [`${figure(records - requests)} would use an answer for free:`] : []),
    ...free.map(({ records: count, name }) => `  ${figure(count).padStart(9)}  ${name}`),
    ...(ruled.length > 0 ? ['', 'By rule of the policy:'] : []),
    ...ruled.map(([rule, count]) => `  ${figure(count).padStart(9)}  ${rule}`),
    ...(out.length > 0 ? ['', `${figure(seen - records)} are left out:`] : []),
    ...out.map(([reason, count]) => `  ${figure(count).padStart(9)}  ${reason}`),
    '',
    ...(quote ? [`Cost: ${costWords(quote)}.`, timeWords({ records, quote, minutes, pace })] : []),
    state === 'quoted' && records === 0
      ? 'Nothing to run: no record would be looked up.'
      : state === 'quoted'
        ? wording`Next: ${command(`backfill run ${id}`)}`
        : wording`The quote is incomplete. Continue, with the same --ids if you gave any: ${command(`backfill quote --resume ${id}`)}`,
  ];
}

function byCount(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}

/** Whether a lookup of these records can cost credits. */
function isPaid({ maxCredits }: Stratum): boolean {
  return maxCredits > 0;
}

function stratumWords({ name, hitCredits, missCredits, maxCredits }: Stratum): string {
  if (hitCredits === 0 && missCredits === 0)
    return `${name}: usually free, at most ${counted(maxCredits, 'credit')}`;
  if (hitCredits === missCredits) return `${name}: ${counted(hitCredits, 'credit')} each, found or not`;
  return `${name}: ${counted(hitCredits, 'credit')} if found, ${figure(missCredits)} if not`;
}

interface Timing {
  readonly records: number;
  readonly quote: Quote;
  readonly minutes: number;
  readonly pace: BudgetPace;
}

function timeWords({ records, quote, minutes, pace }: Timing): string {
  const alone = minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
  if (records === 0) return 'Time: none, because no record would be looked up.';
  if (quote.atMost === 0) return 'Time: none, because every answer is stored.';
  const days = daysToPay(quote.expected ?? quote.atMost, pace);
  const budget = days
    ? `the budgets leave ${counted(pace.creditsPerDay, 'credit')} a day for it: ${counted(days, 'day')}`
    : "today's budgets leave nothing for it: raise budgets in the policy";
  return `Time: ${alone} of the data service's rate; ${budget}.`;
}

/** Lines of a started backfill. */
export function statusLines(
  summary: BackfillSummary,
  { outstanding }: Pick<Backfill, 'outstanding'>,
  timeZone: string,
): Wording[] {
  const { id, objectType, scope, state, records, ended, spent, quote, trial, limits = {} } = summary;
  const share = records > 0 ? percent(ended / records) : '100%';
  return [
    `Backfill ${id}: ${objectType}, ${scope}. ${STATES[state]}`,
    `${figure(ended)} of ${counted(records, 'record')} done (${share})${endWords(summary)}. ${counted(spent, 'credit')} charged or in doubt.`,
    ...inProgress(outstanding.length),
    ...withoutResultLines(summary),
    ...(quote ? [`Quoted: ${costWords(quote)}.`] : []),
    ...(trial ? [trialWords(trial)] : []),
    ...(state === 'approval' || state === 'running' ? [limitWords(limits)] : []),
    ...stopLines(summary, timeZone),
  ];
}

/** `: 28 found (25 filled), 1 not found, 15 not looked up. Match rate: 97%`. */
function endWords(summary: BackfillSummary): string {
  const { ended, hits, filled, misses, others, matchRate } = summary;
  if (ended === 0) return '';
  const rate = matchRate === undefined ? '' : `. Match rate: ${percent(matchRate)}`;
  const other = others > 0 ? [`${figure(others)} ${othersWords(summary)}`] : [];
  return `: ${[`${figure(hits)} found (${figure(filled)} filled)`, `${figure(misses)} not found`, ...other].join(', ')}${rate}`;
}

/** Names failures, unless it is sure that there is none. */
function othersWords({ others, notLookedUp }: BackfillSummary): string {
  return notLookedUp === others ? 'not looked up' : 'not looked up, or failed';
}

/** Lines about records with neither match nor miss: their reasons, and what a person can do. */
function withoutResultLines(summary: BackfillSummary): Wording[] {
  const { objectType, state, others, withoutResult = {} } = summary;
  if (others === 0) return [];
  const reasons = byCount(withoutResult);
  const unknown = others - reasons.reduce((sum, [, count]) => sum + count, 0);
  const all = unknown > 0 ? [...reasons, ['The reason was not stored.', unknown] as const] : reasons;
  return [
    `${figure(others)} ${others === 1 ? 'was' : 'were'} ${othersWords(summary)}:`,
    ...all.map(([reason, count]) => `  ${figure(count).padStart(9)}  ${reason}`),
    ...(state === 'done'
      ? [
          wording`A new quote shows what they would cost now, or why they are left out: ${command(`backfill quote --objects ${objectType}`)}`,
        ]
      : []),
  ];
}

/** Line about records in progress, because a record's credits are counted only when it ends. */
function inProgress(started: number): string[] {
  if (started === 0) return [];
  return [`${counted(started, 'record')} started and not done: the cost is added at the end.`];
}

function stopLines(summary: BackfillSummary, timeZone: string): Wording[] {
  const { id, pause, holding, state } = summary;
  const examples = pause?.examples.length ? ` For example: ${pause.examples.join(', ')}.` : '';
  const undo = command(`undo --backfill ${id}`);
  return [
    ...(pause ? [`Paused: ${pause.reason}${examples}`] : []),
    ...(pause
      ? [wording`Next: ${command(`backfill resume ${id}`)}, or ${command(`backfill stop ${id}`)}, or ${undo}`]
      : []),
    ...(holding ? [`Waiting since ${instant(holding.sinceMs, timeZone)}: ${holding.reason}`] : []),
    ...(state === 'approval' ? [wording`Next: ${command(`backfill run ${id}`)}`] : []),
    ...(state === 'done' ? [wording`To undo all of it: ${undo}`] : []),
  ];
}

const STATES: Readonly<Record<BackfillSummary['state'], string>> = {
  quoting: 'Its quote is incomplete.',
  quoted: 'Not started.',
  trial: 'The trial is running.',
  approval: 'The trial is done. It needs your approval.',
  running: 'Running.',
  paused: 'Paused.',
  done: 'Done.',
  stopped: 'Stopped.',
};
