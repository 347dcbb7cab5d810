import { counted, figure, type Html, html, instant } from '#shared/kernel';
import { eventThatEnds, queuePlace } from '#shared/records';
import type { SpendReport } from '../report.ts';
import { timedSentence } from '../timed-waits.ts';
import { howCounted, type WaitingLine, waitingSentence } from '../waiting-summary.ts';
import { type Column, dataTable } from './data-table.ts';
import { label } from './labels.ts';
import type { Links } from './links.ts';

/** If the wait is longer than this number of days, the page suggests a larger budget. */
const LONG_DAYS = 7;

/**
 * Shows queued records with their estimated waiting time. Absent if no record waits, or if the report leaves out
 * waiting records.
 */
export function waitingTable(
  { waiting, timeZone, generatedAtMs }: SpendReport,
  links: Links,
): Html | undefined {
  if (!waiting || (waiting.inTurn.length === 0 && waiting.timed.length === 0)) return undefined;
  const { inTurn, timed, many } = waiting;
  return html`<section class="panel" aria-labelledby="waiting">
<h2 id="waiting">Waiting records</h2>
${many && html`<p class="muted" id="how-counted">${howCounted(many, timeZone)}</p>`}
${inTurn.length > 0 ? lines(inTurn, { timeZone, links }) : undefined}
${timed.map((wait) => html`<p>${timedSentence(wait, generatedAtMs, timeZone)}</p>`)}
<p>${links.to('waiting', {}, { words: 'Which records wait, and why' })}</p>
</section>`;
}

function lines(
  inTurn: readonly WaitingLine[],
  { timeZone, links }: { readonly timeZone: string; readonly links: Links },
): Html {
  const isLong = inTurn.some(({ days = Number.POSITIVE_INFINITY, reason }) => !reason && days > LONG_DAYS);
  return html`${dataTable({
    id: 'queued',
    label: 'Queued records by purpose',
    caption:
      'Queued records, the most urgent first. The days are estimated from the average price and the credits left in the budgets',
    columns: COLUMNS,
    rows: inTurn.map(({ purpose, records, oldestMs, ...wait }) => [
      label(purpose),
      instant(oldestMs, timeZone),
      recordsLink(links, { purpose, records }),
      daysWords(wait),
    ]),
  })}
${inTurn.filter(({ refusal }) => refusal).map((line) => html`<p>${waitingSentence(line, timeZone)}</p>`)}
${isLong ? html`<p id="long-wait"><b>What to do:</b> raise the budget, or change nothing: new leads go first in any case.</p>` : undefined}`;
}

const COLUMNS: readonly Column[] = [
  { words: 'For' },
  { words: 'Since' },
  { words: 'Records', isNumber: true },
  { words: 'Days to go', isNumber: true },
];

function daysWords({ days, reason }: Pick<WaitingLine, 'days' | 'reason'>): string {
  if (reason) return `until ${eventThatEnds(reason)}`;
  return days === undefined ? 'leads use the whole budget' : figure(days);
}

function recordsLink(links: Links, { purpose, records }: Pick<WaitingLine, 'purpose' | 'records'>): Html {
  const said = { words: figure(records), label: `${counted(records, 'record')}: ${label(purpose)}` };
  return links.to('waiting', { place: queuePlace(purpose) }, said);
}
