import { PURPOSES, readAsker, sourceOfAsker } from '#shared/crm';
import {
  dayAfter,
  daysBetween,
  daysInMonth,
  daysUpTo,
  longDay,
  longMonth,
  monthOfDay,
  rowText,
  type TextParamsOf,
  utcDay,
} from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { CHARGE_OUTCOMES, type PlacedRow, type SpendRow } from './schemas.ts';

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
  /** `user:12345`, or `user` for all users. Sums do not know single users, workflows and backfills. */
  readonly askedBy?: string | undefined;
}

type DayRange = Pick<Selection, 'from' | 'to'>;

/** Parameters by name, as read from an address or a form. */
export type Query = Readonly<Record<string, string | undefined>>;

export interface PickedSelection {
  readonly kind: 'selected';
  readonly selection: Selection;
  /** False for the default: this month, without filters. */
  readonly isPicked: boolean;
}

/** Longest range: a quarter of a year. So a read needs the sums of at most four months. */
export const MAX_DAYS = 92;

const CHOICES = { purpose: PURPOSES, operation: QUESTION_OPERATIONS, outcome: CHARGE_OUTCOMES };

/**
 * Reads the range (`month`, or `from` and `to`) and the filters `purpose`, `operation`, `outcome`, `rule` and
 * `askedBy`. Empty parameters count as absent. The default range is this month.
 * @param isOfSums refuses a single user, workflow or backfill, which only the list of charges can select.
 */
export function parseSelection(
  query: Query,
  { today, isOfSums = false }: { readonly today: string; readonly isOfSums?: boolean },
): PickedSelection | RefusedQuery {
  const range = rangeOf(query, today);
  if ('kind' in range) return range;
  if (range.from > today) return refusedQuery('not-begun', firstDay(query, range));
  for (const [parameter, known] of Object.entries(CHOICES)) {
    const value = query[parameter];
    if (value && !known.some((each) => each === value))
      return refusedQuery('unknown-choice', { parameter, choices: known.join(', ') });
  }
  const { purpose, operation, outcome, rule, askedBy } = query;
  const isAsker = !askedBy || askedBy === WITHOUT_ASKER || readAsker(askedBy) === askedBy;
  if (!isAsker) return refusedQuery('not-an-asker', { parameter: 'askedBy' });
  if (isOfSums && isSingleAsker({ askedBy })) return refusedQuery('single-asker', { parameter: 'askedBy' });
  const filters = Object.entries({ purpose, operation, outcome, rule, askedBy }).filter(([, value]) => value);
  const isPicked = filters.length > 0 || ['month', 'from', 'to'].some((name) => query[name]);
  return { kind: 'selected', selection: { ...range, ...Object.fromEntries(filters) }, isPicked };
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

/** @param row a charge, or a row of the sums for a selection without a single asker. */
export function isSelected(
  { from, to, purpose, operation, outcome, rule, askedBy }: Selection,
  row: Pick<SpendRow, 'day' | 'purpose' | 'operation' | 'outcome' | 'rule' | 'askedBy'>,
): boolean {
  const asker = row.askedBy ?? WITHOUT_ASKER;
  return (
    row.day >= from &&
    row.day <= to &&
    row.purpose === (purpose ?? row.purpose) &&
    row.operation === (operation ?? row.operation) &&
    row.outcome === (outcome ?? row.outcome) &&
    (rule === undefined || (row.rule ?? WITHOUT_RULE) === rule) &&
    (askedBy === undefined || askedBy === asker || askedBy === sourceOfAsker(asker))
  );
}

/** Whether the selection names one user, workflow or backfill. The sums only know all of them together. */
export function isSingleAsker({ askedBy }: Pick<Selection, 'askedBy'>): boolean {
  return Boolean(askedBy) && askedBy !== sourceOfAsker(askedBy ?? '');
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

/** Credits and number of charges. */
export interface Spend {
  readonly credits: number;
  readonly count: number;
}

export function sum(rows: readonly SpendRow[]): Spend {
  return rows.reduce(
    ({ credits, count }, row) => ({ credits: credits + row.credits, count: count + row.count }),
    { credits: 0, count: 0 },
  );
}

/** Number of misses that cost nothing. */
export function freeMissesOf(rows: readonly Pick<SpendRow, 'freeMisses'>[]): number {
  return rows.reduce((total, { freeMisses = 0 }) => total + freeMisses, 0);
}

type Figures = Readonly<Record<string, string | number>>;

function refusing<More extends Figures>(
  example: More,
  text: (params: More & { readonly parameter: string }) => string,
) {
  return { example: { parameter: 'from', ...example }, text };
}

function mustBe(what: string) {
  return refusing({}, ({ parameter }) => `${parameter} must be ${what}.`);
}

/** Why a parameter of the spend page is refused, by code. */
export const QUERY_REFUSALS = {
  'unknown-choice': refusing(
    { choices: 'day, rule' },
    ({ parameter, choices }) => `${parameter} must be one of ${choices}.`,
  ),
  'not-a-month': mustBe('like 2026-11'),
  'not-a-day': mustBe('a day like 2026-11-21'),
  'no-statement': refusing(
    { why: 'The books are empty: no credit was spent or bought.' },
    ({ parameter, why }) => `${parameter}: ${why}`,
  ),
  'not-begun': refusing(
    { start: 'January 2031' },
    ({ parameter, start }) => `${parameter} is ${start}, which has not begun.`,
  ),
  'month-and-range': mustBe('without from and to'),
  'missing-parameter': refusing({}, ({ parameter }) => `${parameter} is missing, and to needs it.`),
  'ends-before-start': mustBe('before to'),
  'range-too-long': refusing(
    { maxDays: 92 },
    ({ parameter, maxDays }) => `${parameter} and to must be ${maxDays} days at most.`,
  ),
  'not-an-asker': mustBe('like user, user:12345, source:IMPORT or schedule'),
  'single-asker': mustBe('like user, workflow or source:IMPORT, because sums know no single user'),
  'not-a-record': mustBe('like contacts#123'),
  'not-an-entry': mustBe('the number of an entry of the ledger'),
  'not-credits': mustBe('a whole number of credits'),
} as const;

export type QueryRefusalCode = keyof typeof QUERY_REFUSALS;

type QueryRefusalParams<Code extends QueryRefusalCode> = TextParamsOf<(typeof QUERY_REFUSALS)[Code]>;

export interface RefusedQuery {
  readonly kind: 'refused';
  readonly code: QueryRefusalCode;
  readonly params: Figures & { readonly parameter: string };
  /** The sentence of the code, which names the parameter. */
  readonly problem: string;
}

export function refusedQuery<Code extends QueryRefusalCode>(
  code: Code,
  params: QueryRefusalParams<Code>,
): RefusedQuery {
  return { kind: 'refused', code, params, problem: rowText(QUERY_REFUSALS[code], params) };
}

type Spans = PlacedRow['spans'];

type Span = Spans[number];

const MAX_SPANS = 4;

/** Spans with a gap of at most this number of entries become one, because one read of the log returns this number. */
const CLOSE = 100;

/** Appends later spans. If this makes more than four, the two closest spans become one. */
export function joinSpans(spans: Spans, later: Spans): Spans {
  let joined = spans;
  for (const span of later) {
    joined = append(joined, span);
    if (joined.length > MAX_SPANS) joined = joinClosest(joined);
  }
  return joined;
}

function append(spans: Spans, [first, last]: Span): Spans {
  const before = spans.at(-1);
  if (!before || first - before[1] > CLOSE) return [...spans, [first, last]];
  return [...spans.slice(0, -1), [before[0], Math.max(before[1], last)]];
}

function joinClosest(spans: Spans): Spans {
  const gaps = spans.slice(1).map(([first], index) => first - (spans[index]?.[1] ?? 0));
  const smallest = gaps.indexOf(Math.min(...gaps));
  return spans.flatMap((span, index): Spans => {
    const next = spans[index + 1];
    if (index === smallest + 1) return [];
    return [index === smallest && next ? [span[0], next[1]] : span];
  });
}

/** Returns the spans of several rows, newest first, without overlaps. Cuts each span at `beforeSeq`. */
export function spansBefore(rows: readonly Pick<PlacedRow, 'spans'>[], beforeSeq: number): Spans {
  return rows
    .flatMap(({ spans }) => spans)
    .filter(([first]) => first < beforeSeq)
    .map(([first, last]): Span => [first, Math.min(last, beforeSeq - 1)])
    .sort(([a], [b]) => a - b)
    .reduce<Spans>(append, [])
    .toReversed();
}
