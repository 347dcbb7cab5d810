import { budgetParts } from '#shared/credit-ledger';
import { askerWords, PURPOSE_LABELS, PURPOSES } from '#shared/crm';
import {
  counted,
  figure,
  type Html,
  html,
  instant,
  longDay,
  longMonth,
  monthOfDay,
  percent,
  weekday,
  withHundredths,
} from '#shared/kernel';
import { LOOKUPS } from '#shared/questions';
import type { BackfillSummary } from '../backfills.ts';
import type { SpendReport } from '../report.ts';
import type { ChargeOutcome } from '../schemas.ts';
import {
  isWholeMonth,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  selectionQuery,
  WITHOUT_ASKER,
} from '../selection.ts';
import { type Results, type SpendYield, YIELD_PARTS, type YieldPart } from '../spend-book.ts';
import { howCounted, waitingRows } from '../waiting.ts';
import { homeLink, type Links } from './frame.ts';

const OUTCOMES: Readonly<Record<ChargeOutcome, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
  other: 'Unknown outcome, booked as charged',
};

const LABELS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LOOKUPS).map(([name, lookup]) => [name, lookup.label] as const),
  ...Object.entries(PURPOSE_LABELS),
  ...Object.entries(OUTCOMES),
]);

/** Returns the name that people read. An unknown name is returned unchanged. */
export function label(name: string): string {
  return LABELS.get(name) ?? name;
}

/** The asker of a charge for a person. */
export function askerLabel(askedBy: string | undefined): string {
  return askerWords(askedBy ?? WITHOUT_ASKER);
}

/** Returns `Scheduled refresh, per day` for `refresh/day`. */
export function budgetLabel(budget: string): string {
  const { scope, period } = budgetParts({ budget });
  if (!period) return budget;
  return `${scope === 'total' ? 'All spend' : label(scope)}, per ${period}`;
}

/** Returns the text that follows a number of credits, such as ` (€12.50)`. Empty if the policy has no price. */
export function moneyFor(credits: number, { creditPrice }: Pick<SpendReport, 'creditPrice'>): string {
  if (!creditPrice) return '';
  const { amount, currency } = creditPrice;
  return ` (${new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(credits * amount)})`;
}

/**
 * Says that the figures are read for this view, and from when they are. A page that stays open longer than a minute says
 * in amber how many minutes old it is, by its style sheet.
 */
export function ageWords(atMs: number, timeZone: string): Html {
  return html`<span class="age"><span>Live. </span>Figures of ${instant(atMs, timeZone)} (${timeZone})</span>`;
}

/** Returns the time of day: `17:11`. */
export function timeOfDay(atMs: number, timeZone: string): string {
  return instant(atMs, timeZone).slice(-5);
}

/**
 * Returns the range, such as `November 2026`, `14 Nov 2026` or `30 Oct 2026 to 2 Nov 2026`. The filters follow, such as
 * `, only: Imports, No match`.
 */
export function selectionWords(selection: Selection): string {
  return `${rangeWords(selection)}${filterWords(selection)}`;
}

/** Returns the same for use in a sentence: `in November 2026`, `on 14 Nov 2026`, `from 30 Oct 2026 to 2 Nov 2026`. */
export function inSelection(selection: Selection): string {
  const { from, to } = selection;
  const preposition = from === to ? 'on' : 'from';
  return `${isWholeMonth(selection) ? 'in' : preposition} ${selectionWords(selection)}`;
}

interface Listed {
  readonly selection: Selection;
  /** Key of the record, if only its charges are listed. */
  readonly record?: string | undefined;
  /** True if newer charges are on an earlier page. */
  readonly isLater?: boolean | undefined;
}

/** Explains an empty list by its range and filters, because the range may hold charges that the filters leave out. */
export function noCharge({ selection, record, isLater = false }: Listed): string {
  const what = isLater ? 'No older paid lookup' : 'No paid lookup';
  if (record === undefined) return `${what} ${inSelection(selection)}.`;
  return `${what} for this record ${inSelection(selection)}.`;
}

function rangeWords({ from, to }: Selection): string {
  if (isWholeMonth({ from, to })) return longMonth(monthOfDay(from));
  return from === to ? longDay(from) : `${longDay(from)} to ${longDay(to)}`;
}

function filterWords({ purpose, operation, outcome, rule, askedBy }: Selection): string {
  const only = [purpose, operation, outcome].filter((each) => each !== undefined).map(label);
  if (rule !== undefined) only.push(`rule "${rule}"`);
  if (askedBy !== undefined) only.push(`asked by ${askerLabel(askedBy)}`);
  return only.length === 0 ? '' : `, only: ${only.join(', ')}`;
}

export interface Column {
  readonly words: string;
  readonly isNumber?: true;
  /** Set for names that a person chose. They may be long and without spaces. */
  readonly isTyped?: true;
  /** Replaces the words in the header, such as a link that sorts by the column. */
  readonly head?: Html;
  readonly isSorted?: boolean;
  /** On a phone, the line of a row that has the cell, with words after it. Other cells are hidden there. */
  readonly line?: 1 | 2;
  readonly after?: string;
}

type Cell = Html | string | undefined;

interface DataTable {
  /** Names the table in the page's source, for programs that read it. */
  readonly id: string;
  /** Names the table's region for a screen reader. */
  readonly label: string;
  readonly caption: string | Html;
  readonly columns: readonly Column[];
  /** The first cell of a row is its header. */
  readonly rows: readonly (readonly Cell[])[];
  readonly total?: readonly Cell[];
}

/**
 * Shows rows under a header. On a narrow page, nothing scrolls sideways: a row becomes two lines.
 */
export function dataTable({ id, label, caption, columns, rows, total }: DataTable): Html {
  const row = (cells: readonly Cell[]) =>
    html`<tr>${columns.map((column, index) => cellOf(column, cells[index], index === 0))}</tr>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table data-table="${id}">
<caption>${caption}</caption>
<thead><tr>${columns.map(headOf)}</tr></thead>
<tbody>${rows.map(row)}</tbody>
${total && html`<tfoot>${row(total)}</tfoot>`}
</table></div>`;
}

function headOf({ words, head, isSorted, ...column }: Column): Html {
  const sorted = isSorted ? html` aria-sort="descending"` : undefined;
  return html`<th scope="col"${classOf(column)}${sorted}>${head ?? words}</th>`;
}

function cellOf({ line, after, ...column }: Column, cell: Cell, isHeader: boolean): Html {
  if (isHeader) return html`<th scope="row"${classOf(column)}>${cell}</th>`;
  const lines = line && html` data-line="${line}"${after && html` data-after="${after}"`}`;
  return html`<td${classOf(column)}${lines}><div>${cell}</div></td>`;
}

function classOf({ isNumber, isTyped }: Pick<Column, 'isNumber' | 'isTyped'>): Html | undefined {
  if (isNumber) return html` class="number"`;
  return isTyped && html` class="typed"`;
}

/** Shows shares of a whole as a bar, without words. `of` names the colour. */
export function meter(parts: readonly { readonly share: number; readonly of?: string }[]): Html {
  const bars = parts.map(({ share, of }) => {
    const width = Math.max(0, Math.min(100, Math.round(share * 1000) / 10));
    return html`<i${of && html` class="${of}"`} style="width:${width}%"></i>`;
  });
  return html`<span class="meter" aria-hidden="true">${bars}</span>`;
}

/** Grouping and sort order of the results table. */
export interface ResultsChoice {
  readonly by?: YieldPart | undefined;
  readonly sort: ResultsColumn;
}

type ResultsColumn = (typeof COLUMNS)[number]['name'];

const COLUMNS = [
  { name: 'credits', words: 'Credits', line: 1 },
  { name: 'charges', words: 'Paid lookups', line: 2, after: ' paid' },
  { name: 'matchRate', words: 'Match rate', line: 2, after: ' matched' },
  { name: 'wastedCredits', words: 'Credits, no match' },
  { name: 'filledFields', words: 'Fields filled' },
  { name: 'costPerFilledField', words: 'Credits per field', line: 2, after: ' a field' },
] as const satisfies readonly (Pick<Column, 'words' | 'line' | 'after'> & {
  readonly name: keyof SpendYield;
})[];

/** Reads `by` and `sort`. An empty parameter counts as absent. */
export function parseResultsChoice({
  by,
  sort,
}: Query): ({ readonly kind: 'choice' } & ResultsChoice) | RefusedQuery {
  const part = YIELD_PARTS.find((each) => each === by);
  if (by && !part)
    return refusedQuery('unknown-choice', { parameter: 'by', choices: YIELD_PARTS.join(', ') });
  const names = COLUMNS.map(({ name }) => name);
  const column = sort ? names.find((each) => each === sort) : 'credits';
  if (!column) return refusedQuery('unknown-choice', { parameter: 'sort', choices: names.join(', ') });
  return { kind: 'choice', by: part, sort: column };
}

/**
 * Shows what the credits bought, by purpose, source, rule or operation. A click on a column sorts by it, the highest
 * value first. A click on a row opens its paid lookups.
 */
export function resultsTable(report: SpendReport, choice: ResultsChoice, links: Links): Html {
  const { yields, selection, isPicked } = report;
  const { by = 'purpose', sort } = choice;
  const query = isPicked ? selectionQuery(selection) : {};
  const tabs = YIELD_PARTS.filter((part) => part === by || yields[part].length > 0).map((part) =>
    part === by
      ? html`<b aria-current="true">${HEADS[part]}</b>`
      : links.to(
          'spend',
          { ...query, by: part, sort },
          { words: HEADS[part], label: `by ${part}`, at: 'results' },
        ),
  );
  const columns = COLUMNS.map(({ name, ...column }): Column => {
    const isSorted = name === sort;
    const text = { words: column.words, label: `sort by ${column.words}`, at: 'results' };
    const head = isSorted ? html`${column.words} ▾` : links.to('spend', { ...query, by, sort: name }, text);
    return { ...column, isNumber: true, head, isSorted };
  });
  const rows = yields[by].toSorted((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1));
  const table =
    rows.length === 0
      ? html`<p class="muted" data-none="${by}">No credits spent ${inSelection(selection)}.</p>`
      : dataTable({
          id: 'results',
          label: `Results by ${by}`,
          caption: html`<span class="unseen">What the credits bought, by ${by}</span>`,
          columns: [{ words: HEADS[by], isTyped: true }, ...columns],
          rows: rows.map((row) => resultsRow(row, { report, by, links })),
          total: totalRow(report, links),
        });
  return html`<section class="panel" aria-labelledby="results">
<div class="head"><h2 id="results">What the credits bought</h2><nav class="tabs" aria-label="Group the credits by">${tabs}</nav></div>
${table}
</section>`;
}

const HEADS: Readonly<Record<YieldPart, string>> = {
  purpose: 'Purpose',
  source: 'Source',
  rule: 'Rule',
  operation: 'Operation',
};

/** Names of the parameter of a selection that filters by a part. */
const FILTERS = { purpose: 'purpose', source: 'askedBy', rule: 'rule', operation: 'operation' } as const;

/** Returns the text in the first column. */
function partWords(by: YieldPart, name: string): string {
  if (by === 'rule') return name;
  return by === 'source' ? askerLabel(name) : label(name);
}

function resultsRow(
  row: SpendYield,
  { report, by, links }: { readonly report: SpendReport; readonly by: YieldPart; readonly links: Links },
): Cell[] {
  const { name, credits, charges } = row;
  const words = partWords(by, name);
  const query = selectionQuery({ ...report.selection, [FILTERS[by]]: name });
  const text = { words, label: `${words}: ${counted(charges, 'paid lookup')}` };
  const colour = by === 'purpose' && PURPOSES.some((purpose) => purpose === name) ? `of-${name}` : undefined;
  const share = report.selected.credits === 0 ? 0 : credits / report.selected.credits;
  return [
    html`${colour && html`<i class="swatch ${colour}"></i>`}${charges === 0 ? words : links.to('charges', query, text)}`,
    html`${figure(credits)}${moneyFor(credits, report)}${meter([{ share, ...(colour && { of: colour }) }])}`,
    ...resultCells(row, report),
  ];
}

/** Shows the sum of all rows, which leads to all their paid lookups. */
function totalRow(report: SpendReport, links: Links): Cell[] {
  const { total, selection } = report;
  const text = { words: 'Total', label: `Total: ${counted(total.charges, 'paid lookup')}` };
  return [
    links.to('charges', selectionQuery(selection), text),
    html`${figure(total.credits)}${moneyFor(total.credits, report)}<span class="meter" style="visibility:hidden"></span>`,
    ...resultCells(total, report),
  ];
}

function resultCells(
  { charges, matchRate, wastedCredits, filledFields, costPerFilledField: cost }: Results,
  report: SpendReport,
): Cell[] {
  return [
    figure(charges),
    matchRate === undefined ? undefined : percent(matchRate),
    `${figure(wastedCredits)}${moneyFor(wastedCredits, report)}`,
    filledFields === undefined ? undefined : figure(filledFields),
    cost === undefined ? undefined : `${withHundredths(cost)}${moneyFor(cost, report)}`,
  ];
}

/** Shows the chart's figures and stops as folded tables, newest day first. */
export function chartTables(report: SpendReport, links: Links): Html {
  const { byDay, selection, stopDays = [], timeZone } = report;
  const days = byDay.toReversed().map(({ day, count, credits }) => {
    const query = selectionQuery({ ...selection, from: day, to: day });
    const text = { words: figure(count), label: `${weekday(day)}: ${counted(count, 'paid lookup')}` };
    return [weekday(day), count === 0 ? '0' : links.to('charges', query, text), figure(credits)];
  });
  const stops = dataTable({
    id: 'stops',
    label: 'Stops',
    caption: 'Stops. The end is when the stop was last seen',
    columns: [
      { words: 'Day' },
      { words: 'From', line: 1 },
      { words: 'Seen until' },
      { words: 'Why', line: 2 },
    ],
    rows: stopDays.map(({ day, fromMs, toMs, what }) => [
      ...[weekday(day), instant(fromMs, timeZone), instant(toMs, timeZone), what],
    ]),
  });
  return html`<details class="fold"><summary>Show as table</summary>
${dataTable({
  id: 'days',
  label: 'Credits by day',
  caption: `${counted(byDay.length, 'day')}, newest first`,
  columns: [
    { words: 'Day' },
    { words: 'Paid lookups', isNumber: true, line: 2, after: ' paid' },
    { words: 'Credits', isNumber: true, line: 1 },
  ],
  rows: days,
})}
${stopDays.length > 0 ? stops : undefined}
</details>`;
}

/** Shows every budget with its used and remaining credits and its next reset. */
export function budgetTable({ budgets, timeZone }: SpendReport): Html {
  if (budgets.length === 0)
    return html`<p id="no-budget">No budget is set. Without a budget for all spend, nothing is spent.</p>`;
  return dataTable({
    id: 'budgets',
    label: 'Budgets',
    caption: 'Credits. Spent credits, and those of requests in progress or with an unknown outcome, are used',
    columns: [
      { words: 'Budget' },
      { words: 'Used', isNumber: true, line: 2, after: ' used' },
      { words: 'Limit', isNumber: true },
      { words: 'Left', isNumber: true, line: 1 },
      { words: 'Kept for leads', isNumber: true },
      { words: 'Resets', isNumber: true, line: 2 },
    ],
    rows: budgets.map(({ budget, usedCredits, limitCredits, leftCredits, keptCredits = 0, resetsAtMs }) => [
      budgetLabel(budget),
      figure(usedCredits),
      figure(limitCredits),
      figure(leftCredits),
      figure(keptCredits),
      instant(resetsAtMs, timeZone),
    ]),
  });
}

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
