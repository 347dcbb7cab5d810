import { PURPOSE_LABELS } from '#shared/crm';
import { counted } from '#shared/kernel';
import { type BudgetRefusal, budgetParts } from './budgets.ts';

type Refused = Pick<
  BudgetRefusal,
  'budget' | 'limitCredits' | 'leftCredits' | 'keptCredits' | 'neededCredits'
>;

/** Explains to a person why a budget refuses. Callers add the time when the budget opens. */
export function refusalSentence({ neededCredits, ...state }: Refused): string {
  const { budget, limitCredits, leftCredits, keptCredits = 0 } = state;
  const { scope, period } = budgetParts({ budget });
  if (!period) return 'No budget is set: nothing is spent.';
  const periodName = period === 'month' ? "This month's" : "Today's";
  if (scope === 'person')
    return `A person may use ${counted(limitCredits, 'credit')} a day, and ${Math.max(0, leftCredits)} are left. Ask a user in \`people.spend\` of the policy.`;
  const purpose = scope === 'total' ? '' : ` for "${PURPOSE_LABELS[scope]}"`;
  const name = `${periodName} budget of ${counted(limitCredits, 'credit')}${purpose}`;
  const left = Math.max(0, leftCredits);
  if (left === 0) return `${name} is used up.`;
  const isAll = keptCredits >= left;
  const kept = keptCredits === 0 ? '' : `, ${isAll ? '' : `${keptCredits} of them `}reserved for new leads`;
  const needs = isAll ? '' : ` This needs ${counted(neededCredits, 'credit')}.`;
  return `${name} has ${left} left${kept}.${needs}`;
}
