import { counted, figure, type Html, html, percent, shortDay, withHundredths } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { moneyFor } from './money.ts';
import { inSelection } from './selection-words.ts';

/** Shows the most important figures in large type. */
export function tiles(report: SpendReport): Html {
  return html`<section aria-label="In short"><dl class="tiles">
${report.isPicked ? pickedTile(report) : tilesOfNow(report)}
${beforeTile(report)}
${matchTile(report)}
${costTile(report)}
${refreshTile(report)}
</dl></section>`;
}

function tilesOfNow(report: SpendReport): Html {
  return html`${tile('spent-today', 'Spent today', figure(report.spentTodayCredits), `${today(report)}${moneyFor(report.spentTodayCredits, report)}`)}
${tile('spent-month', 'Spent this month', figure(report.spentMonthCredits), `${underWay(report)}${moneyFor(report.spentMonthCredits, report)}`)}
${tile('forecast', 'Forecast of the month', figure(report.forecastMonthCredits), `${outlook(report)}${moneyFor(report.forecastMonthCredits, report)}`)}
${balance(report)}`;
}

/** Shows only figures of the chosen range, because current figures would seem to belong to this range. */
function pickedTile(report: SpendReport): Html {
  const { selection, selected } = report;
  const note = `credits, in ${counted(selected.count, 'charge')}${moneyFor(selected.credits, report)}`;
  return tile('spent', `Spent ${inSelection(selection)}`, figure(selected.credits), note);
}

/** @param id names the figure in the page's source, for programs that read it */
function tile(id: string, term: string, value: string, note: string): Html {
  return html`<div class="tile" data-figure="${id}"><dt>${term}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>`;
}

function today({ budgets, today }: SpendReport): string {
  const budget = budgets.find(({ budget }) => budget === 'total/day');
  if (!budget) return `credits on ${shortDay(today)}`;
  return `credits, of ${figure(budget.limitCredits)} a day`;
}

function underWay({ pendingCredits, doubtfulCredits }: SpendReport): string {
  const words = [
    ...(pendingCredits > 0 ? [`${figure(pendingCredits)} under way`] : []),
    ...(doubtfulCredits > 0 ? [`${figure(doubtfulCredits)} in doubt`] : []),
  ];
  return words.length > 0 ? `credits, and ${words.join(', ')}` : 'credits, nothing under way';
}

function outlook({ budgets }: SpendReport): string {
  const budget = budgets.find(({ budget }) => budget === 'total/month');
  return budget ? `credits, of ${figure(budget.limitCredits)} a month` : 'credits';
}

function balance(report: SpendReport): Html | undefined {
  const { balanceCredits, grantedCredits } = report;
  if (balanceCredits === undefined || grantedCredits === undefined) return undefined;
  return tile(
    'balance',
    'Balance',
    figure(balanceCredits),
    `of ${figure(grantedCredits)} bought${moneyFor(balanceCredits, report)}`,
  );
}

/** Compares the selection with the days before it. */
function beforeTile(report: SpendReport): Html {
  const { before, selected } = report;
  const words = `credits ${inSelection(before.selection)}${moneyFor(before.credits, report)}`;
  if (before.credits === 0) return tile('before', 'Period before', '0', words);
  const change = selected.credits / before.credits - 1;
  const more =
    change === 0 ? 'now the same' : `now ${percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`;
  return tile('before', 'Period before', figure(before.credits), `${words}; ${more}`);
}

function matchTile(report: SpendReport): Html | undefined {
  const rate = report.brought?.matchRate;
  if (rate === undefined) return undefined;
  return tile(
    'match-rate',
    'Match rate',
    percent(rate),
    `of the records that were looked up ${inSelection(report.selection)}`,
  );
}

function costTile(report: SpendReport): Html | undefined {
  const { brought } = report;
  const { costPerFilledRecord: perRecord, costPerFilledField: perField } = brought ?? {};
  if (!brought || perRecord === undefined || perField === undefined) return undefined;
  const filled = `${counted(brought.filledRecords, 'record')} and ${counted(brought.filledFields, 'field')}`;
  const note = `credits${moneyFor(perRecord, report)}; ${withHundredths(perField)}${moneyFor(perField, report)} a field. ${filled} filled ${inSelection(report.selection)}`;
  return tile('cost', 'Cost per filled record', withHundredths(perRecord), note);
}

function refreshTile(report: SpendReport): Html | undefined {
  const { brought } = report;
  if (!brought) return undefined;
  const { changed, unchanged, gone } = brought.refresh;
  const total = changed + unchanged + gone;
  if (total === 0) return undefined;
  const note = `records changed, of ${figure(total)} refreshed ${inSelection(report.selection)}; ${figure(unchanged)} unchanged, ${figure(gone)} gone`;
  return tile('refresh', 'Refresh found', figure(changed), note);
}
