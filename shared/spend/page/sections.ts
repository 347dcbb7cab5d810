import { budgetList } from '../budget-list.ts';
import { counted } from '../figures.ts';
import type { SpendReport } from '../report.ts';
import { backfillTable } from './backfill-table.ts';
import { crossingTable } from './crossing-table.ts';
import { dayChart } from './day-chart.ts';
import { type Html, html } from './html.ts';
import { doubtNotice, emptyNotice, overdrawnNotice, stopNotice } from './notices.ts';
import { dayTable, shareTable } from './tables.ts';
import { tiles } from './tiles.ts';
import { waitingTable } from './waiting-table.ts';

/** All of the report but what belongs to the place where it is shown. */
export function spendSections(report: SpendReport): Html {
  if (report.isEmpty)
    return html`${stopNotice(report)}${emptyNotice(report)}${waitingTable(report)}${budgetList(report)}`;
  return html`${stopNotice(report)}
${doubtNotice(report)}
${overdrawnNotice(report)}
${tiles(report)}
${dayPanel(report)}
${waitingTable(report)}
${backfillTable(report)}
${budgetList(report)}
${crossingTable(report)}
<div class="pair">
${shareTable({ shares: report.byOperation, heading: 'By operation', column: 'Operation', month: report.month })}
<div class="stack">
${shareTable({ shares: report.byPurpose, heading: 'By purpose', column: 'Purpose', month: report.month })}
${shareTable({ shares: report.byOutcome, heading: 'By outcome', column: 'Outcome', month: report.month })}
</div>
</div>`;
}

function dayPanel({ byDay, budgets }: SpendReport): Html {
  const limit = budgets.find(({ budget }) => budget === 'total/day');
  const credits = byDay.reduce((sum, day) => sum + day.credits, 0);
  return html`<section class="panel" aria-labelledby="days">
<div class="head"><h2 id="days">Last ${byDay.length} days</h2><p class="muted">total: ${counted(credits, 'credit')}</p></div>
${dayChart({ days: byDay, limit })}
${dayTable(byDay)}
</section>`;
}
