import type { BudgetState } from '../../shared/credit-ledger/budgets.ts';
import { instant } from '../../shared/spend/figures.ts';
import type { Sheet } from './output.ts';

/** Every budget with what is left of it. */
export function budgetSheet(budgets: readonly BudgetState[], timeZone: string): Sheet {
  const rows = budgets.map(({ budget, limitCredits, usedCredits, leftCredits, resetsAtMs }) => [
    budget,
    String(limitCredits),
    String(usedCredits),
    String(leftCredits),
    instant(resetsAtMs, timeZone),
  ]);
  return { columns: ['budget', 'limit', 'used', 'left', `resets (${timeZone})`], rows, right: [1, 2, 3] };
}
