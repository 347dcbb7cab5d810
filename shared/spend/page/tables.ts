import { counted, figure, type Html, html, percent, weekday } from '#shared/kernel';
import type { DaySpend, SelectedSpend, Share } from '../selected-spend.ts';
import { type Selection, selectionQuery } from '../selection.ts';
import { label } from './labels.ts';
import type { Links } from './links.ts';
import { inSelection } from './selection-words.ts';

export interface ShareTable {
  readonly shares: readonly Share[];
  readonly heading: string;
  /** The column that groups the credits. Each line's link filters by it. */
  readonly by: 'operation' | 'purpose' | 'outcome';
  readonly spend: Pick<SelectedSpend, 'selection' | 'selected'>;
  readonly links: Links;
}

/**
 * Shows a selection's credits, grouped by one column. Each name has a thin bar, and each figure links to its charges.
 */
export function shareTable(table: ShareTable): Html {
  const { shares, heading, spend } = table;
  return html`<section class="panel">
<h2>${heading}</h2>
${shares.length === 0 ? html`<p class="muted" data-none="${table.by}">Nothing was spent ${inSelection(spend.selection)}.</p>` : filledTable(table)}
</section>`;
}

function filledTable({ shares, by, spend: { selection, selected }, links }: ShareTable): Html {
  const rows = shares.map(({ name, ...share }) =>
    shareRow(share, {
      name: label(name),
      link: chargesOf({ ...selection, [by]: name }, links),
    }),
  );
  const total = chargesOf(selection, links)(selected.count, 'in all');
  return html`<table data-table="${by}">
<caption>Credits ${inSelection(selection)}</caption>
<thead><tr><th scope="col">${column(by)}</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Credits</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${rows}</tbody>
<tfoot><tr><th scope="row">Total</th><td class="number">${total}</td><td class="number">${figure(selected.credits)}</td><td></td></tr></tfoot>
</table>`;
}

type ChargesLink = (count: number, what: string) => Html;

function shareRow(
  { credits, count, share }: Omit<Share, 'name'>,
  { name, link }: { readonly name: string; readonly link: ChargesLink },
): Html {
  const width = Math.round(share * 1000) / 10;
  return html`<tr><th scope="row">${name}<svg class="thin" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="fill" width="${width}" height="1"/></svg></th><td class="number">${link(count, name)}</td><td class="number">${figure(credits)}</td><td class="number">${percent(share)}</td></tr>`;
}

function column(by: ShareTable['by']): string {
  return { operation: 'Operation', purpose: 'Purpose', outcome: 'Outcome' }[by];
}

/** Shows the chart's figures in a folded table, newest first. */
export function dayTable(
  { byDay, selection }: Pick<SelectedSpend, 'byDay' | 'selection'>,
  links: Links,
): Html {
  const rows = byDay.toReversed().map((spend) => {
    const link = chargesOf({ ...selection, from: spend.day, to: spend.day }, links);
    return dayRow(spend, link);
  });
  return html`<details>
<summary>All figures by day</summary>
<table data-table="days">
<caption>${counted(byDay.length, 'day')}, newest first</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>${rows}</tbody>
</table>
</details>`;
}

function dayRow({ day, credits, count }: DaySpend, link: ChargesLink): Html {
  const name = weekday(day);
  return html`<tr><th scope="row">${name}</th><td class="number">${link(count, name)}</td><td class="number">${figure(credits)}</td></tr>`;
}

/** Links a number of charges to their list. Zero has no link. */
function chargesOf(selection: Selection, links: Links): ChargesLink {
  return (count, what) => {
    const words = figure(count);
    if (count === 0) return html`${words}`;
    const said = { words, label: `${counted(count, 'charge')}: ${what}` };
    return links.to('charges', selectionQuery(selection), said);
  };
}
