import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { counted, figure, shortDay, weekday } from '../figures.ts';
import type { DaySpend } from '../selected-spend.ts';
import { type Html, html } from './html.ts';

export interface DayChart {
  /** Oldest first. */
  readonly days: readonly DaySpend[];
  readonly today: string;
  /** The limit of all spend in a day, if one is set: drawn where the bars do not vanish beside it. */
  readonly limit: BudgetState | undefined;
}

/** A limit higher than this many times the highest bar would flatten all bars. */
const LIMIT_IN_SIGHT = 2;
const GAP = 0.22;

/**
 * Bars of credits by day. The drawing is stretched to the width of the page, so it holds no text: labels are HTML
 * around it, and the table under it holds the same figures for those who cannot see the bars.
 */
export function dayChart({ days, today, limit }: DayChart): Html {
  const highest = Math.max(0, ...days.map(({ credits }) => credits));
  const line = limit && limit.limitCredits <= highest * LIMIT_IN_SIGHT ? limit.limitCredits : undefined;
  const top = roundTop(Math.max(highest, line ?? 0));
  return html`<figure class="chart">
<div class="plot">
<div class="scale" aria-hidden="true"><span>${figure(top)}</span><span>${figure(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" role="img" aria-label="${summary(days)}">
<path class="grid" d="M0 0H${days.length}M0 50H${days.length}"/>
${days.map((day, index) => bar(day, { index, top, isToday: day.day === today }))}
${limitLine(line, { top, width: days.length })}
<path class="base" d="M0 100H${days.length}"/>
</svg>
${limitLabel(line, top)}
</div>
<div class="days" aria-hidden="true">${labelled(days).map(({ day, index }) => dayLabel(day, index, days.length))}</div>
</figure>`;
}

function bar(day: DaySpend, { index, top, isToday }: { index: number; top: number; isToday: boolean }): Html {
  const height = (day.credits / top) * 100;
  const text = `${weekday(day.day)}: ${counted(day.credits, 'credit')}, ${counted(day.count, 'charge')}`;
  return html`<g class="${isToday ? 'day today' : 'day'}"><title>${text}</title><rect class="touch" x="${index}" y="0" width="1" height="100"/><rect class="bar" x="${index + GAP / 2}" y="${round(100 - height)}" width="${1 - GAP}" height="${round(height)}"/></g>`;
}

function limitLine(
  line: number | undefined,
  { top, width }: { top: number; width: number },
): Html | undefined {
  if (line === undefined) return undefined;
  return html`<path class="limit" d="M0 ${round(100 - (line / top) * 100)}H${width}"/>`;
}

function limitLabel(line: number | undefined, top: number): Html | undefined {
  if (line === undefined) return undefined;
  return html`<span class="limit-label" style="bottom:${round((line / top) * 100)}%">limit ${figure(line)} a day</span>`;
}

/** Today and every seventh day before it: five labels, which fit on a telephone too. */
function labelled(days: readonly DaySpend[]): { day: string; index: number }[] {
  return days
    .map(({ day }, index) => ({ day, index }))
    .filter(({ index }) => (days.length - 1 - index) % 7 === 0);
}

/** Under the middle of its bar; the last one ends where the bars end. */
function dayLabel(day: string, index: number, count: number): Html {
  if (index === count - 1) return html`<span class="now">${shortDay(day)}</span>`;
  return html`<span style="left:${round(((index + 0.5) / count) * 100)}%">${shortDay(day)}</span>`;
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

/** The next even number of one or two significant digits, so that half of it is whole too. */
function roundTop(highest: number): number {
  if (highest <= 2) return 2;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(highest)) - 1) * 2;
  return Math.ceil(highest / unit) * unit;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
