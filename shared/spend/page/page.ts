import { refusalSentence } from '#shared/credit-ledger';
import { nameOfKey } from '#shared/crm';
import {
  counted,
  dayAfter,
  dayOf,
  daysInMonth,
  figure,
  type Html,
  html,
  instant,
  longDay,
  longMonth,
  monthBefore,
  monthOfDay,
  percent,
  shortDay,
  weekday,
  withHundredths,
  wordingText,
} from '#shared/kernel';
import {
  endOfWait,
  isQueued,
  type RecordPlace,
  type RecordState,
  waitingWords,
  waitNow,
} from '#shared/records';
import { OWNERS } from '#shared/store';
import type { Charge, ChargePage } from '../charges.ts';
import { billOf, compareBalance } from '../compare-balance.ts';
import type { SpendReport } from '../report.ts';
import {
  isWholeMonth,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  type Spend,
  selectionQuery,
  weeksBefore,
  wholeMonth,
} from '../selection.ts';
import { stopTimes } from '../stops.ts';
import { comingDays, dayChart, purposesOf } from './chart.ts';
import {
  commandCode,
  framed,
  homeLink,
  type Links,
  pageLinks,
  recordLink,
  type Shown,
  type View,
} from './frame.ts';
import {
  ageWords,
  askerLabel,
  backfillPanel,
  budgetLabel,
  budgetTable,
  chartTables,
  dataTable,
  inSelection,
  label,
  meter,
  moneyFor,
  noCharge,
  parseResultsChoice,
  type ResultsChoice,
  resultsTable,
  selectionWords,
  timeOfDay,
  waitingPanel,
} from './tables.ts';

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
function warnings(report: SpendReport, links: Links): Html | undefined {
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

/** A person's choices in addition to the selection. */
export interface PageChoice extends ResultsChoice {
  /** Balance at the data service, as a person typed it. */
  readonly balance?: number | undefined;
  /** The day whose line is open: `2026-11-20`. */
  readonly day?: string | undefined;
}

/** Reads `by`, `sort`, `balance` and `day`. An empty parameter counts as absent. */
export function parsePageChoice(query: Query): ({ readonly kind: 'choice' } & PageChoice) | RefusedQuery {
  const results = parseResultsChoice(query);
  if (results.kind === 'refused') return results;
  const { balance, day } = query;
  if (balance && !/^\d{1,12}$/.test(balance)) return refusedQuery('not-credits', { parameter: 'balance' });
  if (day && !/^\d{4}-\d{2}-\d{2}$/.test(day)) return refusedQuery('not-a-day', { parameter: 'day' });
  return { ...results, day: day || undefined, balance: balance ? Number(balance) : undefined };
}

/** Renders the report as a page. */
export function spendPage(report: SpendReport): string {
  return framed(reportView(report, pageLinks('', {})));
}

export function reportView(
  report: SpendReport,
  links: Links,
  choice: PageChoice = { sort: 'credits' },
): Shown {
  const { account, selection, isPicked, generatedAtMs, timeZone, today } = report;
  const query = selectionQuery(selection);
  return {
    heading: 'Credit spend',
    of: selectionWords(selection),
    about: html`${serviceBadge(report)} ${ageWords(generatedAtMs, timeZone)}${account === OWNERS.buyer ? undefined : html` · account ${account}`}`,
    nav: html`${picker({ query, selection, view: 'spend', today, links })}
${exportMenu(selection, isPicked, links)}
${homeLink(links)}`,
    main: html`${warnings(report, links)}
${report.isEmpty ? emptyPanel(report, links) : spentPanel(report, links, choice)}
<div class="pair">
${waitingPanel(report, links)}
${backfillPanel(report, links)}
</div>
${report.isEmpty ? undefined : foot(report, links, choice)}`,
  };
}

function spentPanel(report: SpendReport, links: Links, choice: PageChoice): Html {
  return html`<section class="panel" aria-labelledby="spent">
${headline(report)}
${chartPart(report, links, choice)}
</section>
${resultsTable(report, choice, links)}`;
}

/** Shows instructions instead of zeros before the first lookup. */
function emptyPanel(report: SpendReport, links: Links): Html {
  const { stops, selection } = report;
  return html`<section class="panel" aria-labelledby="empty">
<h2 id="empty">No credits spent ${inSelection(selection)}</h2>
<p><b>What to do next:</b> ${stops.length > 0 ? 'follow the warning above. Then create' : 'create'} a contact with an address or a profile page in HubSpot; it
is enriched within minutes. Or look up an existing contact: ${commandCode(links, 'enrich contacts/ID')}. To see the cost of a whole portal
first: ${commandCode(links, 'backfill quote --objects contacts')}.</p>
${budgetTable(report)}
</section>`;
}

/** Shows whether credits are real. */
function serviceBadge({ service }: SpendReport): Html | undefined {
  if (!service) return undefined;
  const words = service === 'real' ? 'REAL credits' : 'stand-in: no real credits';
  return html`<span class="badge" data-service="${service}">${words}</span>`;
}

function exportMenu(selection: Selection, isPicked: boolean, links: Links): Html | undefined {
  const query = selectionQuery(selection);
  const charges = links.file('spend/charges.csv', query, 'Paid lookups (CSV)');
  if (!charges) return undefined;
  const month = monthOfDay(selection.from);
  const statement = isWholeMonth(selection)
    ? html`${links.to('statement', { month }, { words: `Statement of ${longMonth(month)}` })}<br>`
    : undefined;
  return html`<details class="menu"><summary>Export</summary><div>
${statement}${charges}<br>
${links.file('spend.csv', query, 'Days (CSV)')}<br>
${links.file('spend.json', isPicked ? query : {}, 'This report (JSON)')}
</div></details>`;
}

interface Picker {
  /** Parameters of the view. All except the range are kept. */
  readonly query: Query;
  readonly selection: Selection;
  /** The view that shows the picker. */
  readonly view: View;
  readonly today: string;
  readonly links: Links;
}

/** Shows the range with links to the months beside it, and a menu of weeks, months and own days. */
function picker({ query, selection: { from, to }, view, today, links }: Picker): Html {
  const { from: _, to: _to, month: _month, ...filters } = query;
  const monthNow = monthOfDay(today);
  const rangeLink = (range: Query, words: string, name?: string) =>
    links.to(view, { ...filters, ...range }, { words, ...(name !== undefined && { label: name }) });
  const month = (name: string) => (name === monthNow ? {} : { month: name });
  const step = (name: string, words: string) =>
    html`<span class="step">${rangeLink(month(name), words, longMonth(name))}</span>`;
  const shown = monthOfDay(from);
  const next = monthOfDay(dayAfter(wholeMonth(shown).to));
  const { last7Days, lastWeek } = weeksBefore(today);
  const kept = Object.entries(filters).map(([name, value]) =>
    value ? html`<input type="hidden" name="${name}" value="${value}">` : html``,
  );
  const fields = html`${kept}
${dayField('from', 'From', from)}
${dayField('to', 'To', to)}
`;
  return html`<div class="range">${step(monthBefore(shown), '‹')}
<details class="menu"><summary>${selectionWords({ from, to })}</summary><div>
${rangeLink({ ...last7Days }, 'Last 7 days')} · ${rangeLink({ ...lastWeek }, 'Last week')}<br>
${lastMonths(monthNow).map((name) => html`${rangeLink(month(name), longMonth(name))}<br>`)}
${links.form(view, { fields, button: 'Show' })}
</div></details>
${next > monthNow ? undefined : step(next, '›')}</div>`;
}

/** Number of months in the menu. */
const MONTHS = 3;

function lastMonths(month: string): string[] {
  const months = [month];
  while (months.length < MONTHS) months.push(monthBefore(months.at(-1) ?? ''));
  return months;
}

function dayField(name: string, words: string, value: string): Html {
  return html`<label>${words} <input type="date" name="${name}" value="${value}" required></label>`;
}

/** Shows the credits of the range in large type. For the present month, also its budget and forecast. */
function headline(report: SpendReport): Html {
  const { selection, selected, isPicked, today, month } = report;
  const budget = isPicked ? undefined : limitOf(report, 'total/month');
  const days = `, ${Number(today.slice(8))} of ${daysInMonth(month)} days`;
  const of = budget
    ? ` of ${counted(budget.limitCredits, 'credit')}`
    : ` ${selected.credits === 1 ? 'credit' : 'credits'}`;
  return html`<div class="figures">
<div data-figure="spent"><h2 id="spent">Spent ${inSelection(selection)}${isPicked ? '' : days}</h2>
<p class="big"><b>${figure(selected.credits)}</b>${of}${moneyFor(selected.credits, report)}</p></div>
<dl>${isPicked ? undefined : figuresOfNow(report)}${figuresOfRange(report)}</dl>
</div>
${budget && budgetBar(report, budget.limitCredits)}
${isPicked ? html`<p class="muted">Warnings, waiting records, backfills and budgets are as of now.</p>` : undefined}`;
}

/** @param id names the figure in the page's source, for programs that read it */
function figureOf(id: string, term: string, value: Html | string, note: string): Html {
  return html`<div data-figure="${id}"><dt>${term}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>`;
}

function limitOf({ budgets }: SpendReport, name: string) {
  return budgets.find(({ budget }) => budget === name);
}

function figuresOfNow(report: SpendReport): Html {
  const { spentTodayCredits, forecastMonthCredits: forecast } = report;
  const [ofDay, ofMonth] = [limitOf(report, 'total/day'), limitOf(report, 'total/month')];
  const today = html`${figure(spentTodayCredits)}${ofDay && html` <small>of ${figure(ofDay.limitCredits)}</small>`}`;
  return html`${figureOf('forecast', 'Forecast', figure(forecast), ofMonth ? outlook(ofMonth.limitCredits - forecast) : 'credits this month')}
${figureOf('spent-today', 'Today', today, ofDay ? todayNote(ofDay) : 'credits')}`;
}

function outlook(belowCredits: number): string {
  if (belowCredits === 0) return 'the whole budget';
  return `${counted(Math.abs(belowCredits), 'credit')} ${belowCredits < 0 ? 'above' : 'below'} budget`;
}

function todayNote({ leftCredits, keptCredits = 0 }: SpendReport['budgets'][number]): string {
  if (leftCredits < 0) return `${figure(-leftCredits)} over the budget`;
  if (keptCredits === 0 || leftCredits === 0) return `${figure(leftCredits)} left`;
  const kept = keptCredits >= leftCredits ? 'for leads only' : `${figure(keptCredits)} for leads only`;
  return `${figure(leftCredits)} left, ${kept}`;
}

function figuresOfRange({ total }: SpendReport): Html {
  const { matchRate, costPerFilledField: cost, wastedCredits, filledFields = 0 } = total;
  return html`${matchRate === undefined ? undefined : figureOf('match-rate', 'Match rate', percent(matchRate), `${counted(wastedCredits, 'credit')}, no match`)}
${cost === undefined ? undefined : figureOf('field-cost', 'Credits per field', withHundredths(cost), `${counted(filledFields, 'field')} filled`)}`;
}

function budgetBar(report: SpendReport, limitCredits: number): Html {
  const { spentMonthCredits, forecastMonthCredits, pendingCredits, doubtfulCredits } = report;
  const shareOf = (credits: number) => (limitCredits > 0 ? Math.min(1, credits / limitCredits) : 1);
  const [spent, forecast] = [shareOf(spentMonthCredits), shareOf(forecastMonthCredits)];
  const words = [
    `Spent ${percent(spent)}`,
    ...(pendingCredits > 0 ? [`${counted(pendingCredits, 'credit')} in progress`] : []),
    ...(doubtfulCredits > 0 ? [`${counted(doubtfulCredits, 'credit')} with an unknown outcome`] : []),
  ];
  return html`<div class="budget">${meter([{ share: spent }, { share: forecast - spent, of: 'expected' }])}
<p class="muted">${words.join('; ')}</p></div>`;
}

function chartPart(report: SpendReport, links: Links, { day }: PageChoice): Html {
  const { byDay, today, isPicked, selection, stopDays } = report;
  const { purpose } = selection;
  const query = isPicked ? selectionQuery(selection) : {};
  const limitCredits = limitOf(report, 'total/day')?.limitCredits;
  const coming = isPicked ? [] : comingDays(report, { lastDay: selection.to, limitCredits });
  const legend = purposesOf(byDay).map(({ purpose: each, credits }) => {
    const text = { words: label(each), label: `only ${label(each)}` };
    const name = each === purpose ? label(each) : links.to('spend', { ...query, purpose: each }, text);
    return html`<li><i class="swatch of-${each}"></i>${name} <b>${figure(credits)}</b></li>`;
  });
  const all =
    purpose &&
    html`<li>${links.to('spend', { ...query, purpose: undefined }, { words: 'All purposes' })}</li>`;
  return html`<div class="divided"><div class="head"><h2 id="days">Credits a day</h2><ul class="legend">${legend}${all || undefined}</ul></div>
${dayChart({
  days: byDay,
  today,
  coming,
  limitCredits,
  stops: stopDays,
  chosen: day,
  hrefOf: (each) => links.address && `${links.address('spend', { ...query, day: each })}#day`,
})}
${dayLine(report, links, day)}
${chartTables(report, links)}</div>`;
}

/** Shows the chosen day in words: its credits, its stops, and the way to its paid lookups. */
function dayLine(report: SpendReport, links: Links, day: string | undefined): Html | undefined {
  const { byDay, selection, isPicked, stopDays = [], timeZone } = report;
  const spend = byDay.find((each) => each.day === day);
  if (!day || !spend) return undefined;
  const stops = stopDays
    .filter((stop) => stop.day === day)
    .map(
      ({ fromMs, toMs, what }) =>
        html`<p><b class="warn">${timeOfDay(fromMs, timeZone)} to ${timeOfDay(toMs, timeZone)}:</b> ${what}</p>`,
    );
  const words = `Show ${counted(spend.count, 'paid lookup')}`;
  const query = selectionQuery({ ...selection, from: day, to: day });
  return html`<div class="dayline" id="day" role="group" aria-label="${weekday(day)}">
<p><b>${weekday(day)}</b><br>${counted(spend.credits, 'credit')}${moneyFor(spend.credits, report)}, ${counted(spend.count, 'paid lookup')}</p>
${stops.length > 0 ? html`<div>${stops}</div>` : undefined}
<p>${spend.count > 0 ? links.to('charges', query, { words }) : undefined} · ${links.to('spend', isPicked ? selectionQuery(selection) : {}, { words: 'Close', at: 'days' })}</p>
</div>`;
}

function foot(report: SpendReport, links: Links, { balance }: PageChoice): Html {
  return html`<div class="foot">
${balanceLine(report)}
${vendorComparison(report, balance, links)}
<details class="fold"><summary>Budgets</summary>${budgetTable(report)}</details>
<details class="fold"><summary>How these figures are counted</summary>
<p><b>Spent</b> is what the data service has charged for, booked to the day of the request, also if its outcome was known days later. Only a charge that was first booked as
free counts on the day of its proof. A statement counts each charge on the day of its booking. Requests <b>in progress</b> and with an <b>unknown outcome</b> are
counted at their highest cost. They take from the budgets, and are not yet spent.</p>
<p><b>The forecast</b> adds two needs to the month's spend: the waiting records at the average price, and what leads used each day
over the last 28 days. It exceeds no budget. The outlines in the chart spread it over the coming days.</p>
<p><b>The match rate</b> is the share of matches among the lookups that were answered. A stored answer is no lookup. Credits count on the day of the request, fields on the day the run ended.
Filled fields are not counted by operation.</p>
</details>
</div>`;
}

/** Longest time that is estimated, in days. */
const MAX_BALANCE_DAYS = 730;

function balanceLine(report: SpendReport): Html | undefined {
  const { balanceCredits: credits, grantedCredits, forecastMonthCredits, month, today, nextExpiry } = report;
  if (credits === undefined || grantedCredits === undefined) return undefined;
  const days = Math.floor((credits / forecastMonthCredits) * daysInMonth(month));
  const until =
    days > 0 && days < MAX_BALANCE_DAYS
      ? ` At the forecast's pace they last until about ${longDay(dayAfter(today, days))}.`
      : '';
  const expiry = nextExpiry
    ? ` ${counted(nextExpiry.leftCredits, 'credit')} of them expire after ${longDay(nextExpiry.day)}.`
    : '';
  return html`<p data-figure="balance">Bought credits left: <b>${figure(credits)}</b> of ${figure(grantedCredits)}${moneyFor(credits, report)}.${until}${expiry}</p>`;
}

/** Says what the bill can be. With bought credits, compares the ledger with a balance that a person types. Stores nothing. */
function vendorComparison(report: SpendReport, balance: number | undefined, links: Links): Html {
  const value = balance === undefined ? undefined : html` value="${balance}"`;
  const fields = html`<label>Balance on its dashboard <input name="balance" inputmode="numeric" pattern="[0-9]{1,12}"${value} required></label>
`;
  return html`<details class="fold"${balance === undefined ? undefined : html` open`}><summary id="compare">Compare with the data service</summary>
<p data-figure="bill">Since the first entry: ${billOf(report).words}</p>
${report.balanceCredits === undefined ? undefined : links.form('spend', { fields, button: 'Compare' })}
${report.balanceCredits === undefined || balance === undefined ? undefined : compared(report, report.balanceCredits, balance, links)}
</details>`;
}

function compared(report: SpendReport, credits: number, balance: number, links: Links): Html {
  const comparison = compareBalance({ ...report, credits }, balance);
  if (comparison.kind === 'equal')
    return html`<p role="status" data-code="equal">Both are ${figure(credits)}. The books agree.</p>`;
  const { code, words } = comparison;
  const status = html`<p role="status" data-code="${code}">${wordingText(words, links.stack)}.</p>`;
  if (comparison.kind === 'open') return status;
  return html`${status}
<p><b>What to do:</b> if the difference stays, copy this command into a terminal: ${commandCode(links, `ledger reconcile --balance ${balance}`)}
It compares again, asks you, and books the difference. This page only reads, because it does not ask who you are.</p>`;
}

export interface ChargeList {
  readonly selection: Selection;
  /** Sum of the whole selection, not only of this page. Absent for one record or one asker. */
  readonly selected: Spend | undefined;
  /** Key of the record, if the list has the charges of one record. */
  readonly record: string | undefined;
  readonly page: ChargePage;
  /** True for all pages after the first. */
  readonly isLater: boolean;
  readonly today: string;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Shows a page of the charges that make up a figure, each with its record. */
export function chargesView(list: ChargeList, links: Links): Shown {
  const { selection, selected, record, timeZone } = list;
  const { charges, nextSeq } = list.page;
  const query = { ...selectionQuery(selection), record };
  const heading = selected
    ? `Total: ${counted(selected.credits, 'credit')} in ${counted(selected.count, 'paid lookup')}`
    : 'Paid lookups';
  const none =
    nextSeq === undefined ? noCharge(list) : 'No paid lookup in this part of the list. See the next page.';
  const table = dataTable({
    id: 'charges',
    label: 'Paid lookups',
    caption: `${counted(charges.length, 'paid lookup')} on this page, newest first`,
    columns: [
      { words: 'Record' },
      { words: 'Credits', isNumber: true, line: 1 },
      { words: 'Lookup', line: 2 },
      { words: 'Asked for' },
      { words: 'Asked by' },
      { words: 'Outcome', line: 2 },
      { words: 'Booked at', isNumber: true, line: 2 },
    ],
    rows: charges.map((charge) => chargeRow(charge, timeZone, links)),
  });
  return {
    heading: 'Paid lookups',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · ${ageWords(list.nowMs, timeZone)}`,
    nav: html`${picker({ query, selection, view: 'charges', today: list.today, links })}
${links.to('spend', selectionQuery(selection), { words: 'Credit spend' })}
${links.file('spend/charges.csv', query, 'Paid lookups (CSV)')}
${links.file('spend/charges.json', query, 'Paid lookups (JSON)')}`,
    main: html`<section class="panel" aria-labelledby="total">
<h2 id="total">${heading}</h2>
${charges.length === 0 ? html`<p class="muted" id="none">${none}</p>` : table}
${nextSeq === undefined ? undefined : html`<p class="pager">${links.to('charges', { ...query, before: String(nextSeq) }, { words: 'Older lookups' })}</p>`}
</section>`,
  };
}

function chargeRow(charge: Charge, timeZone: string, links: Links): (Html | string)[] {
  const { atMs, day, record = '', operation, purpose, askedBy, credits } = charge;
  const otherDay = day === dayOf(atMs, timeZone) ? undefined : html`<br>counts for ${shortDay(day)}`;
  const name = nameOfKey(record);
  return [
    name ? recordLink(name, links) : 'no record',
    figure(credits),
    label(operation),
    label(purpose),
    askerLabel(askedBy),
    label(charge.outcome),
    html`${instant(atMs, timeZone)}${otherDay}`,
  ];
}

export interface WaitingList {
  readonly report: SpendReport;
  /** Set if only records of this index partition are listed. */
  readonly place: RecordPlace | undefined;
  readonly records: readonly RecordState[];
}

/** Shows the waiting records, with the reason and end of each wait. */
export function waitingView({ report, place, records }: WaitingList, links: Links): Shown {
  const { timeZone, generatedAtMs } = report;
  const table = dataTable({
    id: 'waiting',
    label: 'Each waiting record',
    caption: `The first ${counted(records.length, 'record')}; of each kind, the ones that continue first`,
    columns: [
      { words: 'Record' },
      { words: 'For', line: 1 },
      { words: 'Since', isNumber: true },
      { words: 'Why it waits', line: 2 },
      { words: 'Until', line: 2 },
    ],
    rows: records.map((state) => waitingRow(state, report, links)),
  });
  return {
    heading: 'Waiting records',
    of: instant(generatedAtMs, timeZone),
    about: ageWords(generatedAtMs, timeZone),
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${place ? links.to('waiting', {}, { words: 'All waiting records' }) : undefined}`,
    main: html`${waitingPanel(report, links)}
<section class="panel" aria-labelledby="records">
<h2 id="records">Waiting records, one by one${place ? ` (${place})` : ''}</h2>
${records.length === 0 ? html`<p class="muted" id="none">No record waits${place ? ' here' : ''}.</p>` : table}
</section>`,
  };
}

function waitingRow(state: RecordState, report: SpendReport, links: Links): (Html | string | undefined)[] {
  const { timeZone, generatedAtMs: nowMs, stops } = report;
  const { run } = state;
  const isStoppedByPerson = stops.some(({ kind }) => kind === 'stopped-by-person');
  const now = waitNow(state, isStoppedByPerson);
  // A record that no worker has tried waits for what its group waits for.
  const line = report.waiting?.inTurn.find(({ purpose }) => purpose === run?.purpose);
  const refusal = now?.reason === 'queued' && isQueued(state) ? line?.refusal : undefined;
  const ofGroup = refusal && {
    reason: 'budget',
    untilMs: refusal.opensAtMs,
    detail: refusalSentence(refusal),
  };
  const waiting = ofGroup ?? now;
  return [
    recordLink(state, links),
    run && label(run.purpose),
    run && instant(run.openedAtMs, timeZone),
    waiting && (waiting.detail ?? waitingWords(waiting.reason, links.stack).why),
    waiting && endOfWait({ run, waiting, nowMs }, (atMs) => instant(atMs, timeZone)),
  ];
}
