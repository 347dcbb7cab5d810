import { PURPOSES, type Purpose } from '#shared/crm';
import { figure, type Html, html } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { type Column, dataTable } from './data-table.ts';
import { label } from './labels.ts';
import { inSelection } from './selection-words.ts';

/**
 * Shows credits by operation, with a column for each purpose. Absent if only one purpose or one operation has credits.
 */
export function crossingTable({
  byPurposeAndOperation: crossings,
  selection,
}: SpendReport): Html | undefined {
  const purposes = PURPOSES.filter((purpose) => crossings.some((each) => each.purpose === purpose));
  const operations = [...new Set(crossings.map(({ operation }) => operation))];
  if (purposes.length < 2 || operations.length < 2) return undefined;
  const credits = (wanted: { purpose?: Purpose; operation?: string }) =>
    crossings.reduce((sum, each) => {
      const isWanted =
        (wanted.purpose ?? each.purpose) === each.purpose &&
        (wanted.operation ?? each.operation) === each.operation;
      return isWanted ? sum + each.credits : sum;
    }, 0);
  const cell = (number: number) => (number === 0 ? '–' : figure(number));
  const row = (operation?: string) => {
    const wanted = operation === undefined ? {} : { operation };
    return [...purposes.map((purpose) => cell(credits({ ...wanted, purpose }))), cell(credits(wanted))];
  };
  return html`<section class="panel" aria-labelledby="crossings">
<h2 id="crossings">By operation and purpose</h2>
${dataTable({
  label: 'Credits by operation and purpose',
  caption: `Credits ${inSelection(selection)}`,
  columns: [
    { words: 'Operation' },
    ...[...purposes.map(label), 'Total'].map((words): Column => ({ words, isNumber: true })),
  ],
  rows: operations.map((operation) => [label(operation), ...row(operation)]),
  foot: ['Total', ...row()],
})}
</section>`;
}
