import { PURPOSES, type Purpose } from '#shared/crm';
import { figure, type Html, html } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
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
  const cell = (number: number) => html`<td class="number">${number === 0 ? '–' : figure(number)}</td>`;
  const row = (operation?: string) => {
    const wanted = operation === undefined ? {} : { operation };
    return html`${purposes.map((purpose) => cell(credits({ ...wanted, purpose })))}${cell(credits(wanted))}`;
  };
  return html`<section class="panel" aria-labelledby="crossings">
<h2 id="crossings">By operation and purpose</h2>
<div class="wide" role="region" aria-label="Credits by operation and purpose" tabindex="0">
<table>
<caption>Credits ${inSelection(selection)}</caption>
<thead><tr><th scope="col">Operation</th>${purposes.map((purpose) => html`<th scope="col" class="number">${label(purpose)}</th>`)}<th scope="col" class="number">Total</th></tr></thead>
<tbody>${operations.map((operation) => html`<tr><th scope="row">${label(operation)}</th>${row(operation)}</tr>`)}</tbody>
<tfoot><tr><th scope="row">Total</th>${row()}</tr></tfoot>
</table>
</div>
</section>`;
}
