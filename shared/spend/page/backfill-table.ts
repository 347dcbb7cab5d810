import type { BackfillSummary } from '#shared/enrichment';
import { figure, type Html, html, instant, percent } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { type Column, dataTable } from './data-table.ts';

/** Shows started backfills, newest first: their progress, their quote, their cost, and what they found. */
export function backfillTable({ backfills = [], timeZone }: SpendReport): Html | undefined {
  if (backfills.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2></div>
${dataTable({
  id: 'backfills',
  label: 'Backfills and their credits',
  caption: 'Credits: expected, at most, and spent',
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
  { words: 'Match rate', isNumber: true },
  { words: 'Filled', isNumber: true },
  { words: 'Not looked up, or failed', isNumber: true },
  { words: 'Expected', isNumber: true },
  { words: 'At most', isNumber: true },
  { words: 'Spent', isNumber: true },
];

function row(backfill: BackfillSummary, timeZone: string): string[] {
  const { objectType, scope, createdAtMs, ended, records, matchRate, filled, others, spent } = backfill;
  const { quote, expected } = backfill;
  return [
    `${objectType}, ${scope}`,
    instant(createdAtMs, timeZone),
    stateWords(backfill),
    `${figure(ended)} of ${figure(records)}`,
    matchRate === undefined ? '' : percent(matchRate),
    figure(filled),
    figure(others),
    expected === undefined ? '' : figure(expected),
    quote ? figure(quote.atMost) : '',
    figure(spent),
  ];
}

function stateWords({ state, pause, holding: wait }: BackfillSummary): string {
  if (pause) return `${state}: ${pause.reason}`;
  return wait ? `${state}; ${wait.reason}` : state;
}
