import { counted, figure, type Html, html, withHundredths } from '#shared/kernel';
import { type RefusedQuery, refusedQuery } from '../query-refusals.ts';
import type { SpendReport } from '../report.ts';
import { type Query, selectionQuery } from '../selection.ts';
import { type SpendYield, YIELD_PARTS, type YieldPart } from '../yields.ts';
import { type Column, dataTable } from './data-table.ts';
import { askerLabel, label } from './labels.ts';
import type { Links } from './links.ts';
import { moneyFor } from './money.ts';
import { inSelection } from './selection-words.ts';

/** Grouping and sort order of the results table. */
export interface YieldChoice {
  readonly by?: YieldPart | undefined;
  readonly sort: YieldColumn;
}

type YieldColumn = (typeof COLUMNS)[number][0];

const COLUMNS = [
  ['credits', 'Credits'],
  ['charges', 'Charges'],
  ['matches', 'Matches'],
  ['wastedCredits', 'Credits without a match'],
  ['filledFields', 'Fields filled'],
  ['costPerFilledField', 'Credits per filled field'],
] as const satisfies readonly (readonly [keyof SpendYield, string])[];

/** Reads `by` and `sort`. An empty parameter counts as absent. */
export function parseYieldChoice({
  by,
  sort,
}: Query): ({ readonly kind: 'choice' } & YieldChoice) | RefusedQuery {
  const part = YIELD_PARTS.find((each) => each === by);
  if (by && !part)
    return refusedQuery('unknown-choice', { parameter: 'by', choices: YIELD_PARTS.join(', ') });
  const names = COLUMNS.map(([name]) => name);
  const column = sort ? names.find((each) => each === sort) : 'credits';
  if (!column) return refusedQuery('unknown-choice', { parameter: 'sort', choices: names.join(', ') });
  return { kind: 'choice', by: part, sort: column };
}

/**
 * Shows credits, matches and filled fields side by side. A click on a column sorts by this column, the highest value
 * first.
 */
export function yieldTable(report: SpendReport, choice: YieldChoice, links: Links): Html | undefined {
  const { yields, selection, isPicked } = report;
  const by = choice.by ?? YIELD_PARTS.find((part) => yields[part].length > 0);
  if (!by) return undefined;
  const query = isPicked ? selectionQuery(selection) : {};
  const rows = yields[by].toSorted((a, b) => (b[choice.sort] ?? -1) - (a[choice.sort] ?? -1));
  return html`<section class="panel" aria-labelledby="yields">
<div class="head"><h2 id="yields">Credits and results</h2><p class="ways">By ${YIELD_PARTS.map((part) => html`${part === by ? html`<b>${part}</b>` : links.to('spend', { ...query, by: part, sort: choice.sort }, { words: part, label: `by ${part}` })} `)}</p></div>
${rows.length === 0 ? html`<p class="muted">There are no results by ${by} ${inSelection(selection)}.</p>` : resultsTable(rows, { report, by, sort: choice.sort, query, links })}
</section>`;
}

interface ResultsTable {
  readonly report: SpendReport;
  readonly by: YieldPart;
  readonly sort: YieldColumn;
  readonly query: Query;
  readonly links: Links;
}

function resultsTable(rows: readonly SpendYield[], { report, by, sort, query, links }: ResultsTable): Html {
  const columns = COLUMNS.map(([column, words]): Column => {
    const isSorted = column === sort;
    const said = { words, label: `sort by ${words}` };
    const head = isSorted ? html`${words} ▾` : links.to('spend', { ...query, by, sort: column }, said);
    return { words, isNumber: true, head, isSorted };
  });
  return dataTable({
    id: 'yields',
    label: `Results by ${by}`,
    caption: `${inSelection(report.selection)}. Credits count on the day of the request, fields on the day the run ended.`,
    columns: [{ words: HEADS[by], isTyped: true }, ...columns],
    rows: rows.map((row) => yieldRow(row, { report, by, links })),
  });
}

const HEADS: Readonly<Record<YieldPart, string>> = {
  rule: 'Rule',
  purpose: 'Purpose',
  source: 'Source',
};

/** Returns the text in the first column. */
function partWords(by: YieldPart, name: string): string {
  if (by === 'rule') return name;
  return by === 'purpose' ? label(name) : askerLabel(name);
}

function yieldRow(
  row: SpendYield,
  { report, by, links }: Pick<ResultsTable, 'report' | 'by' | 'links'>,
): (Html | string)[] {
  const { name, credits, charges, matches, wastedCredits, filledFields, costPerFilledField: cost } = row;
  const isKnown = report.brought !== undefined;
  const words = partWords(by, name);
  const linkWords = { words: figure(charges), label: `${counted(charges, 'charge')}: ${words}` };
  const filter = by === 'source' ? 'askedBy' : by;
  const query = selectionQuery({ ...report.selection, [filter]: name });
  const chargesLink = charges === 0 ? '0' : links.to('charges', query, linkWords);
  return [
    words,
    `${figure(credits)}${moneyFor(credits, report)}`,
    chargesLink,
    figure(matches),
    `${figure(wastedCredits)}${moneyFor(wastedCredits, report)}`,
    isKnown ? figure(filledFields) : '–',
    isKnown && cost !== undefined ? `${withHundredths(cost)}${moneyFor(cost, report)}` : '–',
  ];
}
