import { laneOf, PURPOSES, type Purpose } from '#shared/crm/purpose.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { dayOf, dayOfMonth, daysInMonth, monthOfDay, nextDayStart, nextMonthStart } from './calendar.ts';
import type { PeriodTotals, Totals } from './schemas.ts';
import { committed, EMPTY_TOTALS, leadsUpTo, usedByLeads } from './totals.ts';

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
  /** Of what is left, what is kept for fresh leads from whoever was refused. */
  readonly keptCredits?: number;
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

/** What has been used of a budget. When its period ends is looked up only for those who are told. */
type Use = Omit<BudgetState, 'keptCredits' | 'resetsAtMs'>;

/** Every budget that is set, with what is left of it. */
export function budgetStates(view: BudgetView): BudgetState[] {
  return usesOf(view).map((use) => stateOf(use, view));
}

function stateOf(use: Use, { nowMs, timeZone }: BudgetView): BudgetState {
  const next = use.budget.endsWith('/month') ? nextMonthStart : nextDayStart;
  return { ...use, resetsAtMs: next(nowMs, timeZone) };
}

function usesOf(view: BudgetView): Use[] {
  const scopes: [string, PeriodLimits | undefined, Purpose | undefined][] = [
    ['total', view.budgets, undefined],
    ...purposesOf(view.budgets).map(([purpose, limits]): [string, PeriodLimits | undefined, Purpose] => [
      purpose,
      limits,
      purpose,
    ]),
  ];
  return scopes.flatMap(([scope, limits, purpose]) => [
    ...useOf(view, { budget: `${scope}/day`, limit: limits?.perDay, purpose, period: 'day' }),
    ...useOf(view, { budget: `${scope}/month`, limit: limits?.perMonth, purpose, period: 'month' }),
  ]);
}

/** The budget that forbids spending this amount now, if one does: the one that opens again last. */
export function refusingBudget(
  view: BudgetView,
  { purpose, amountCredits }: { purpose: Purpose; amountCredits: number },
): BudgetState | undefined {
  const [refusing] = applicableBudgets(view, purpose)
    .filter((state) => leftOf(state, view, purpose) < amountCredits)
    .map((use) => stateOf(use, view))
    .sort((a, b) => b.resetsAtMs - a.resetsAtMs);
  const keptCredits = refusing && refusing.leftCredits - leftOf(refusing, view, purpose);
  return keptCredits ? { ...refusing, keptCredits } : refusing;
}

/** Credits that may still be spent for a purpose, now. */
export function leftFor(view: BudgetView, purpose: Purpose): number {
  return Math.max(
    0,
    Math.min(...applicableBudgets(view, purpose).map((state) => leftOf(state, view, purpose))),
  );
}

/** At least this much of each day's credits is there for the fresh leads of the day, and for people's requests. */
const LEADS_SHARE = 1 / 5;
/** No day is the busiest for ever. */
const MARGIN = 5 / 4;

/** What comes in masses leaves of the budgets for everything what the leads to come will need. */
export function leftOf(state: Use, view: BudgetView, purpose: Purpose): number {
  const { keptPerDay, daysToCome, day } = keptForLeads(state, view, purpose);
  const used = usedByLeads(view.totals?.periods[day]);
  return state.leftCredits - Math.max(0, keptPerDay - used) - keptPerDay * daysToCome;
}

/** How fast the budgets pay for a purpose. */
export interface BudgetPace {
  /** Credits a day in the long run. */
  readonly creditsPerDay: number;
  /** Until a budget that is used up starts anew; 0 where the next request is paid for. */
  readonly closedMs: number;
}

export function paceFor(
  view: BudgetView,
  asked: { readonly purpose: Purpose; readonly amountCredits: number },
): BudgetPace {
  const { purpose } = asked;
  const each = applicableBudgets(view, purpose).map((state) => {
    const { keptPerDay, days } = keptForLeads(state, view, purpose);
    return state.limitCredits / days - keptPerDay;
  });
  const refusing = refusingBudget(view, asked);
  const closedMs = refusing ? refusing.resetsAtMs - view.nowMs : 0;
  return { creditsPerDay: Math.max(0, Math.min(...each)), closedMs };
}

/** Whole days until so many credits are paid for; nothing where the budgets pay for none. */
export function daysToPay(credits: number, { creditsPerDay, closedMs }: BudgetPace): number | undefined {
  return creditsPerDay > 0 ? Math.ceil(closedMs / DAY_MS + credits / creditsPerDay) : undefined;
}

/**
 * What a budget keeps from a purpose for leads, a day: a quarter more than they used on the busiest of the last days, a
 * fifth of it at least.
 */
function keptForLeads({ budget, limitCredits }: Use, view: BudgetView, purpose: Purpose) {
  const day = dayOf(view.nowMs, view.timeZone);
  const isMonth = budget.endsWith('/month');
  const days = isMonth ? daysInMonth(monthOfDay(day)) : 1;
  const daysToCome = isMonth ? days - dayOfMonth(day) : 0;
  if (laneOf(purpose) !== 'bulk' || !budget.startsWith('total/'))
    return { day, days, daysToCome, keptPerDay: 0 };
  const usual = Math.ceil(Math.max(0, ...leadsUpTo(view.totals ?? EMPTY_TOTALS, day).before) * MARGIN);
  const keptPerDay = Math.max(usual, Math.ceil((limitCredits * LEADS_SHARE) / days));
  return { day, days, daysToCome, keptPerDay };
}

/** The budgets that a purpose is held to. */
export function applicableBudgets(view: BudgetView, purpose: Purpose): Use[] {
  const states = usesOf(view);
  const total = states.filter(({ budget }) => budget.startsWith('total/'));
  if (total.length === 0) {
    return [{ budget: 'total/none-set', limitCredits: 0, usedCredits: 0, leftCredits: 0 }];
  }
  return [...total, ...states.filter(({ budget }) => budget.startsWith(`${purpose}/`))];
}

function purposesOf(budgets: Budgets): [Purpose, PeriodLimits | undefined][] {
  return PURPOSES.map((purpose) => [purpose, budgets.purposes?.[purpose]]);
}

interface Scope {
  readonly budget: string;
  readonly limit: number | undefined;
  readonly purpose: Purpose | undefined;
  readonly period: 'day' | 'month';
}

function useOf(view: BudgetView, { budget, limit, purpose, period }: Scope): Use[] {
  if (limit === undefined) return [];
  const day = dayOf(view.nowMs, view.timeZone);
  const totals = view.totals?.periods[period === 'day' ? day : monthOfDay(day)];
  const usedCredits = totals ? used(totals, purpose) : 0;
  return [{ budget, limitCredits: limit, usedCredits, leftCredits: limit - usedCredits }];
}

function used(totals: PeriodTotals, purpose: Purpose | undefined): number {
  const counted = purpose ? [totals[purpose]] : Object.values(totals);
  return counted.reduce((sum, amounts) => sum + committed(amounts), 0);
}
