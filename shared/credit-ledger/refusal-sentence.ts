import type { BudgetRefusal } from './budgets.ts';

type Refused = Pick<
  BudgetRefusal,
  'budget' | 'limitCredits' | 'leftCredits' | 'keptCredits' | 'neededCredits'
>;

/** Why a budget refuses, for a person, on every surface; without the time at which it opens. */
export function refusalSentence({ neededCredits, ...state }: Refused): string {
  const { budget, limitCredits, leftCredits, keptCredits = 0 } = state;
  if (budget === 'total/none-set') return 'No budget is set: nothing is spent.';
  const [scope = '', period] = budget.split('/');
  const whose = period === 'month' ? "this month's" : "today's";
  const limit = `${whose} ${credits(limitCredits)}${scope === 'total' ? '' : ` for ${scope}`}`;
  const left = Math.max(0, leftCredits);
  if (left === 0) return `${limit[0]?.toUpperCase()}${limit.slice(1)} are used up.`;
  const free = left - keptCredits;
  const needs = free > 0 ? `This needs ${credits(neededCredits)}. ` : '';
  const reserved = free > 0 ? `${keptCredits} of them are` : 'they are';
  const kept = keptCredits > 0 ? `, and ${reserved} reserved for new leads` : '';
  return `${needs}${left} of ${limit} are left${kept}.`;
}

function credits(count: number): string {
  return `${count.toLocaleString('en-GB')} credit${count === 1 ? '' : 's'}`;
}
