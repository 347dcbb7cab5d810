import type { Purpose } from '#shared/crm';
import { dayOf, dayOfMonth, daysBetween, daysInMonth, monthOfDay } from '#shared/kernel';
import { applicableBudgets, type BudgetView, budgetParts, leftFor, leftOf } from './budgets.ts';
import { committed, leadsPerDay } from './totals.ts';

/**
 * Credits that a purpose should spend today: an even share of a month's budget for each remaining day. It is more if
 * bought credits would expire unused, within the budgets.
 */
export function plannedFor(view: BudgetView, purpose: Purpose): number {
  const planned = Math.max(shareOfToday(view, purpose), lapsing(view, purpose));
  return Math.max(0, Math.floor(Math.min(leftFor(view, { purpose }), planned)));
}

function shareOfToday(view: BudgetView, purpose: Purpose): number {
  const day = dayOf(view.nowMs, view.timeZone);
  const daysLeft = daysInMonth(monthOfDay(day)) - dayOfMonth(day) + 1;
  const usedToday = committed(view.totals?.periods[day]?.[purpose]);
  const shares = applicableBudgets(view, purpose).map((state) => {
    const left = leftOf(state, view, { purpose });
    return budgetParts(state).period === 'month' ? (left + usedToday) / daysLeft - usedToday : left;
  });
  return Math.min(...shares);
}

/** Credits a day that use up the next expiring credits in time, without the usual use of fresh leads. */
function lapsing({ totals, nowMs, timeZone }: BudgetView, purpose: Purpose): number {
  const day = dayOf(nowMs, timeZone);
  const [next] = (totals?.expiring ?? [])
    .filter((lot) => lot.day >= day)
    // Credits that expire first are used first.
    .map((lot) => ({ ...lot, left: lot.credits - ((totals?.lifetime.posted ?? 0) - lot.postedBefore) }))
    .filter(({ left }) => left > 0)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  if (!next || !totals) return 0;
  const days = daysBetween(day, next.day) + 1;
  const usedToday = committed(totals.periods[day]?.[purpose]);
  return Math.ceil((next.left + usedToday) / days - leadsPerDay(totals, day) - usedToday);
}
