import { counted, figure, type Html, html, instant } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { stopTimes } from '../stops.ts';
import { commandCode, homeLink, type Links } from './links.ts';
import { budgetLabel } from './words.ts';

interface Warning {
  /** Attribute that names the warning in the page's source, for programs that read it. */
  readonly name: Html;
  readonly isBad?: boolean;
  readonly words: Html | string;
  /** Shown after the words, such as the time. */
  readonly note: string;
  /** Shown when the warning is opened: what happened, and what to do. */
  readonly more: Html;
  readonly home?: Html | undefined;
}

/**
 * Shows a line for each stop, for requests with an unknown outcome, and for each overdrawn budget. A line opens to what a
 * person can do. Records that wait for the reserve for leads are no warning: the list of waiting records says so.
 */
export function warnings(report: SpendReport, links: Links): Html | undefined {
  const all = [
    ...stopWarnings(report),
    ...doubtWarnings(report, links),
    ...bookedDoubtWarnings(report, links),
    ...overdrawnWarnings(report),
  ];
  if (all.length === 0) return undefined;
  return html`<section class="panel warnings" aria-label="Warnings"><ul class="rows">${all.map(
    ({ name, isBad, words, note, more, home }) =>
      html`<li><details ${name} class="${isBad ? 'bad' : 'warn'}"><summary><b>${words}</b> <span class="muted">${note}</span></summary>
${more}</details>${home && html`<span>${home}</span>`}</li>`,
  )}</ul></section>`;
}

function stopWarnings({ stops, generatedAtMs, timeZone }: SpendReport): Warning[] {
  return stops
    .filter(({ kind }) => kind !== 'reserved-for-leads')
    .map((stop) => ({
      name: html`data-stop="${stop.kind}"`,
      isBad: true,
      words: stop.what,
      note: stopTimes(stop, generatedAtMs, timeZone),
      more: html`<p><b>What to do:</b> ${stop.setting && html`<code>${stop.setting}</code>: `}${stop.whatToDo}</p>`,
    }));
}

/** Only an open doubt can cause a difference to the bill, and a person must act. */
function doubtWarnings({ openDoubts, doubtfulCredits, timeZone }: SpendReport, links: Links): Warning[] {
  const [oldest] = openDoubts;
  if (!oldest) return [];
  const verb = openDoubts.length === 1 ? 'request has' : 'requests have';
  return [
    {
      name: html`data-warning="doubts"`,
      words: html`<span id="doubts">${figure(openDoubts.length)} ${verb} an unknown outcome: ${counted(doubtfulCredits, 'credit')} set aside</span>`,
      note: `since ${instant(oldest.atMs, timeZone)}`,
      more: html`<p>No usable answer came: the connection was lost, or the data service failed. So each may or may not have been charged. Until
that is settled they count against the budget, and the same question is not asked again.</p>
${settleAdvice(links)}`,
      home: homeLink(links, 'Decide in HubSpot'),
    },
  ];
}

/** Doubts that were booked as charged count as spent, so the bill may be lower by their credits. */
function bookedDoubtWarnings({ bookedDoubts }: SpendReport, links: Links): Warning[] {
  if (!bookedDoubts || bookedDoubts.doubts.length === 0) return [];
  const { doubts, credits, isMore } = bookedDoubts;
  return [
    {
      name: html`data-warning="booked-doubts"`,
      words: html`<span id="booked-doubts">${isMore ? 'At least ' : ''}${counted(doubts.length, 'request')} without an answer ${doubts.length === 1 ? 'was' : 'were'} booked as charged: ${counted(credits, 'credit')}</span>`,
      note: 'the bill may be lower',
      more: html`<p>The policy booked them for their age, without a proof. They count as spent, and the bill may be lower by these credits.</p>
${settleAdvice(links)}`,
    },
  ];
}

function settleAdvice(links: Links): Html {
  return html`<p><b>What to do:</b> look for each in the data service's own usage list by its time and operation. To list them: ${commandCode(links, 'doubts list')}.
To decide one: ${commandCode(links, 'doubts resolve KEY --charged --note "how you know"')}, or <code>--not-charged</code>.</p>`;
}

/** A charge that is proved late is booked even if it exceeds a limit. */
function overdrawnWarnings({ budgets }: SpendReport): Warning[] {
  return budgets
    .filter(({ leftCredits }) => leftCredits < 0)
    .map(({ budget, leftCredits }) => ({
      name: html`data-warning="overdrawn"`,
      words: `${budgetLabel(budget)}: ${counted(-leftCredits, 'credit')} over budget`,
      note: 'nothing more is spent before it resets',
      more: html`<p>This happens when a limit is lowered, or when a charge is proved after its reservation had been given up.</p>`,
    }));
}
