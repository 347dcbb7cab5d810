import { counted, type Html, html } from '#shared/kernel';
import { budgetList } from '../budget-list.ts';
import type { SpendReport } from '../report.ts';
import { selectionQuery } from '../selection.ts';
import { backfillTable } from './backfill-table.ts';
import { balanceForm } from './balance-form.ts';
import { dayChart } from './day-chart.ts';
import type { Links } from './links.ts';
import { moneyFor } from './money.ts';
import { bookedDoubtNotice, doubtNotice, emptyNotice, overdrawnNotice, stopNotice } from './notices.ts';
import { picker } from './picker.ts';
import { recordSearch } from './record-search.ts';
import { inSelection, UNNAMED_NOT_INCLUDED } from './selection-words.ts';
import { stopTable } from './stop-table.ts';
import { dayTable, shareTable } from './tables.ts';
import { tiles } from './tiles.ts';
import { waitingTable } from './waiting-table.ts';
import { type YieldChoice, yieldTable } from './yield-table.ts';

/** A person's choices in addition to the selection. */
export interface PageChoice extends YieldChoice {
  /** Balance at the data service, as a person typed it. */
  readonly balance?: number | undefined;
}

/** Renders all sections of the report. The page and the widget add their own frame. */
export function spendSections(
  report: SpendReport,
  links: Links,
  { balance, ...choice }: PageChoice = { sort: 'credits' },
): Html {
  if (report.isEmpty)
    return html`${stopNotice(report)}${emptyNotice(report, links)}${waitingTable(report, links)}${budgetList(report)}`;
  return html`${stopNotice(report)}
${doubtNotice(report, links)}
${bookedDoubtNotice(report, links)}
${overdrawnNotice(report)}
${tiles(report)}
${dayPanel(report, links)}
${shareTables(report, links)}
${yieldTable(report, choice, links)}
${waitingTable(report, links)}
${backfillTable(report)}
${budgetList(report)}
${balanceForm(report, balance, links)}
${recordSearch(links)}`;
}

function dayPanel(report: SpendReport, links: Links): Html {
  const { byDay, today, budgets, isPicked, selection, selected, lacksUnnamed } = report;
  const limit = budgets.find(({ budget }) => budget === 'total/day');
  return html`<section class="panel" aria-labelledby="days">
<div class="head"><h2 id="days">Spend ${inSelection(selection)}</h2><p class="muted" data-figure="total">total: ${counted(selected.credits, 'credit')}${moneyFor(selected.credits, report)}, ${counted(selected.count, 'charge')}</p></div>
${picker({ selection, view: 'spend', today, links })}
${lacksUnnamed ? html`<p class="muted" id="unnamed">${UNNAMED_NOT_INCLUDED}</p>` : undefined}
${isPicked ? html`<p class="muted">Notices, waiting records, backfills and budgets are as of now.</p>` : undefined}
${dayChart({
  days: byDay,
  limit,
  stoppedDays: new Set(report.stopDays?.map(({ day }) => day)),
  hrefOf: (day) => links.address?.('charges', selectionQuery({ ...selection, from: day, to: day })),
})}
${stopTable(report)}
${dayTable(report, links)}
</section>`;
}

function shareTables(spend: SpendReport, links: Links): Html {
  const { byOperation, byPurpose, byOutcome } = spend;
  return html`<div class="pair">
${shareTable({ shares: byOperation, heading: 'By operation', by: 'operation', spend, links })}
<div class="stack">
${shareTable({ shares: byPurpose, heading: 'By purpose', by: 'purpose', spend, links })}
${shareTable({ shares: byOutcome, heading: 'By outcome', by: 'outcome', spend, links })}
</div>
</div>`;
}
