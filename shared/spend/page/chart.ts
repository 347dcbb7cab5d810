import { PURPOSES, type Purpose } from '#shared/crm';
import {
  counted,
  daysBetween,
  daysUpTo,
  figure,
  type Html,
  html,
  MINUTE_MS,
  shortDay,
  weekday,
} from '#shared/kernel';
import type { DaySpend, SpendReport, StopOfDay } from '../report.ts';
import { stopName } from '../stops.ts';
import { label } from './tables.ts';

/** Expected credits of a day, above those that are spent. */
interface ComingDay {
  readonly day: string;
  readonly credits: number;
}

export interface DayChart {
  /** Oldest first. */
  readonly days: readonly DaySpend[];
  readonly today: string;
  /** Today, if it has expected credits, and the days after it. */
  readonly coming?: readonly ComingDay[];
  /** The daily limit of all spend, if one is set. A limit far above the bars is not drawn. */
  readonly limitCredits?: number | undefined;
  readonly stops?: readonly StopOfDay[] | undefined;
  /** The day whose line is open. */
  readonly chosen?: string | undefined;
  /** Returns the link of a day; absent without links. */
  readonly hrefOf?: ((day: string) => string | undefined) | undefined;
}

/** Highest limit that is drawn, as a multiple of the highest bar. A higher limit would flatten all bars. */
const LIMIT_IN_SIGHT = 2;

/**
 * Draws bars of credits by day, each stacked by purpose, the most urgent purpose at the bottom. A table has the same
 * figures, for readers who cannot see the bars.
 */
export function dayChart(chart: DayChart): Html {
  const { days, today, coming = [], limitCredits, stops = [], chosen, hrefOf } = chart;
  const expected = new Map(coming.map(({ day, credits }) => [day, credits]));
  const later = coming.filter(({ day }) => day > today).map(({ day }): DaySpend => ({ day, ...NOTHING }));
  const columns = [...days, ...later];
  const highest = Math.max(0, ...columns.map(({ day, credits }) => credits + (expected.get(day) ?? 0)));
  const isInSight = limitCredits !== undefined && limitCredits <= highest * LIMIT_IN_SIGHT;
  const top = roundTop(Math.max(highest, isInSight ? limitCredits : 0));
  const marked = stops.filter(({ kind }) => kind !== 'reserved-for-leads');
  const bars = columns.map((column) =>
    bar(column, {
      top,
      expected: expected.get(column.day) ?? 0,
      stops: marked.filter(({ day }) => day === column.day),
      isChosen: column.day === chosen,
      href: column.day > today ? undefined : hrefOf?.(column.day),
    }),
  );
  const limit = isInSight
    ? html`<p class="limit" style="bottom:${round((limitCredits / top) * 100)}%"><span>Budget: ${figure(limitCredits)} a day</span></p>`
    : undefined;
  const labels = stopLabels(marked, columns);
  const [rows, lines] = (['row', 'line'] as const).map((of) =>
    Math.max(0, ...labels.map((label) => label[of])),
  );
  return html`<figure class="chart" style="--rows:${rows ?? 0};--lines:${lines ?? 0}">
<figcaption class="unseen">${summary(days)}</figcaption>
<div class="plot">
<p class="scale" aria-hidden="true"><span>${figure(top)}</span><span>${figure(top / 2)}</span><span>0</span></p>
<div class="bars">${bars}</div>
${limit}
${labels.map(({ label }) => label)}
</div>
<p class="axis" aria-hidden="true">${dayLabels(columns, { today, chosen })}</p>
</figure>`;
}

const NOTHING = { credits: 0, count: 0, purposes: [] };

interface Bar {
  readonly top: number;
  readonly expected: number;
  readonly stops: readonly StopOfDay[];
  readonly isChosen: boolean;
  readonly href: string | undefined;
}

function bar(day: DaySpend, { top, expected, stops, isChosen, href }: Bar): Html {
  const height = (credits: number) => html` style="height:${round((credits / top) * 100)}%"`;
  const parts = day.purposes.map(
    ({ purpose, credits }) => html`<i class="of-${purpose}"${height(credits)}></i>`,
  );
  const outline = expected > 0 ? html`<i class="coming"${height(expected)}></i>` : undefined;
  const name = html`class="day${isChosen ? ' chosen' : ''}${stops.length > 0 ? ' stopped' : ''}"`;
  const text = dayText(day, { expected, stops });
  // A day without a paid lookup or a stop has no line to open.
  if (href === undefined || (day.count === 0 && stops.length === 0))
    return html`<span ${name} title="${text}">${parts}${outline}</span>`;
  return html`<a href="${href}" ${name} title="${text}" aria-label="${text}">${parts}${outline}</a>`;
}

function dayText(
  { day, credits, count, purposes }: DaySpend,
  { expected, stops }: Pick<Bar, 'expected' | 'stops'>,
): string {
  return [
    `${weekday(day)}: ${counted(credits, 'credit')}, ${counted(count, 'paid lookup')}`,
    ...purposes.map((each) => `${label(each.purpose)}: ${figure(each.credits)}`),
    ...stops.map(stopWords),
    ...(expected > 0 ? [`${figure(Math.round(expected))} more expected`] : []),
  ].join('; ');
}

function stopWords(stop: StopOfDay): string {
  const lengthMs = lengthOf(stop);
  return `${stopName(stop.kind)}${lengthMs < MINUTE_MS ? '' : `, ${lengthWords(lengthMs)}`}`;
}

function lengthWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** A shorter stop has no label in the chart. */
const NAMED_MS = 10 * MINUTE_MS;

interface StopLabel {
  readonly kind: string;
  readonly days: readonly string[];
  readonly lengthMs: number;
  /** Columns of the first and the last day. */
  readonly from: number;
  readonly to: number;
}

/** Joins the stops of one kind on neighbouring days. Each label names its days and the sum of their stops. */
function joinedStops(stops: readonly StopOfDay[], columns: readonly DaySpend[]): StopLabel[] {
  const ended: StopLabel[] = [];
  for (const [column, { day }] of columns.entries()) {
    const ofDay = stops.filter((stop) => stop.day === day);
    for (const [kind, same] of Map.groupBy(ofDay, (stop) => stop.kind)) {
      const lengthMs = same.reduce((sum, stop) => sum + lengthOf(stop), 0);
      if (lengthMs < NAMED_MS) continue;
      const at = ended.findIndex((label) => label.kind === kind && label.to === column - 1);
      const { days = [], from = column, lengthMs: earlierMs = 0 } = ended[at] ?? {};
      const label = { kind, days: [...days, day], lengthMs: earlierMs + lengthMs, from, to: column };
      ended.splice(at < 0 ? ended.length : at, at < 0 ? 0 : 1, label);
    }
  }
  return ended;
}

/** Width of a character of a label, as a share of the chart: on a desktop (`row`), and on a phone (`line`). */
const CHARACTER = { row: 0.008, line: 0.02 };

interface PlacedLabel {
  readonly label: Html;
  readonly row: number;
  readonly line: number;
  readonly spans: Readonly<Record<keyof typeof CHARACTER, readonly [start: number, end: number]>>;
}

/** Names the stops above their days. A label that would touch another one stands on a line above it, on a phone sooner. */
function stopLabels(stops: readonly StopOfDay[], columns: readonly DaySpend[]): readonly PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const { kind, days, lengthMs, from, to } of joinedStops(stops, columns)) {
    const at = ((from + to) / 2 + 0.5) / columns.length;
    const words = `${stopName(kind)} ${spanWords(days)}, ${lengthWords(lengthMs)}`;
    const [edge, shift] = at < 0.15 ? [' from-start', 0] : at > 0.85 ? [' to-end', 1] : ['', 0.5];
    const spanOf = (of: keyof typeof CHARACTER) => {
      const width = (words.length + 2) * CHARACTER[of];
      return [at - shift * width, at + (1 - shift) * width] as const;
    };
    const spans = { row: spanOf('row'), line: spanOf('line') };
    const [row, line] = [freeLine(placed, spans, 'row'), freeLine(placed, spans, 'line')];
    const style = `--row:${row};--line:${line};left:${round(at * 100)}%`;
    placed.push({
      label: html`<span class="stop-label${edge}" style="${style}">${words}</span>`,
      row,
      line,
      spans,
    });
  }
  return placed;
}

/** Returns the lowest line on which the span touches no label. */
function freeLine(
  placed: readonly PlacedLabel[],
  own: PlacedLabel['spans'],
  of: keyof typeof CHARACTER,
): number {
  const [start, end] = own[of];
  const near = placed.filter(({ spans }) => spans[of][0] < end && start < spans[of][1]);
  const taken = new Set(near.map((label) => label[of]));
  let line = 0;
  while (taken.has(line)) line += 1;
  return line;
}

/** `2 Nov`, `10 to 11 Nov`. */
function spanWords(days: readonly string[]): string {
  const [first = '', last = first] = [days[0], days.at(-1)].map((day = '') => shortDay(day));
  if (first === last) return first;
  const [firstDay = '', month] = first.split(' ');
  return `${month === last.split(' ')[1] ? firstDay : first} to ${last}`;
}

function lengthOf({ fromMs, toMs }: StopOfDay): number {
  return toMs - fromMs;
}

/** Labels the first day, today, the chosen day, and every seventh day that is not too near to one of them. */
function dayLabels(
  columns: readonly DaySpend[],
  { today, chosen }: { readonly today: string; readonly chosen: string | undefined },
): Html[] {
  const strong = columns.flatMap(({ day }, index) => (day === today || day === chosen ? [index] : []));
  const isRoomy = columns.length <= 10;
  const isFree = (index: number) => strong.every((other) => Math.abs(other - index) > columns.length / 10);
  return columns.flatMap(({ day }, index) => {
    const left = html` style="left:${round(((index + 0.5) / columns.length) * 100)}%"`;
    if (strong.includes(index))
      return [html`<span${left}><b>${day === today ? 'Today' : shortDay(day)}</b></span>`];
    return isRoomy || (index % 7 === 0 && isFree(index)) ? [html`<span${left}>${shortDay(day)}</span>`] : [];
  });
}

/** Returns the purposes of the days, the most urgent first, with their credits. */
export function purposesOf(days: readonly DaySpend[]): { purpose: Purpose; credits: number }[] {
  const all = days.flatMap(({ purposes }) => purposes);
  return PURPOSES.map((purpose) => ({
    purpose,
    credits: all.reduce((sum, each) => (each.purpose === purpose ? sum + each.credits : sum), 0),
  })).filter(({ credits }) => credits > 0);
}

/**
 * Spreads the forecast over the rest of the month: evenly over the coming days, and what exceeds their limit on today.
 */
export function comingDays(
  {
    today,
    spentMonthCredits,
    forecastMonthCredits,
  }: Pick<SpendReport, 'today' | 'spentMonthCredits' | 'forecastMonthCredits'>,
  {
    lastDay,
    limitCredits = Number.POSITIVE_INFINITY,
  }: { lastDay: string; limitCredits?: number | undefined },
): ComingDay[] {
  const expected = Math.max(0, forecastMonthCredits - spentMonthCredits);
  const later = daysUpTo(lastDay, daysBetween(today, lastDay));
  const perDay = later.length === 0 ? 0 : Math.min(limitCredits, expected / later.length);
  return [
    { day: today, credits: expected - perDay * later.length },
    ...later.map((day) => ({ day, credits: perDay })),
  ];
}

function summary(days: readonly DaySpend[]): string {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return 'No days.';
  const highest = days.reduce((best, day) => (day.credits > best.credits ? day : best), first);
  const span = `Credits by day from ${shortDay(first.day)} to ${shortDay(last.day)}`;
  if (highest.credits === 0) return `${span}: none.`;
  return `${span}; most on ${shortDay(highest.day)}: ${figure(highest.credits)}. The table below has all figures.`;
}

/** Rounds up to an even number of one or two significant digits, so that its half is also whole. */
function roundTop(highest: number): number {
  if (highest <= 2) return 2;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(highest)) - 1) * 2;
  return Math.ceil(highest / unit) * unit;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
