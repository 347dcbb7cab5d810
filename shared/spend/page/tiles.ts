import { counted, figure, shortDay, withHundredths } from '../figures.ts';
import type { SpendReport } from '../report.ts';
import { usedUpWords } from '../used-up.ts';
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

function outlook({ budgets, budgetUsedUp, forecastLowCredits, forecastHighCredits }: SpendReport): string {
  const range = `credits; eight in ten such months: ${figure(forecastLowCredits)} to ${figure(forecastHighCredits)}`;
  const budget = budgets.find(({ budget }) => budget === 'total/month');
  if (!budget) return range;
  if (budgetUsedUp) return `${range}. The budget is used up ${usedUpWords(budgetUsedUp)}`;
  return `${range}, within the budget of ${figure(budget.limitCredits)}`;
}

function balance({ balanceCredits, grantedCredits, grantUsedUp }: SpendReport): Html | undefined {
  if (balanceCredits === undefined || grantedCredits === undefined) return undefined;
  const end = grantUsedUp ? `used up ${usedUpWords(grantUsedUp)}` : 'for three months and more';
  return tile('Balance', figure(balanceCredits), `of ${figure(grantedCredits)} bought; ${end}`);
}

function costPerRecord({ costPerFilledRecord, filledRecords }: SpendReport): Html | undefined {
  if (costPerFilledRecord === undefined || filledRecords === undefined) return undefined;
  return tile(
    'Cost per filled record',
    withHundredths(costPerFilledRecord),
    `credits, over ${counted(filledRecords, 'record')} since the start`,
  );
}
