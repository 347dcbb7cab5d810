import { counted, figure, type Html, html, percent } from '#shared/kernel';
import type { BackfillSummary } from '../backfills.ts';
import type { SpendReport } from '../report.ts';
import { howCounted, waitingRows } from '../waiting.ts';
import { homeLink, type Links } from './links.ts';
import { meter } from './tables.ts';

/** Shows waiting records, each group with its reason, its next and its last start. Absent if no record waits. */
export function waitingPanel(report: SpendReport, links: Links): Html | undefined {
  const { waiting, timeZone, generatedAtMs: nowMs } = report;
  if (!waiting || (waiting.inTurn.length === 0 && waiting.timed.length === 0)) return undefined;
  const { inTurn, timed, many } = waiting;
  const words = counted(
    [...inTurn, ...timed].reduce((sum, group) => sum + group.records, 0),
    'record',
  );
  const rows = waitingRows(waiting, { nowMs, timeZone, stack: links.stack }).map((row) => {
    const text = { words: row.title, label: `${row.title}: ${row.records}` };
    const title = row.place ? links.to('waiting', { place: row.place }, text) : row.title;
    return html`<li data-wait="${row.name}"><b>${title}</b> <b>${row.records}</b>
<span class="muted">${row.why}</span> <span>${row.ends}</span></li>`;
  });
  return html`<section class="panel" aria-labelledby="waiting">
<div class="head"><h2 id="waiting">Waiting</h2><p class="muted">${links.to('waiting', {}, { words, label: `Waiting: ${words}` })}</p></div>
<ul class="rows">${rows}</ul>
${many && html`<p class="muted" id="how-counted">${howCounted(many, timeZone)}</p>`}
</section>`;
}

/** Number of backfills that are not folded. */
const BACKFILLS_IN_SIGHT = 4;
const ENDED: ReadonlySet<string> = new Set<BackfillSummary['state']>(['done', 'stopped']);

/** Shows started backfills: those that have not ended, then the newest ended ones. Older ones are folded. */
export function backfillPanel({ backfills = [] }: SpendReport, links: Links): Html | undefined {
  if (backfills.length === 0) return undefined;
  const sorted = backfills.toSorted((a, b) => Number(ENDED.has(a.state)) - Number(ENDED.has(b.state)));
  const rows = sorted.map(backfillRow);
  const older = rows.slice(BACKFILLS_IN_SIGHT);
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2><p class="muted">${homeLink(links, 'Pause or approve in HubSpot')}</p></div>
<ul class="rows">${rows.slice(0, BACKFILLS_IN_SIGHT)}</ul>
${older.length > 0 ? html`<details class="fold"><summary>${counted(older.length, 'older backfill')}</summary><ul class="rows">${older}</ul></details>` : undefined}
</section>`;
}

function backfillRow(backfill: BackfillSummary): Html {
  const { id, objectType, scope, ended, records, matchRate, filled, others, spent, quote, expected } =
    backfill;
  const results = [
    ...(matchRate === undefined ? [] : [`${percent(matchRate)} matched`]),
    `${figure(filled)} filled`,
    ...(others > 0 ? [`${figure(others)} not looked up, or failed`] : []),
  ];
  const limits = [
    ...(quote ? [`of at most ${figure(quote.atMost)}`] : []),
    'credits',
    ...(expected === undefined || expected === quote?.atMost || ENDED.has(backfill.state)
      ? []
      : [`(expected ${figure(expected)})`]),
  ];
  return html`<li data-backfill="${id}"><b>${objectType}, ${scope}</b> <span>${stateWords(backfill)}</span>
<span class="muted">${meter([{ share: records === 0 ? 1 : ended / records }])}${figure(ended)} of ${figure(records)}: ${results.join(', ')}</span> <span class="muted">${figure(spent)} ${limits.join(' ')}</span></li>`;
}

function stateWords({ state, pause, holding }: BackfillSummary): string {
  if (pause) return `${state}: ${pause.reason}`;
  return holding ? `${state}; ${holding.reason}` : state;
}
