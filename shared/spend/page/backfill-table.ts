import type { BackfillSummary } from '#shared/enrichment';
import { figure, figureRange, type Html, html, instant, percent } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { type Column, dataTable } from './data-table.ts';

/** Shows started backfills, newest first: their progress, their quote, and their cost compared with it. */
export function backfillTable({ backfills = [], timeZone }: SpendReport): Html | undefined {
  if (backfills.length === 0) return undefined;
  const costs = backfills.flatMap(({ cost }) => cost ?? []);
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2>${costs.length > 0 ? html`<p class="muted">${costWords(costs)}</p>` : undefined}</div>
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
  { words: 'Not looked up, or failed', isNumber: true },
  { words: 'Likely', isNumber: true },
  { words: 'At most', isNumber: true },
  { words: 'Spent', isNumber: true },
];

function row(backfill: BackfillSummary, timeZone: string): string[] {
  const { objectType, scope, createdAtMs, ended, records, matchRate, others, spent, quote } = backfill;
  const range = backfill.afterCanary ?? quote;
  const likely = range ? figureRange(range.low, range.high) : '';
  const found = matchRate === undefined ? '' : percent(matchRate);
  return [
    `${objectType}, ${scope}`,
    instant(createdAtMs, timeZone),
    stateWords(backfill),
    `${figure(ended)} of ${figure(records)}`,
    found,
    figure(others),
    likely,
    quote ? figure(quote.worst) : '',
    figure(spent),
  ];
}

type Cost = NonNullable<BackfillSummary['cost']>;

/** `Of 3 done, 1 cost less than the likely range, 2 cost an amount in the likely range. None cost more than the quote`. */
function costWords(costs: readonly Cost[]): string {
  const parts = KINDS.flatMap((kind) => {
    const count = costs.filter((cost) => cost === kind).length;
    return count > 0 ? [`${figure(count)} cost ${kind}`] : [];
  });
  const none = costs.includes('more than the quote') ? '' : '. None cost more than the quote';
  return `Of ${figure(costs.length)} done, ${parts.join(', ')}${none}`;
}

const KINDS = [
  'less than the likely range',
  'an amount in the likely range',
  'more than the likely range, but not more than the quote',
  'more than the quote',
] as const satisfies readonly Cost[];

function stateWords({ state, cost, pause, holding: wait }: BackfillSummary): string {
  if (cost) return `${state}, cost ${cost}`;
  if (pause) return `${state}: ${pause.reason}`;
  return wait ? `${state}; ${wait.reason}` : state;
}
