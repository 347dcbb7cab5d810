import type { Purpose } from '#shared/crm';
import { dayOf, dayOfMonth, daysBetween, daysInMonth, monthOfDay } from '#shared/kernel';
import { applicableBudgets, type BudgetView, budgetParts, leftFor, leftOf } from './budgets.ts';
import { committed, leadsPerDay } from './totals.ts';

/**
 * Returns the credits that a purpose should spend today: an even share of a month's budget for each remaining day. If
 * bought credits would expire unused, it is more, but within the budgets.
 */
export function plannedFor(view: BudgetView, purpose: Purpose): number {
  const planned = Math.max(shareOfToday(view, purpose), creditsToUseUp(view, purpose));
  return Math.max(0, Math.floor(Math.min(leftFor(view, { purpose }), planned)));
}

function shareOfToday(view: BudgetView, purpose: Purpose): number {
  const day = dayOf(view.nowMs, view.timeZone);
  const daysLeft = daysInMonth(monthOfDay(day)) - dayOfMonth(day) + 1;
  const usedToday = committed(view.totals?.periods[day]?.[purpose]);
  const shares = applicableBudgets(view, purpose).map((state) => {
    const leftCredits = leftOf(state, view, { purpose });
    return budgetParts(state).period === 'month'
      ? (leftCredits + usedToday) / daysLeft - usedToday
      : leftCredits;
  });
  return Math.min(...shares);
}

/** Returns the credits a day that use up the next expiring credits in time, minus the usual use by fresh leads. */
function creditsToUseUp({ totals, nowMs, timeZone }: BudgetView, purpose: Purpose): number {
  const day = dayOf(nowMs, timeZone);
  const [next] = (totals?.expiring ?? [])
    .filter((lot) => lot.day >= day)
    // Credits that expire first are used first.
    .map((lot) => ({
      ...lot,
      leftCredits: lot.credits - ((totals?.lifetime.posted ?? 0) - lot.postedBefore),
    }))
    .filter(({ leftCredits }) => leftCredits > 0)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  if (!next || !totals) return 0;
  const days = daysBetween(day, next.day) + 1;
  const usedToday = committed(totals.periods[day]?.[purpose]);
  return Math.ceil((next.leftCredits + usedToday) / days - leadsPerDay(totals, day) - usedToday);
}
