import { type Html, html } from '#shared/kernel';

export interface Column {
  readonly words: string;
  readonly isNumber?: true;
  /** Set for names that a person chose. They may be long and without spaces. */
  readonly isTyped?: true;
  /** Replaces the words in the header, such as a link that sorts by the column. */
  readonly head?: Html;
  readonly isSorted?: boolean;
}

type Cell = Html | string | undefined;

export interface DataTable {
  /** Names the table in the page's source, for programs that read it. */
  readonly id: string;
  /** Names the table's region for a screen reader. */
  readonly label: string;
  readonly caption: string | Html;
  readonly columns: readonly Column[];
  /** The first cell of a row is its header. */
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Shows rows under a header. On a narrow page, each row becomes a block of labels and values, so nothing scrolls
 * sideways.
 */
export function dataTable({ id, label, caption, columns, rows }: DataTable): Html {
  const row = (cells: readonly Cell[]) =>
    html`<tr>${columns.map((column, index) => cellOf(column, cells[index], index === 0))}</tr>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table data-table="${id}">
<caption>${caption}</caption>
<thead><tr>${columns.map(headOf)}</tr></thead>
<tbody>${rows.map(row)}</tbody>
</table></div>`;
}

function headOf({ words, head, isSorted, ...column }: Column): Html {
  const sorted = isSorted ? html` aria-sort="descending"` : undefined;
  return html`<th scope="col"${classOf(column)}${sorted}>${head ?? words}</th>`;
}

function cellOf({ words, ...column }: Column, cell: Cell, isHeader: boolean): Html {
  if (isHeader) return html`<th scope="row"${classOf(column)}>${cell}</th>`;
  return html`<td${classOf(column)} data-label="${words}"><div>${cell}</div></td>`;
}

function classOf({ isNumber, isTyped }: Omit<Column, 'words'>): Html | undefined {
  if (isNumber) return html` class="number"`;
  return isTyped && html` class="typed"`;
}
