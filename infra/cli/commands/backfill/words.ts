import { type BudgetPace, daysToPay } from '#shared/credit-ledger';
import { type Backfill, type BackfillSummary, type Range, type Stratum, summaryOf } from '#shared/enrichment';
import {
  command,
  counted,
  countedRange,
  figure,
  instant,
  percent,
  type Wording,
  wording,
} from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';

/** `likely 2,950 to 3,120 credits, at least 2,400, never more than 5,600`. */
export function rangeWords({ minimum, low, high, worst }: Range): string {
  if (minimum === worst) return `${counted(worst, 'credit')}, which is certain`;
  const likely = `likely ${countedRange(low, high, 'credit')} (nine times in ten)`;
  return `${likely}, at least ${figure(minimum)}, never more than ${figure(worst)}`;
}

/** Lines of a quote, at most one screen. */
export async function quoteLines({ services }: Connection, backfill: Backfill): Promise<Wording[]> {
  const { id, scope, strata, leftOut, byRule = {}, quote, state } = backfill;
  const { seen, records } = summaryOf(backfill);
  const out = byCount(leftOut);
  const ruled = byCount(byRule);
  const rate = await services.ratePerMinute();
  const pace = (await services.ledger.now()).pace({ purpose: 'backfill', amountCredits: 1 });
  const requests = strata.reduce((sum, each) => sum + (each.maxCredits > 0 ? each.records : 0), 0);
  const minutes = Math.ceil(requests / rate);
  return [
    `Quote ${id}: ${scope.objectType}, ${scope.words}. ${counted(seen, 'record')} looked at.`,
    '',
    `${figure(records)} would be looked up${strata.length > 0 ? ':' : '.'}`,
    ...strata.map((stratum) => `  ${figure(stratum.records).padStart(9)}  ${stratumWords(stratum)}`),
    ...(ruled.length > 0 ? ['', 'By rule of the policy:'] : []),
    ...ruled.map(([rule, count]) => `  ${figure(count).padStart(9)}  ${rule}`),
    ...(out.length > 0 ? ['', `${figure(seen - records)} are left out:`] : []),
    ...out.map(([reason, count]) => `  ${figure(count).padStart(9)}  ${reason}`),
    '',
    ...(quote ? [`Cost: ${rangeWords(quote)}.`, timeWords({ records, quote, minutes, pace })] : []),
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

function stratumWords({ name, hitCredits, missCredits, maxCredits }: Stratum): string {
  if (maxCredits === 0) return `${name}: nothing to pay`;
  if (hitCredits === 0 && missCredits === 0)
    return `${name}: usually free, at most ${counted(maxCredits, 'credit')}`;
  if (hitCredits === missCredits) return `${name}: ${counted(hitCredits, 'credit')} each, found or not`;
  return `${name}: ${counted(hitCredits, 'credit')} if found, ${figure(missCredits)} if not`;
}

interface Timing {
  readonly records: number;
  readonly quote: Range;
  readonly minutes: number;
  readonly pace: BudgetPace;
}

function timeWords({ records, quote, minutes, pace }: Timing): string {
  const alone = minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
  if (records === 0) return 'Time: none, because no record would be looked up.';
  if (quote.worst === 0) return 'Time: none, because every answer is stored.';
  if (quote.high === 0) return 'Time: most likely none, because nearly every answer is stored.';
  const days = daysToPay(quote.high, pace);
  const budget = days
    ? `the budgets leave ${counted(pace.creditsPerDay, 'credit')} a day for it: ${counted(days, 'day')}`
    : "today's budgets leave nothing for it: raise budgets in the policy";
  return `Time: ${alone} of the data service's rate; ${budget}.`;
}

/** Lines of a started backfill. */
export function statusLines(backfill: Backfill, timeZone: string): Wording[] {
  const summary = summaryOf(backfill);
  const { id, objectType, scope, records, ended, spent, matchRate, quote, afterCanary } = summary;
  const share = records > 0 ? percent(ended / records) : '100%';
  const found = matchRate === undefined ? '' : `, ${percent(matchRate)} found`;
  return [
    `Backfill ${id}: ${objectType}, ${scope}. ${STATES[summary.state]}`,
    `${figure(ended)} of ${counted(records, 'record')} done (${share}${found}), ${counted(spent, 'credit')} charged or in doubt.`,
    ...inProgress(backfill),
    ...(quote ? [`Quoted: ${rangeWords(quote)}.`] : []),
    ...(afterCanary ? [`After the trial: ${rangeWords(afterCanary)}.`] : []),
    ...stopLines(summary, timeZone),
  ];
}

/** Line about records in progress, because a record's credits are counted only when it ends. */
function inProgress({ outstanding: { length } }: Backfill): string[] {
  if (length === 0) return [];
  return [`${counted(length, 'record')} in progress: their cost is added when they end.`];
}

function stopLines({ id, pause, holding, score, state }: BackfillSummary, timeZone: string): Wording[] {
  const examples = pause?.examples.length ? ` For example: ${pause.examples.join(', ')}.` : '';
  const undo = command(`undo --backfill ${id}`);
  return [
    ...(pause ? [`Paused: ${pause.reason}${examples}`] : []),
    ...(pause
      ? [wording`Next: ${command(`backfill resume ${id}`)}, or ${command(`backfill stop ${id}`)}, or ${undo}`]
      : []),
    ...(holding ? [`Waiting since ${instant(holding.sinceMs, timeZone)}: ${holding.reason}`] : []),
    ...(state === 'approval' ? [wording`Next: ${command(`backfill run ${id}`)}`] : []),
    ...(score
      ? [
          `Score: ${score.isInside ? 'inside' : 'outside'} the likely range after the trial, which was ${percent(score.width)} wide.`,
          wording`To undo all of it: ${undo}`,
        ]
      : []),
  ];
}

const STATES: Readonly<Record<BackfillSummary['state'], string>> = {
  quoting: 'Its quote is incomplete.',
  quoted: 'Not started.',
  canary: 'The trial is running.',
  approval: 'The trial is done. It needs your approval.',
  running: 'Running.',
  paused: 'Paused.',
  done: 'Done.',
  stopped: 'Stopped.',
};
