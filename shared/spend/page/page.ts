import { PURPOSES } from '#shared/crm';
import {
  counted,
  dayAfter,
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
  weekday,
  withHundredths,
  wordingText,
} from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { compareBalance } from '../compare-balance.ts';
import type { SpendReport } from '../report.ts';
import { CHARGE_OUTCOMES } from '../schemas.ts';
import {
  isWholeMonth,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  selectionQuery,
  weeksBefore,
  wholeMonth,
} from '../selection.ts';

import { comingDays, dayChart, purposesOf } from './chart.ts';
import { framed, type Shown } from './frame.ts';
import { commandCode, homeLink, type Links, pageLinks, recordSearch, type View } from './links.ts';
import { backfillPanel, waitingPanel } from './panels.ts';
import { budgetTable, chartTables, parseResultsChoice, type ResultsChoice, resultsTable } from './tables.ts';
import { warnings } from './warnings.ts';
import {
  askerLabel,
  inSelection,
  label,
  moneyFor,
  selectionWords,
  timeOfDay,
  UNNAMED_NOT_INCLUDED,
} from './words.ts';

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
  const { account, selection, generatedAtMs, timeZone, today } = report;
  return {
    heading: 'Credit spend',
    of: selectionWords(selection),
    about: html`${serviceBadge(report)} As of ${instant(generatedAtMs, timeZone)} (${timeZone}) · account ${account}`,
    nav: html`${picker({ selection, view: 'spend', today, links })}
${exportMenu(report, links)}
${homeLink(links)}`,
    main: report.isEmpty ? emptyPage(report, links) : sections(report, links, choice),
  };
}

function sections(report: SpendReport, links: Links, choice: PageChoice): Html {
  return html`${warnings(report, links)}
<section class="panel" aria-labelledby="spent">
${headline(report)}
${chartPart(report, links, choice)}
</section>
${resultsTable(report, choice, links)}
<div class="pair">
${waitingPanel(report, links)}
${backfillPanel(report, links)}
</div>
${foot(report, links, choice)}`;
}

/** Shows instructions instead of zeros before the first lookup. */
function emptyPage(report: SpendReport, links: Links): Html {
  const { stops, selection } = report;
  return html`${warnings(report, links)}
<section class="panel" aria-labelledby="empty">
<h2 id="empty">No credits spent ${inSelection(selection)}</h2>
<p><b>What to do next:</b> ${stops.length > 0 ? 'follow the warning above. Then create' : 'create'} a contact with an address or a profile page in HubSpot; it
is enriched within minutes. Or look up an existing contact: ${commandCode(links, 'enrich contacts/ID')}. To see the cost of a whole portal
first: ${commandCode(links, 'backfill quote --objects contacts')}.</p>
${budgetTable(report)}
</section>
${waitingPanel(report, links)}
<div class="foot">${listLinks(report, links)}</div>`;
}

/** Shows whether credits are real. */
function serviceBadge({ service }: SpendReport): Html | undefined {
  if (!service) return undefined;
  const words = service === 'real' ? 'REAL credits' : 'stand-in: no real credits';
  return html`<span class="badge" data-service="${service}">${words}</span>`;
}

function exportMenu({ selection, isPicked }: SpendReport, links: Links): Html | undefined {
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
  readonly selection: Selection;
  /** The view that shows the picker. */
  readonly view: View;
  readonly today: string;
  readonly links: Links;
  /** Additional fields of the view, which the form keeps. */
  readonly more?: Html | undefined;
}

/** Shows the range with links to the months beside it, and a menu of weeks, months, own days and filters. */
export function picker({ selection, view, today, links, more }: Picker): Html {
  const { from, to, purpose, operation, outcome, rule, askedBy } = selection;
  const { from: _, to: _to, month: _month, ...filters } = selectionQuery(selection);
  const monthNow = monthOfDay(today);
  const rangeLink = (range: Query, words: string, label?: string) =>
    links.to(view, { ...filters, ...range }, { words, ...(label !== undefined && { label }) });
  const month = (name: string) => (name === monthNow ? {} : { month: name });
  const step = (name: string, words: string) =>
    html`<span class="step">${rangeLink(month(name), words, longMonth(name))}</span>`;
  const shown = monthOfDay(from);
  const next = monthOfDay(dayAfter(wholeMonth(shown).to));
  const { last7Days, lastWeek } = weeksBefore(today);
  const fields = html`${more}
${dayField('from', 'From', from)}
${dayField('to', 'To', to)}
${choice('purpose', 'Purpose', { of: PURPOSES, chosen: purpose })}
${choice('operation', 'Operation', { of: QUESTION_OPERATIONS, chosen: operation })}
${choice('outcome', 'Outcome', { of: CHARGE_OUTCOMES, chosen: outcome })}
${rule === undefined ? undefined : choice('rule', 'Rule', { of: [rule], chosen: rule })}
${choice('askedBy', 'Asked by', { of: askersToChoose(askedBy), chosen: askedBy, wordsOf: askerLabel })}
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

interface Choice {
  readonly of: readonly string[];
  readonly chosen: string | undefined;
  readonly wordsOf?: (name: string) => string;
}

function choice(name: string, words: string, { of, chosen, wordsOf = label }: Choice): Html {
  return html`<label>${words} <select name="${name}"><option value="">all</option>${of.map((each) => html`<option value="${each}"${each === chosen ? SELECTED : undefined}>${wordsOf(each)}</option>`)}</select></label>`;
}

const SELECTED = html` selected`;

/** Offers only these askers. The results and the paid lookups link to every other asker. */
const ASKERS = [
  'user',
  'workflow',
  'source:FORM',
  'source:IMPORT',
  'source:INTEGRATION',
  'schedule',
  'backfill',
];

function askersToChoose(chosen: string | undefined): readonly string[] {
  return chosen === undefined || ASKERS.includes(chosen) ? ASKERS : [...ASKERS, chosen];
}

/** Shows the credits of the range in large type. For the present month, also its budget and forecast. */
function headline(report: SpendReport): Html {
  const { selection, selected, isPicked, today, month, lacksUnnamed } = report;
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
${lacksUnnamed ? html`<p class="muted" id="unnamed">${UNNAMED_NOT_INCLUDED}</p>` : undefined}
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
  const { spentTodayCredits, forecastMonthCredits } = report;
  const [ofDay, ofMonth] = [limitOf(report, 'total/day'), limitOf(report, 'total/month')];
  const today = html`${figure(spentTodayCredits)}${ofDay && html` <small>of ${figure(ofDay.limitCredits)}</small>`}`;
  return html`${figureOf('forecast', 'Forecast', figure(forecastMonthCredits), ofMonth ? leftWords(ofMonth.leftCredits) : 'credits this month')}
${figureOf('spent-today', 'Today', today, ofDay ? todayNote(ofDay) : 'credits')}`;
}

function leftWords(credits: number): string {
  return credits < 0 ? `${figure(-credits)} over the budget` : `${figure(credits)} left`;
}

function todayNote({ leftCredits, keptCredits = 0 }: SpendReport['budgets'][number]): string {
  if (keptCredits === 0 || leftCredits <= 0) return leftWords(leftCredits);
  const kept = keptCredits >= leftCredits ? 'for leads only' : `${figure(keptCredits)} for leads only`;
  return `${leftWords(leftCredits)}, ${kept}`;
}

function figuresOfRange(report: SpendReport): Html {
  const { brought, yields } = report;
  const { matchRate, costPerFilledField: cost } = brought ?? {};
  const wasted = yields.purpose.reduce((sum, row) => sum + row.wastedCredits, 0);
  return html`${matchRate === undefined ? undefined : figureOf('match-rate', 'Match rate', percent(matchRate), `${counted(wasted, 'credit')}, no match`)}
${brought && cost !== undefined ? figureOf('field-cost', 'Credits per field', withHundredths(cost), `${counted(brought.filledFields, 'field')} filled`) : undefined}
${beforeFigure(report)}`;
}

/** Compares the selection with the days before it. */
function beforeFigure({ before, selected, isPicked }: SpendReport): Html | undefined {
  if (before.credits === 0 && !isPicked) return undefined;
  const change = before.credits === 0 ? 0 : selected.credits / before.credits - 1;
  const more = change === 0 ? '' : `; now ${percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`;
  const note = `${inSelection(before.selection)}${more}`;
  return figureOf('before', 'Period before', figure(before.credits), note);
}

function budgetBar(report: SpendReport, limitCredits: number): Html {
  const { spentMonthCredits: spent, forecastMonthCredits: forecast } = report;
  const { pendingCredits, doubtfulCredits } = report;
  const shareOf = (credits: number) => (limitCredits > 0 ? Math.min(1, credits / limitCredits) : 1);
  const width = (share: number) => html`style="width:${Math.round(share * 1000) / 10}%"`;
  const below = limitCredits - forecast;
  const outlook =
    below < 0
      ? `${counted(-below, 'credit')} above budget`
      : below === 0
        ? 'the whole budget'
        : `${counted(below, 'credit')} below budget`;
  const open = [
    ...(pendingCredits > 0 ? [`${figure(pendingCredits)} under way`] : []),
    ...(doubtfulCredits > 0 ? [`${figure(doubtfulCredits)} in doubt`] : []),
  ];
  return html`<div class="budget"><span class="meter" aria-hidden="true"><i ${width(shareOf(spent))}></i><i class="expected" ${width(shareOf(forecast) - shareOf(spent))}></i></span>
<div class="head"><p>Spent ${percent(shareOf(spent))}${open.length > 0 ? `; ${open.join(', ')}` : ''}</p><p>Forecast: ${outlook}</p></div></div>`;
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
${listLinks(report, links)}
<details class="fold"><summary>Budgets</summary>${budgetTable(report)}</details>
${balanceForm(report, balance, links)}
${recordSearch(links)}
<details class="fold"><summary>How these figures are counted</summary>
<p><b>Spent</b> is what the data service has charged for, booked to the day of the request. A charge that is proved late counts on the day
of the proof, and a statement counts each charge on the day of its booking. <b>Under way</b> and <b>in doubt</b> are counted at their highest cost. They take from the budgets, and are not yet spent.</p>
<p><b>The forecast</b> adds two needs to the month's spend: the waiting records at the average price, and what leads used each day
over the last 28 days. It exceeds no budget. The outlines in the chart spread it over the coming days.</p>
<p><b>The match rate</b> is the share of matches among the records that were looked up. Credits count on the day of the request, fields on the day the run ended.
Runs are not counted by operation.</p>
</details>
</div>`;
}

/** Links to the lists behind the figures. */
function listLinks({ selection }: SpendReport, links: Links): Html {
  const query = selectionQuery(selection);
  return html`${links.to('charges', query, { words: 'Paid lookups' })}
${links.to('records', query, { words: 'Most expensive records' })}
${links.to('waiting', {}, { words: 'Waiting records' })}
${links.to('review', {}, { words: 'Review' })}`;
}

/** Longest time that is estimated, in days. */
const MAX_BALANCE_DAYS = 730;

function balanceLine(report: SpendReport): Html | undefined {
  const { balanceCredits: credits, grantedCredits, forecastMonthCredits, month, today } = report;
  if (credits === undefined || grantedCredits === undefined) return undefined;
  const days = Math.floor((credits / forecastMonthCredits) * daysInMonth(month));
  const until =
    days > 0 && days < MAX_BALANCE_DAYS
      ? ` At the forecast's pace they last until about ${longDay(dayAfter(today, days))}.`
      : '';
  return html`<p data-figure="balance">Bought credits left: <b>${figure(credits)}</b> of ${figure(grantedCredits)}${moneyFor(credits, report)}.${until}</p>`;
}

/** Compares the ledger with a balance that a person types. Stores nothing. Absent if no bought credits are booked. */
function balanceForm(report: SpendReport, balance: number | undefined, links: Links): Html | undefined {
  if (report.balanceCredits === undefined) return undefined;
  const value = balance === undefined ? undefined : html` value="${balance}"`;
  const fields = html`<label>Balance on its dashboard <input name="balance" inputmode="numeric" pattern="[0-9]{1,12}"${value} required></label>
`;
  return html`<details class="fold"${balance === undefined ? undefined : html` open`}><summary id="compare">Compare with the data service</summary>
${links.form('spend', { fields, button: 'Compare' })}
${balance === undefined ? undefined : compared(report, balance, links)}
</details>`;
}

function compared(report: SpendReport, balance: number, links: Links): Html {
  const { balanceCredits: credits = 0, pendingCredits, doubtfulCredits, bookedDoubts } = report;
  const comparison = compareBalance({ credits, pendingCredits, doubtfulCredits, bookedDoubts }, balance);
  if (comparison.kind === 'equal')
    return html`<p role="status" data-code="equal">Both are ${figure(credits)}. The books agree.</p>`;
  const { code, words } = comparison;
  const status = html`<p role="status" data-code="${code}">${wordingText(words, links.stack)}.</p>`;
  if (comparison.kind === 'open') return status;
  return html`${status}
<p><b>What to do:</b> if the difference stays, copy this command into a terminal: ${commandCode(links, `ledger reconcile --balance ${balance}`)}
It compares again, asks you, and books the difference. This page only reads, because it does not ask who you are.</p>`;
}
