import { generalAsker, PURPOSES, type Purpose, readAsker, sourceOfAsker } from '#shared/crm';
import {
  dayAfter,
  dayOf,
  daysBetween,
  daysInMonth,
  daysUpTo,
  longDay,
  longMonth,
  monthBefore,
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
  /** `user:12345`, or `user` for all users. */
  readonly askedBy?: string | undefined;
}

type DayRange = Pick<Selection, 'from' | 'to'>;

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

/** Credits and number of charges. */
export interface Spend {
  readonly credits: number;
  readonly count: number;
}

export interface DaySpend extends Spend {
  readonly day: string;
  /** The day's credits by purpose. It has only purposes with credits, in the order of `PURPOSES`. */
  readonly purposes: readonly { readonly purpose: Purpose; readonly credits: number }[];
}

export interface Share extends Spend {
  readonly name: string;
  /** Share of the selection's credits, 0 to 1. */
  readonly share: number;
}

/** The spend of a selection, in total and in groups. */
export interface SelectedSpend {
  /** This month unless another range or a filter was picked. */
  readonly selection: Selection;
  readonly isPicked: boolean;
  /** The sums may lack charges of the selected asker, whom some days do not name. The list of charges has all. */
  readonly lacksUnnamed?: true;
  readonly selected: Spend;
  /** Days of the selection up to today, oldest first, including days without spend. */
  readonly byDay: readonly DaySpend[];
  /** This list and the next two lists are sorted, the most expensive first. */
  readonly byOperation: readonly Share[];
  readonly byPurpose: readonly Share[];
  readonly byOutcome: readonly Share[];
}

interface Moment {
  readonly nowMs: number;
  readonly timeZone: string;
}

/** @param rows rows of all months of the selection. May include other rows. */
export function spendOf(
  rows: readonly SpendRow[],
  { picked, nowMs, timeZone }: Moment & { readonly picked?: Selection | undefined },
): SelectedSpend {
  const today = dayOf(nowMs, timeZone);
  const selection = picked ?? wholeMonth(monthOfDay(today));
  const selected = rows.filter((row) => isSelected(selection, row));
  const byDay = Map.groupBy(selected, ({ day }) => day);
  const days = daysOf(selection).filter((day) => day <= today || byDay.has(day));
  return {
    selection,
    isPicked: picked !== undefined,
    ...(rows.some((row) => holdsUnnamed(row, selection)) && { lacksUnnamed: true }),
    selected: sum(selected),
    byDay: days.map((day) => {
      const ofDay = byDay.get(day) ?? [];
      const purposes = PURPOSES.map((purpose) => ({
        purpose,
        credits: sum(ofDay.filter((row) => row.purpose === purpose)).credits,
      }));
      return { day, ...sum(ofDay), purposes: purposes.filter(({ credits }) => credits > 0) };
    }),
    byOperation: shares(selected, ({ operation }) => operation),
    byPurpose: shares(selected, ({ purpose }) => purpose),
    byOutcome: shares(selected, ({ outcome }) => outcome),
  };
}

export function sum(rows: readonly SpendRow[]): Spend {
  return rows.reduce(
    ({ credits, count }, row) => ({ credits: credits + row.credits, count: count + row.count }),
    { credits: 0, count: 0 },
  );
}

function shares(rows: readonly SpendRow[], nameOf: (row: SpendRow) => string): Share[] {
  const totalCredits = sum(rows).credits;
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, ofName]) => ({ name, ...sum(ofName) }))
    .map((spend) => ({ ...spend, share: totalCredits === 0 ? 0 : spend.credits / totalCredits }))
    .sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
}

type Figures = Readonly<Record<string, string | number>>;

function refusing<More extends Figures>(
  example: More,
  text: (params: More & { readonly parameter: string }) => string,
) {
  return { example: { parameter: 'from', ...example }, text };
}

/** Why a parameter of the spend page is refused, by code. */
export const QUERY_REFUSALS = {
  'unknown-choice': refusing(
    { choices: 'day, rule' },
    ({ parameter, choices }) => `${parameter} must be one of ${choices}.`,
  ),
  'not-a-month': refusing({}, ({ parameter }) => `${parameter} must be like 2026-11.`),
  'not-a-day': refusing({}, ({ parameter }) => `${parameter} must be a day like 2026-11-21.`),
  'no-statement': refusing(
    { why: 'The books are empty: no credit was spent or bought.' },
    ({ parameter, why }) => `${parameter}: ${why}`,
  ),
  'not-begun': refusing(
    { start: 'January 2031' },
    ({ parameter, start }) => `${parameter} is ${start}, which has not begun.`,
  ),
  'month-and-range': refusing({}, ({ parameter }) => `${parameter} must stand without from and to.`),
  'missing-parameter': refusing({}, ({ parameter }) => `${parameter} is missing, and to needs it.`),
  'ends-before-start': refusing({}, ({ parameter }) => `${parameter} must not be after to.`),
  'range-too-long': refusing(
    { maxDays: 92 },
    ({ parameter, maxDays }) => `${parameter} and to must be ${maxDays} days at most.`,
  ),
  'not-an-asker': refusing(
    {},
    ({ parameter }) => `${parameter} must be like user, user:12345, source:IMPORT or schedule.`,
  ),
  'not-a-record': refusing({}, ({ parameter }) => `${parameter} must be like contacts#123.`),
  'not-a-record-id': refusing({}, ({ parameter }) => `${parameter} must be the number of a HubSpot record.`),
  'not-an-entry': refusing(
    {},
    ({ parameter }) => `${parameter} must be the number of an entry of the ledger.`,
  ),
  'not-a-place': refusing(
    {},
    ({ parameter }) => `${parameter} must be copied from the link of the page before.`,
  ),
  'not-credits': refusing({}, ({ parameter }) => `${parameter} must be a whole number of credits.`),
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
  const sorted = rows
    .flatMap(({ spans }) => spans)
    .filter(([first]) => first < beforeSeq)
    .map(([first, last]): Span => [first, Math.min(last, beforeSeq - 1)])
    .sort(([a], [b]) => a - b);
  const merged: Span[] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before && first - before[1] <= CLOSE)
      merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
    else merged.push([first, last]);
  }
  return merged.toReversed();
}
