import { monthBefore } from '../days.ts';
import { counted, instant, longMonth, withTenths } from '../figures.ts';
import type { SpendReport } from '../report.ts';
import { type Html, html } from './html.ts';
import { serviceBadge } from './notices.ts';
import { PAGE_STYLE } from './page-style.ts';
import { spendSections } from './sections.ts';

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
${spendSections(report)}
</main>
${footer(report)}
</body>
</html>
`.markup;
}

function header(report: SpendReport): Html {
  const { account, month, generatedAtMs, timeZone } = report;
  const before = monthBefore(month);
  return html`<header>
<div>
<h1>Credit spend ${serviceBadge(report)}</h1>
<p class="muted">${longMonth(month)} · account ${account}<br>As of ${instant(generatedAtMs, timeZone)} (${timeZone})</p>
</div>
<nav aria-label="Downloads">
<a href="spend.csv?month=${month}">${longMonth(month)} (CSV)</a>
<a href="spend.csv?month=${before}">${longMonth(before)} (CSV)</a>
<a href="spend.json">This report (JSON)</a>
</nav>
</header>`;
}

function footer(report: SpendReport): Html {
  const { paceDays, paceCreditsPerDay } = report;
  return html`<footer>
<h2>How to read these figures</h2>
<p><b>Spent</b> is what the data service has charged for, booked to the day on which the request was made
(a charge proved late: to the day of the proof). <b>Under way</b> and <b>in doubt</b> are counted at their worst case; they take from the budgets, and are not yet spent.</p>
<p><b>The forecast</b> carries the pace of ${paceDays === 0 ? 'today' : `the last ${counted(paceDays, 'whole day')}`} on, by
weekday, with later days counting more: ${withTenths(paceCreditsPerDay)} credits a day in an ordinary week. Running backfills and
waiting imports come on top; no day and no month goes beyond its budget. Of ten such months eight should end within the range.</p>
</footer>`;
}
