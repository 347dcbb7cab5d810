import { type Html, html, instant, monthOfDay } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { isWholeMonth, selectionQuery } from '../selection.ts';
import { framed, type Shown } from './frame.ts';
import { type Links, pageLinks } from './links.ts';
import { serviceBadge } from './notices.ts';
import { homeLink } from './record-search.ts';
import { type PageChoice, spendSections } from './sections.ts';
import { selectionWords } from './selection-words.ts';

/** Renders the report as a page. */
export function spendPage(report: SpendReport): string {
  return framed(reportView(report, pageLinks('', {})));
}

export function reportView(report: SpendReport, links: Links, choice?: PageChoice): Shown {
  const { account, selection, isPicked, generatedAtMs, timeZone } = report;
  const words = selectionWords(selection);
  const query = selectionQuery(selection);
  return {
    heading: 'Credit spend',
    of: words,
    about: html`${serviceBadge(report)} ${words} · account ${account}<br>As of ${instant(generatedAtMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('charges', query, { words: 'Charges' })}
${links.to('records', query, { words: 'Most expensive records' })}
${links.to('waiting', {}, { words: 'Waiting records' })}
${links.to('review', {}, { words: 'Review' })}
${homeLink(links)}
${isWholeMonth(selection) ? links.file('spend/statement.csv', { month: monthOfDay(selection.from) }, 'Statement of the month (CSV)') : undefined}
${links.file('spend/charges.csv', query, 'All charges (CSV)')}
${links.file('spend.csv', query, 'Sums by day (CSV)')}
${links.file('spend.json', isPicked ? query : {}, 'This report (JSON)')}`,
    main: spendSections(report, links, choice),
    footer: footer(report),
  };
}

function footer({ isPicked }: SpendReport): Html {
  return html`<footer>
<h2>How to read these figures</h2>
<p><b>Spent</b> is what the data service has charged for, booked to the day on which the request was made
(a charge proved late: to the day of the proof). <b>Under way</b> and <b>in doubt</b> are counted at their worst case; they take from the budgets, and are not yet spent.</p>
${
  isPicked
    ? undefined
    : html`<p><b>The forecast</b> adds to the month's spend what the waiting records need at the average price, and what leads
used each day on average, over the last 28 days. It exceeds no budget.</p>`
}
</footer>`;
}
