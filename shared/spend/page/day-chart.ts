import type { BudgetState } from '#shared/credit-ledger';
import { PURPOSES, type Purpose } from '#shared/crm';
import { counted, figure, type Html, html, shortDay, weekday } from '#shared/kernel';
import type { DaySpend } from '../selected-spend.ts';
import { label } from './labels.ts';

export interface DayChart {
  /** Oldest first. */
  readonly days: readonly DaySpend[];
  /** The daily limit of all spend, if one is set. A limit far above the bars is not drawn. */
  readonly limit: BudgetState | undefined;
  /** Days on which spending was stopped. Each has a band behind its bar. */
  readonly stoppedDays?: ReadonlySet<string> | undefined;
  /** Returns the link of a day's bar; absent without links. */
  readonly hrefOf?: ((day: string) => string | undefined) | undefined;
}

/** Highest limit that is drawn, as a multiple of the highest bar. A higher limit would flatten all bars. */
const LIMIT_IN_SIGHT = 2;
const GAP = 0.22;
const NONE: ReadonlySet<string> = new Set();

/**
 * Draws bars of credits by day. The drawing is stretched to the page's width, so it holds no text. Its labels are HTML
 * around it. The table below has the same figures, for readers who cannot see the bars.
 */
export function dayChart({ days, limit, stoppedDays = NONE, hrefOf }: DayChart): Html {
  const highest = Math.max(0, ...days.map(({ credits }) => credits));
  const line = limit && limit.limitCredits <= highest * LIMIT_IN_SIGHT ? limit.limitCredits : undefined;
  const top = roundTop(Math.max(highest, line ?? 0));
  return html`<figure class="chart">
<p class="unit" aria-hidden="true">credits a day</p>
<div class="plot">
<div class="scale" aria-hidden="true"><span>${figure(top)}</span><span>${figure(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" ${hrefOf?.(days[0]?.day ?? '') ? html`role="group"` : html`role="img"`} aria-label="${summary(days)}">
${PATTERNS}
<path class="grid" d="M0 0H${days.length}M0 50H${days.length}"/>
${days.map((day, index) => bar(day, { index, top, isStopped: stoppedDays.has(day.day), href: hrefOf?.(day.day) }))}
${limitLine(line, { top, width: days.length })}
<path class="base" d="M0 100H${days.length}"/>
</svg>
${limitLabel(line, top)}
</div>
<div class="days" aria-hidden="true">${labelled(days).map(({ day, index }) => dayLabel(day, index, days.length))}</div>
${legend(days)}
</figure>`;
}

interface BarPlace {
  readonly index: number;
  readonly top: number;
  readonly isStopped: boolean;
  /** Link of the bar. */
  readonly href: string | undefined;
}

/** Draws a day's credits as a bar, stacked by purpose. The most urgent purpose is at the bottom. */
function bar(day: DaySpend, { index, top, isStopped, href }: BarPlace): Html {
  let below = 0;
  const parts = day.purposes.map(({ purpose, credits }) => {
    below += credits;
    const [y, height] = [round(100 - (below / top) * 100), round((credits / top) * 100)];
    const place = html`x="${round(index + GAP / 2)}" y="${y}" width="${1 - GAP}" height="${height}"`;
    return html`<rect class="bar of-${purpose}" ${place}/>${STRIPED.has(purpose) ? html`<rect fill="url(#stripes-${purpose})" ${place}/>` : undefined}`;
  });
  const purposes = day.purposes
    .map(({ purpose, credits }) => `; ${label(purpose)}: ${figure(credits)}`)
    .join('');
  const text = `${weekday(day.day)}: ${counted(day.credits, 'credit')}, ${counted(day.count, 'charge')}${purposes}${isStopped ? '; stopped for a time' : ''}`;
  const touch = isStopped ? html`touch stopped` : html`touch`;
  const drawn = html`<g class="day"><title>${text}</title><rect class="${touch}" x="${index}" y="0" width="1" height="100"/>${parts}</g>`;
  // A day without a charge has no link.
  return href === undefined || day.count === 0
    ? drawn
    : html`<a href="${href}" aria-label="${text}">${drawn}</a>`;
}

/**
 * Stripes in addition to colours. Every second purpose has its own stripes, so that two neighbouring parts never look
 * alike.
 */
const STRIPES: readonly (readonly [Purpose, everyPercent: number])[] = [
  ['live', 4],
  ['import', 7],
  ['backfill', 2.5],
];
const STRIPED: ReadonlySet<string> = new Set(STRIPES.map(([purpose]) => purpose));
const PATTERNS = html`<defs>${STRIPES.map(([purpose, every]) => html`<pattern id="stripes-${purpose}" patternUnits="userSpaceOnUse" width="1" height="${every}"><rect class="stripe" width="1" height="${every / 4}"/></pattern>`)}</defs>`;

/** Lists the drawn purposes in the order of their stack, from the top. */
function legend(days: readonly DaySpend[]): Html | undefined {
  const drawn = PURPOSES.filter((purpose) =>
    days.some((day) => day.purposes.some((each) => each.purpose === purpose)),
  );
  if (drawn.length === 0) return undefined;
  const key = (purpose: Purpose) =>
    html`<svg viewBox="0 0 1 12" preserveAspectRatio="none" aria-hidden="true"><rect class="of-${purpose}" width="1" height="12"/>${STRIPED.has(purpose) ? html`<rect fill="url(#stripes-${purpose})" width="1" height="12"/>` : undefined}</svg>`;
  return html`<ul class="legend">${drawn.toReversed().map((purpose) => html`<li>${key(purpose)}${label(purpose)}: ${counted(creditsFor(days, purpose), 'credit')}</li>`)}</ul>`;
}

function creditsFor(days: readonly DaySpend[], wanted: Purpose): number {
  return days
    .flatMap(({ purposes }) => purposes)
    .reduce((sum, { purpose, credits }) => (purpose === wanted ? sum + credits : sum), 0);
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

/**
 * Labels all days of a chart of up to seven days. A longer chart has a label on the last day and on every seventh day
 * before it, so that the labels fit on a phone.
 */
function labelled(days: readonly DaySpend[]): { day: string; index: number }[] {
  return days
    .map(({ day }, index) => ({ day, index }))
    .filter(({ index }) => days.length <= 7 || (days.length - 1 - index) % 7 === 0);
}

/** Puts the label under the middle of its bar. The last label is aligned with the end of the bars. */
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

/** Rounds up to an even number of one or two significant digits, so that its half is also whole. */
function roundTop(highest: number): number {
  if (highest <= 2) return 2;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(highest)) - 1) * 2;
  return Math.ceil(highest / unit) * unit;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
