import { budgetList } from './budget-list.ts';
import { dayChart } from './day-chart.ts';
import { monthBefore } from './days.ts';
import { counted, instant, longMonth, withTenths } from './figures.ts';
import { type Html, html } from './html.ts';
import { doubtNotice, overdrawnNotice } from './notices.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { SpendReport } from './report.ts';
import { dayTable, shareTable } from './tables.ts';
import { tiles } from './tiles.ts';

/** The report as one HTML document that needs nothing else: no script, no font, no picture, no other file. */
export function spendPage(report: SpendReport): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Credit spend, ${longMonth(report.month)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${header(report)}
<main>
${doubtNotice(report)}
${overdrawnNotice(report)}
${tiles(report)}
${dayPanel(report)}
${budgetList(report)}
<div class="pair">
${shareTable({ shares: report.byOperation, heading: 'By operation', column: 'Operation', month: report.month })}
<div class="stack">
${shareTable({ shares: report.byPurpose, heading: 'By purpose', column: 'Purpose', month: report.month })}
${shareTable({ shares: report.byOutcome, heading: 'By outcome', column: 'Outcome', month: report.month })}
</div>
</div>
</main>
${footer(report)}
</body>
</html>
`.markup;
}

function header({ account, month, generatedAtMs, timeZone }: SpendReport): Html {
  const before = monthBefore(month);
  return html`<header>
<div>
<h1>Credit spend</h1>
<p class="muted">${longMonth(month)} · account ${account}<br>As of ${instant(generatedAtMs, timeZone)} (${timeZone})</p>
</div>
<nav aria-label="Downloads">
<a href="spend.csv?month=${month}">${longMonth(month)} (CSV)</a>
<a href="spend.csv?month=${before}">${longMonth(before)} (CSV)</a>
<a href="spend.json">This report (JSON)</a>
</nav>
</header>`;
}

function dayPanel({ byDay, today, budgets }: SpendReport): Html {
  const limit = budgets.find(({ budget }) => budget === 'total/day');
  const credits = byDay.reduce((sum, day) => sum + day.credits, 0);
  return html`<section class="panel" aria-labelledby="days">
<div class="head"><h2 id="days">Last ${byDay.length} days</h2><p class="muted">${counted(credits, 'credit')} in all</p></div>
${dayChart({ days: byDay, today, limit })}
${dayTable(byDay)}
</section>`;
}

function footer(report: SpendReport): Html {
  const { elapsedDays, paceCreditsPerDay, daysInMonth, month } = report;
  return html`<footer>
<h2>How to read these figures</h2>
<p><b>Spent</b> is what the data service has charged for, booked to the day on which the request was made
(a charge proved late: to the day of the proof). <b>Under way</b> and <b>in doubt</b> are counted at their worst case; they take from the budgets, and are not yet spent.</p>
<p><b>The forecast</b> is a straight line: the month's spend over the ${withTenths(elapsedDays)} days gone by is
${withTenths(paceCreditsPerDay)} credits a day, times the ${daysInMonth} days of ${longMonth(month)}.</p>
</footer>`;
}
