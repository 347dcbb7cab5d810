import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { dayOf, dayOfMonth, daysInMonth, monthOfDay, nextDayStart } from '#shared/credit-ledger/calendar.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';

export interface Forecast {
  /** Spend of the whole month if it goes on as it did so far. */
  readonly forecastMonthCredits: number;
  /** Credits a day that the forecast goes on with; not whole. */
  readonly paceCreditsPerDay: number;
  /** Days of the month that the pace is taken from; not whole, at least 1. */
  readonly elapsedDays: number;
  readonly daysInMonth: number;
  /** The day on which the month's budget is used up at this pace, if that is before the month ends. */
  readonly budgetUsedUpOn?: string;
}

/**
 * A straight line: the month's spend divided by the days gone by, today's part of a day included, times the days
 * of the month. In its first 24 hours the month counts as a day old, so that one busy hour is not taken for a
 * pace.
 */
export function forecastOf(input: {
  readonly spentMonthCredits: number;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly budgets: readonly BudgetState[];
}): Forecast {
  const { spentMonthCredits, nowMs, timeZone } = input;
  const today = dayOf(nowMs, timeZone);
  const restOfTodayDays = (nextDayStart(nowMs, timeZone) - nowMs) / DAY_MS;
  const elapsedDays = Math.max(1, dayOfMonth(today) - restOfTodayDays);
  const paceCreditsPerDay = spentMonthCredits / elapsedDays;
  const days = daysInMonth(monthOfDay(today));
  const forecastMonthCredits = Math.max(spentMonthCredits, Math.round(paceCreditsPerDay * days));
  const usedUp = usedUpOn(input, paceCreditsPerDay);
  return {
    forecastMonthCredits,
    paceCreditsPerDay,
    elapsedDays,
    daysInMonth: days,
    ...(usedUp !== undefined && { budgetUsedUpOn: usedUp }),
  };
}

function usedUpOn(
  { budgets, nowMs, timeZone }: { budgets: readonly BudgetState[]; nowMs: number; timeZone: string },
  paceCreditsPerDay: number,
): string | undefined {
  const budget = budgets.find(({ budget }) => budget === 'total/month');
  if (!budget || paceCreditsPerDay === 0) return undefined;
  const atMs = nowMs + (Math.max(0, budget.leftCredits) / paceCreditsPerDay) * DAY_MS;
  return atMs < budget.resetsAtMs ? dayOf(atMs, timeZone) : undefined;
}
