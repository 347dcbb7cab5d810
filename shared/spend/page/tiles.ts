import { counted, figure, shortDay, withHundredths } from '../figures.ts';
import type { SpendReport } from '../report.ts';
import { type Html, html } from './html.ts';

/** The figures that one comes for, in large. */
export function tiles(report: SpendReport): Html {
  return html`<section aria-label="In short"><dl class="tiles">
${tile('Spent today', figure(report.spentTodayCredits), today(report))}
${tile('Spent this month', figure(report.spentMonthCredits), underWay(report))}
${tile('Forecast of the month', figure(report.forecastMonthCredits), outlook(report))}
${balance(report)}
${costPerRecord(report)}
</dl></section>`;
}

function tile(term: string, value: string, note: string): Html {
  return html`<div class="tile"><dt>${term}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>`;
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

function outlook({ budgets, budgetUsedUpOn }: SpendReport): string {
  const budget = budgets.find(({ budget }) => budget === 'total/month');
  if (!budget) return 'credits, if it goes on like this';
  if (budgetUsedUpOn) return `credits; the budget is used up on ${shortDay(budgetUsedUpOn)}`;
  return `credits, within the budget of ${figure(budget.limitCredits)}`;
}

function balance({ balanceCredits, grantedCredits, paceCreditsPerDay }: SpendReport): Html | undefined {
  if (balanceCredits === undefined || grantedCredits === undefined) return undefined;
  const days =
    paceCreditsPerDay > 0 ? Math.floor(Math.max(0, balanceCredits) / paceCreditsPerDay) : undefined;
  const lasts = days === undefined ? '' : `, for ${counted(days, 'day')} at this pace`;
  return tile('Balance', figure(balanceCredits), `of ${figure(grantedCredits)} bought${lasts}`);
}

function costPerRecord({ costPerFilledRecord, filledRecords }: SpendReport): Html | undefined {
  if (costPerFilledRecord === undefined || filledRecords === undefined) return undefined;
  return tile(
    'Cost per filled record',
    withHundredths(costPerFilledRecord),
    `credits, over ${counted(filledRecords, 'record')} since the start`,
  );
}
