import { counted, figure, type Html, html, instant } from '#shared/kernel';
import type { OpenDoubt, SpendReport } from '../report.ts';
import { stopTimes } from '../stop-words.ts';
import { budgetLabel, label } from './labels.ts';
import { commandCode, type Links } from './links.ts';

/** Shows stops above all figures: the reason, the setting that causes it, the waiting records, and what to do. */
export function stopNotice({ stops, generatedAtMs, timeZone }: SpendReport): Html | undefined {
  if (stops.length === 0) return undefined;
  return html`<section class="notice" aria-labelledby="stops">
<h2 id="stops">${stops.every(({ kind }) => kind === 'ledger-broken') ? 'Broken' : 'Stopped'}</h2>
<ul>${stops.map(
    (
      stop,
    ) => html`<li data-stop="${stop.kind}"><b>${stop.what}</b> ${stopTimes(stop, generatedAtMs, timeZone)}
<br><b>What to do:</b> ${stop.setting && html`<code>${stop.setting}</code>: `}${stop.whatToDo}</li>`,
  )}</ul>
</section>`;
}

/** Shows whether credits are real. */
export function serviceBadge({ service }: SpendReport): Html | undefined {
  if (!service) return undefined;
  return service === 'real'
    ? html`<span class="badge real" data-service="real">REAL credits</span>`
    : html`<span class="badge" data-service="stand-in">stand-in: no real credits</span>`;
}

/** Shows instructions instead of zeros before the first lookup. */
export function emptyNotice({ stops }: SpendReport, links: Links): Html {
  return html`<section class="panel" aria-labelledby="empty">
<h2 id="empty">Nothing was looked up yet</h2>
<p><b>What to do next:</b> ${stops.length > 0 ? 'follow the notice above. Then create' : 'create'} a contact with an address or a profile page in HubSpot; it
is enriched within minutes. Or look up an existing contact: ${commandCode(links, 'enrich contacts/ID')}. To see the cost of a whole portal
first: ${commandCode(links, 'backfill quote --objects contacts')}.</p>
</section>`;
}

/** Maximum number of doubts that are shown unfolded. */
const DOUBTS_IN_SIGHT = 3;

/** Shows doubts before the figures. Only they can cause a difference to the bill, and a person must act. */
export function doubtNotice(report: SpendReport, links: Links): Html | undefined {
  const { openDoubts, doubtfulCredits, timeZone } = report;
  const count = openDoubts.length;
  if (count === 0) return undefined;
  const noun = count === 1 ? 'request has' : 'requests have';
  return html`<section class="notice" aria-labelledby="doubts">
<h2 id="doubts">${figure(count)} ${noun} an unknown outcome: ${counted(doubtfulCredits, 'credit')} in doubt</h2>
<p>No usable answer came: the connection was lost, or the data service failed. So each may or may not have been charged. Until
that is settled they count against the budget, and the same question is not asked again.</p>
<p><b>What to do:</b> look for each in the data service's own usage list by its time and operation, then settle it with
${commandCode(links, 'doubts resolve KEY --charged --note "how you know"')}, or <code>--not-charged</code>.</p>
<details${openDoubts.length <= DOUBTS_IN_SIGHT ? OPEN : undefined}>
<summary>Which ones</summary>
<table data-table="doubts">
<caption>${counted(openDoubts.length, 'open doubt')}, oldest first; credits at most</caption>
<thead><tr><th scope="col">Asked</th><th scope="col">Request</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>${openDoubts.map((doubt) => doubtRow(doubt, timeZone))}</tbody>
</table>
</details>
</section>`;
}

/** Shows doubts that were booked as charged. They count as spent, so the bill may be lower by their credits. */
export function bookedDoubtNotice({ bookedDoubts, timeZone }: SpendReport, links: Links): Html | undefined {
  if (!bookedDoubts || bookedDoubts.doubts.length === 0) return undefined;
  const { doubts, credits, isMore } = bookedDoubts;
  return html`<section class="notice" aria-labelledby="booked-doubts">
<h2 id="booked-doubts">${isMore ? 'At least ' : ''}${counted(doubts.length, 'request')} without an answer ${doubts.length === 1 ? 'was' : 'were'} booked as charged: ${counted(credits, 'credit')}</h2>
<p>The policy booked them for their age, without a proof. They count as spent, and the bill may be lower by these credits.</p>
<p><b>What to do:</b> look for each in the data service's own usage list, then settle it with
${commandCode(links, 'doubts resolve KEY --charged --note "how you know"')}, or <code>--not-charged</code>.</p>
<details${doubts.length <= DOUBTS_IN_SIGHT ? OPEN : undefined}>
<summary>Which ones</summary>
<table data-table="booked-doubts">
<caption>Booked as charged, oldest first</caption>
<thead><tr><th scope="col">Asked</th><th scope="col">Request</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>${doubts.map((doubt) => doubtRow({ ...doubt, amountCredits: doubt.credits, atMs: doubt.sentAtMs }, timeZone))}</tbody>
</table>
</details>
</section>`;
}

/** Shows overdrawn budgets. A charge that is proved late is booked even if it exceeds a limit. */
export function overdrawnNotice({ budgets }: SpendReport): Html | undefined {
  const overdrawn = budgets.filter(({ leftCredits }) => leftCredits < 0);
  if (overdrawn.length === 0) return undefined;
  return html`<section class="notice" aria-labelledby="over">
<h2 id="over">Over budget</h2>
<ul>${overdrawn.map(({ budget, leftCredits }) => html`<li>${budgetLabel(budget)}: ${counted(-leftCredits, 'credit')} over.</li>`)}</ul>
<p>Nothing more is spent from it before it resets. This happens when a limit is lowered, or when a charge is proved after
its reservation had been given up.</p>
</section>`;
}

const OPEN = html` open`;

function doubtRow(
  { questionKey, operation, purpose, amountCredits, atMs }: Omit<OpenDoubt, 'id' | 'day'>,
  timeZone: string,
): Html {
  return html`<tr><td>${instant(atMs, timeZone)}</td><td>${label(operation)} · ${label(purpose)}<br><code>${questionKey}</code></td><td class="number">${figure(amountCredits)}</td></tr>`;
}
