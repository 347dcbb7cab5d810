import { type BudgetState, budgetParts } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { DAY_MS, nextMonthStart } from '#shared/kernel';

export interface ForecastInput {
  /** Credits that were charged this month. */
  readonly spentCredits: number;
  readonly needs: readonly CreditNeed[];
  /** Average credits a day of leads, over the last four weeks. */
  readonly leadsPerDay: number;
  readonly budgets: readonly BudgetState[];
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Estimated credits of waiting records. */
export interface CreditNeed {
  /** Absent for records of several purposes. */
  readonly purpose?: Purpose;
  readonly credits: number;
}

/**
 * Estimates the spend of the whole month in whole credits. This is the spend so far, and the credits that the waiting
 * records and the usual leads need until the end of the month. The estimate exceeds no budget.
 */
export function forecastOf(input: ForecastInput): number {
  const { spentCredits, leadsPerDay, budgets, nowMs, timeZone } = input;
  const monthEndMs = nextMonthStart(nowMs, timeZone);
  const leads: CreditNeed = { purpose: 'live', credits: leadsPerDay * ((monthEndMs - nowMs) / DAY_MS) };
  const leftIn = (scope: string) =>
    budgets
      .filter((budget) => budgetParts(budget).scope === scope)
      .map((budget) => leftUntil(budget, monthEndMs));
  const needed = Map.groupBy([...input.needs, leads], ({ purpose }) => purpose);
  const payable = [...needed].map(([purpose, needs]) => {
    const credits = needs.reduce((sum, need) => sum + need.credits, 0);
    return Math.min(credits, ...(purpose ? leftIn(purpose) : []));
  });
  const total = payable.reduce((sum, credits) => sum + credits, 0);
  const left = leftIn('total');
  // Without a budget for all spend, nothing is spent.
  return spentCredits + (left.length === 0 ? 0 : Math.round(Math.min(total, ...left)));
}

/** Returns the credits that a budget allows until the end of the month. A day's budget starts again each day. */
function leftUntil(
  { budget, limitCredits, leftCredits, resetsAtMs }: BudgetState,
  monthEndMs: number,
): number {
  const days = budgetParts({ budget }).period === 'day' ? Math.round((monthEndMs - resetsAtMs) / DAY_MS) : 0;
  return Math.max(0, leftCredits) + Math.max(0, days) * limitCredits;
}
