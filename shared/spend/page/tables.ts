import { counted, figure, longMonth, percent, weekday } from '../figures.ts';
import type { DaySpend, Share } from '../selected-spend.ts';
import { type Html, html } from './html.ts';
import { label } from './labels.ts';

export interface ShareTable {
  readonly shares: readonly Share[];
  readonly heading: string;
  /** Heading of the first column. */
  readonly column: string;
  readonly month: string;
}

/** A month's credits divided up, with a thin bar under each name. */
export function shareTable({ shares, heading, column, month }: ShareTable): Html {
  return html`<section class="panel">
<h2>${heading}</h2>
${shares.length === 0 ? html`<p class="muted">Nothing was spent in ${longMonth(month)}.</p>` : filledTable({ shares, column, month })}
</section>`;
}

function filledTable({ shares, column, month }: Omit<ShareTable, 'heading'>): Html {
  return html`<table>
<caption>Credits in ${longMonth(month)}</caption>
<thead><tr><th scope="col">${column}</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Credits</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${shares.map(shareRow)}</tbody>
<tfoot><tr><th scope="row">In all</th><td class="number">${figure(total(shares, 'count'))}</td><td class="number">${figure(total(shares, 'credits'))}</td><td></td></tr></tfoot>
</table>`;
}

function shareRow({ name, credits, count, share }: Share): Html {
  const width = Math.round(share * 1000) / 10;
  return html`<tr><th scope="row">${label(name)}<svg class="thin" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="fill" width="${width}" height="1"/></svg></th><td class="number">${figure(count)}</td><td class="number">${figure(credits)}</td><td class="number">${percent(share)}</td></tr>`;
}

/** The chart's figures, newest first, folded away. */
export function dayTable(days: readonly DaySpend[]): Html {
  return html`<details>
<summary>All figures by day</summary>
<table>
<caption>${counted(days.length, 'day')}, newest first</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>${days.toReversed().map(dayRow)}</tbody>
</table>
</details>`;
}

function dayRow({ day, credits, count }: DaySpend): Html {
  return html`<tr><th scope="row">${weekday(day)}</th><td class="number">${figure(count)}</td><td class="number">${figure(credits)}</td></tr>`;
}

function total(shares: readonly Share[], of: 'credits' | 'count'): number {
  return shares.reduce((sum, share) => sum + share[of], 0);
}
