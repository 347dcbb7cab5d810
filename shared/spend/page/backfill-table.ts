import type { BackfillSummary } from '#shared/enrichment';
import { figure, figureRange, type Html, html, instant, percent } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { type Column, dataTable } from './data-table.ts';

/** Shows started backfills, newest first: their progress, their quote, and whether they stayed within it. */
export function backfillTable({ backfills = [], timeZone }: SpendReport): Html | undefined {
  if (backfills.length === 0) return undefined;
  const scored = backfills.flatMap(({ score }) => score ?? []);
  const withinRange = scored.filter(({ isInside }) => isInside).length;
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2>${scored.length > 0 ? html`<p class="muted">${figure(withinRange)} of ${figure(scored.length)} stayed within their quote</p>` : undefined}</div>
${dataTable({
  label: 'Backfills and their credits',
  caption: 'Credits: the likely range (it holds for nine in ten backfills), and the spent credits',
  columns: COLUMNS,
  rows: backfills.map((one) => row(one, timeZone)),
})}
</section>`;
}

const COLUMNS: readonly Column[] = [
  { words: 'Records' },
  { words: 'Since' },
  { words: 'State' },
  { words: 'Done', isNumber: true },
  { words: 'Found', isNumber: true },
  { words: 'Likely', isNumber: true },
  { words: 'At most', isNumber: true },
  { words: 'Spent', isNumber: true },
];

function row(backfill: BackfillSummary, timeZone: string): string[] {
  const { objectType, scope, createdAtMs, ended, records, matchRate, spent, quote } = backfill;
  const range = backfill.afterCanary ?? quote;
  const likely = range ? figureRange(range.low, range.high) : '';
  const found = matchRate === undefined ? '' : percent(matchRate);
  return [
    `${objectType}, ${scope}`,
    instant(createdAtMs, timeZone),
    stateWords(backfill),
    `${figure(ended)} of ${figure(records)}`,
    found,
    likely,
    quote ? figure(quote.worst) : '',
    figure(spent),
  ];
}

function stateWords({ state, score, pause, holding: wait }: BackfillSummary): string {
  if (score) return `${state}, ${score.isInside ? 'inside' : 'outside'} its range`;
  if (pause) return `${state}: ${pause.reason}`;
  return wait ? `${state}; ${wait.reason}` : state;
}
