import type { Purpose } from '#shared/crm/purpose.ts';
import { dayOf, monthOfDay, nextDayStart, nextMonthStart } from './calendar.ts';
import type { Amounts, PeriodTotals, Totals } from './schemas.ts';

export interface PeriodLimits {
  /** Credits a calendar day. */
  readonly perDay?: number | undefined;
  /** Credits a calendar month. */
  readonly perMonth?: number | undefined;
}

/** Upper limits in credits; without any total limit nothing may be spent. */
export interface Budgets extends PeriodLimits {
  readonly purposes?: Partial<Readonly<Record<Purpose, PeriodLimits | undefined>>> | undefined;
}

export interface BudgetState {
  /** `total/day`, `total/month`, `refresh/day`, ... */
  readonly budget: string;
  readonly limitCredits: number;
  readonly usedCredits: number;
  readonly leftCredits: number;
  /** When the period ends, epoch milliseconds. */
  readonly resetsAtMs: number;
}

/** The books against which budgets are held: pending, posted and doubtful credits all count as used. */
export interface BudgetView {
  readonly totals: Totals | undefined;
  readonly budgets: Budgets;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Every budget that is set, with what is left of it. */
export function budgetStates(view: BudgetView): BudgetState[] {
  const scopes: [string, PeriodLimits | undefined, Purpose | undefined][] = [
    ['total', view.budgets, undefined],
    ...purposesOf(view.budgets).map(([purpose, limits]): [string, PeriodLimits | undefined, Purpose] => [
      purpose,
      limits,
      purpose,
    ]),
  ];
  return scopes.flatMap(([scope, limits, purpose]) => [
    ...stateOf(view, { budget: `${scope}/day`, limit: limits?.perDay, purpose, period: 'day' }),
    ...stateOf(view, { budget: `${scope}/month`, limit: limits?.perMonth, purpose, period: 'month' }),
  ]);
}

/** The budget that forbids spending this amount now, if one does: the one that opens again last. */
export function refusingBudget(
  view: BudgetView,
  { purpose, amountCredits }: { purpose: Purpose; amountCredits: number },
): BudgetState | undefined {
  return applicable(view, purpose)
    .filter(({ leftCredits }) => leftCredits < amountCredits)
    .sort((a, b) => b.resetsAtMs - a.resetsAtMs)[0];
}

/** Credits that may still be spent for a purpose, now. */
export function leftFor(view: BudgetView, purpose: Purpose): number {
  return Math.max(0, Math.min(...applicable(view, purpose).map(({ leftCredits }) => leftCredits)));
}

function applicable(view: BudgetView, purpose: Purpose): BudgetState[] {
  const states = budgetStates(view);
  const total = states.filter(({ budget }) => budget.startsWith('total/'));
  if (total.length === 0) {
    const resetsAtMs = nextDayStart(view.nowMs, view.timeZone);
    return [{ budget: 'total/none-set', limitCredits: 0, usedCredits: 0, leftCredits: 0, resetsAtMs }];
  }
  return [...total, ...states.filter(({ budget }) => budget.startsWith(`${purpose}/`))];
}

function purposesOf(budgets: Budgets): [Purpose, PeriodLimits | undefined][] {
  const { live, refresh, backfill, manual } = budgets.purposes ?? {};
  return [
    ['live', live],
    ['refresh', refresh],
    ['backfill', backfill],
    ['manual', manual],
  ];
}

interface Scope {
  readonly budget: string;
  readonly limit: number | undefined;
  readonly purpose: Purpose | undefined;
  readonly period: 'day' | 'month';
}

function stateOf(view: BudgetView, { budget, limit, purpose, period }: Scope): BudgetState[] {
  if (limit === undefined) return [];
  const day = dayOf(view.nowMs, view.timeZone);
  const totals = view.totals?.periods[period === 'day' ? day : monthOfDay(day)];
  const usedCredits = totals ? used(totals, purpose) : 0;
  const next = period === 'day' ? nextDayStart : nextMonthStart;
  return [
    {
      budget,
      limitCredits: limit,
      usedCredits,
      leftCredits: limit - usedCredits,
      resetsAtMs: next(view.nowMs, view.timeZone),
    },
  ];
}

function used(totals: PeriodTotals, purpose: Purpose | undefined): number {
  const counted = purpose ? [totals[purpose]] : Object.values(totals);
  return counted.reduce((sum, amounts) => sum + committed(amounts), 0);
}

function committed({ posted, pending, doubtful }: Amounts): number {
  return posted + pending + doubtful;
}
