import { generalAsker, PURPOSES, readAsker, sourceOfAsker } from '#shared/crm';
import {
  dayAfter,
  daysBetween,
  daysInMonth,
  daysUpTo,
  longDay,
  longMonth,
  monthBefore,
  monthOfDay,
  utcDay,
} from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { type RefusedQuery, refusedQuery } from './query-refusals.ts';
import { CHARGE_OUTCOMES, type SpendRow } from './schemas.ts';

/**
 * Name for charges without a rule. These are charges from before the policy had rules, and charges of lookups without a
 * record.
 */
export const WITHOUT_RULE = 'no rule';

/** Charges from before the asker was stored. */
export const WITHOUT_ASKER = 'not recorded';

/** Charges of some days, perhaps only of one purpose, operation, outcome, rule or asker. */
export interface Selection extends Partial<Pick<SpendRow, 'purpose' | 'outcome'>> {
  /** First and last day, both inclusive: `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  readonly operation?: SpendRow['operation'];
  readonly rule?: string | undefined;
  /** `user:12345`, or `user` for all users. */
  readonly askedBy?: string | undefined;
}

export type DayRange = Pick<Selection, 'from' | 'to'>;

/** Parameters by name, as read from an address or a form. */
export type Query = Readonly<Record<string, string | undefined>>;

export type Selected =
  | { readonly kind: 'selected'; readonly selection: Selection; readonly isPicked: boolean }
  | RefusedQuery;

/** Longest range: a quarter of a year. So a read needs the sums of at most four months. */
export const MAX_DAYS = 92;

/**
 * Reads the range (`month`, or `from` and `to`) and the filters `purpose`, `operation`, `outcome`, `rule` and
 * `askedBy`. Empty parameters count as absent. The default range is this month.
 */
export function parseSelection(query: Query, { today }: { readonly today: string }): Selected {
  const range = rangeOf(query, today);
  if ('kind' in range) return range;
  if (range.from > today) return refusedQuery('not-begun', firstDay(query, range));
  const { purpose, operation, outcome, rule, askedBy } = query;
  const filters = [
    oneOf('purpose', purpose, PURPOSES),
    oneOf('operation', operation, QUESTION_OPERATIONS),
    oneOf('outcome', outcome, CHARGE_OUTCOMES),
    askerOf(askedBy),
  ];
  const wrong = filters.find((part) => 'kind' in part);
  if (wrong) return wrong as RefusedQuery;
  const isPicked = ['month', 'from', 'to', 'purpose', 'operation', 'outcome', 'rule', 'askedBy'].some(
    (name) => query[name],
  );
  const selection = Object.assign({}, range, ...filters, rule ? { rule } : {}) as Selection;
  return { kind: 'selected', selection, isPicked };
}

/** Writes the selection as parameters. A whole month is written by its name. */
export function selectionQuery(selection: Selection): Query {
  const { from, to, purpose, operation, outcome, rule, askedBy } = selection;
  const month = monthOfDay(from);
  const range = isWholeMonth({ from, to }) ? { month } : { from, to };
  return { ...range, purpose, operation, outcome, rule, askedBy };
}

export function isWholeMonth({ from, to }: DayRange): boolean {
  const whole = wholeMonth(monthOfDay(from));
  return from === whole.from && to === whole.to;
}

export function isSelected(
  { from, to, purpose, operation, outcome, rule, askedBy }: Selection,
  row: Pick<SpendRow, 'day' | 'purpose' | 'operation' | 'outcome' | 'rule' | 'askedBy'>,
): boolean {
  return (
    row.day >= from &&
    row.day <= to &&
    row.purpose === (purpose ?? row.purpose) &&
    row.operation === (operation ?? row.operation) &&
    row.outcome === (outcome ?? row.outcome) &&
    (rule === undefined || (row.rule ?? WITHOUT_RULE) === rule) &&
    isAskedBy(row, askedBy)
  );
}

/**
 * Whether a row may hold charges of the selected asker without naming the asker. A day names a limited number of askers
 * of each kind. The charges themselves name their asker.
 */
export function holdsUnnamed(row: SpendRow, { askedBy, ...selection }: Selection): boolean {
  if (askedBy === undefined || row.askedBy === askedBy) return false;
  return row.askedBy === generalAsker(askedBy) && isSelected(selection, row);
}

/** @param wanted an asker, or `user` for all users. */
function isAskedBy(
  { askedBy = WITHOUT_ASKER }: Pick<SpendRow, 'askedBy'>,
  wanted: string | undefined,
): boolean {
  return wanted === undefined || wanted === askedBy || wanted === sourceOfAsker(askedBy);
}

/** Returns the longest range that ends today. */
export function longestUpTo(today: string): DayRange {
  return daysEndingWith(today, MAX_DAYS);
}

/** Returns the last seven days, today included, and the whole calendar week before this one, Monday to Sunday. */
export function weeksBefore(today: string): Readonly<Record<'last7Days' | 'lastWeek', DayRange>> {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || DAYS_A_WEEK;
  return {
    last7Days: daysEndingWith(today, DAYS_A_WEEK),
    lastWeek: daysEndingWith(dayAfter(today, -weekday), DAYS_A_WEEK),
  };
}

const DAYS_A_WEEK = 7;

function daysEndingWith(last: string, count: number): DayRange {
  return { from: dayAfter(last, 1 - count), to: last };
}

/**
 * Returns the period to compare with. A month is compared with the same days of the month before. Any other range is
 * compared with the same number of days right before it. Future days are left out.
 */
export function periodBefore(selection: Selection, today: string): Selection {
  const { from } = selection;
  const to = selection.to < today ? selection.to : today;
  if (!isWholeMonth(selection)) {
    const days = daysUpTo(from, daysBetween(from, to) + 2);
    return { ...selection, from: days[0] ?? from, to: days.at(-2) ?? from };
  }
  const month = wholeMonth(monthBefore(monthOfDay(from)));
  const sameDay = `${monthOfDay(month.from)}${to.slice(monthOfDay(to).length)}`;
  return { ...selection, ...month, ...(to < selection.to && sameDay < month.to && { to: sameDay }) };
}

/** Lists every day of the range, oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  return daysUpTo(to, daysBetween(from, to) + 1);
}

export function monthsOf(selection: DayRange): string[] {
  return [...new Set(daysOf(selection).map(monthOfDay))];
}

export function wholeMonth(month: string): DayRange {
  return { from: `${month}-01`, to: `${month}-${daysInMonth(month)}` };
}

function rangeOf({ month, from, to }: Query, today: string): DayRange | RefusedQuery {
  if (month) {
    if (from || to) return refusedQuery('month-and-range', { parameter: 'month' });
    return isMonth(month) ? wholeMonth(month) : refusedQuery('not-a-month', { parameter: 'month' });
  }
  if (!from && !to) return wholeMonth(monthOfDay(today));
  if (!from) return refusedQuery('missing-parameter', { parameter: 'from' });
  if (!isDay(from)) return refusedQuery('not-a-day', { parameter: 'from' });
  if (to && !isDay(to)) return refusedQuery('not-a-day', { parameter: 'to' });
  const range = { from, to: to || today };
  if (range.to < from) return refusedQuery('ends-before-start', { parameter: 'from' });
  if (daysBetween(from, range.to) >= MAX_DAYS)
    return refusedQuery('range-too-long', { parameter: 'from', maxDays: MAX_DAYS });
  return range;
}

function firstDay({ month }: Query, { from }: Pick<Selection, 'from'>) {
  return month
    ? { parameter: 'month', start: longMonth(month) }
    : { parameter: 'from', start: longDay(from) };
}

function isMonth(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`);
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && utcDay(atMs) === text;
}

function oneOf(name: string, value: string | undefined, known: readonly string[]): object | RefusedQuery {
  if (!value) return {};
  if (known.includes(value)) return { [name]: value };
  return refusedQuery('unknown-choice', { parameter: name, choices: known.join(', ') });
}

function askerOf(askedBy: string | undefined): object | RefusedQuery {
  if (!askedBy) return {};
  return askedBy === WITHOUT_ASKER || readAsker(askedBy) === askedBy
    ? { askedBy }
    : refusedQuery('not-an-asker', { parameter: 'askedBy' });
}
