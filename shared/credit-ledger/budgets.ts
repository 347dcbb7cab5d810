import { laneOf, PURPOSE_LABELS, PURPOSES, type Purpose } from '#shared/crm';
import {
  counted,
  DAY_MS,
  dayOf,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  HOUR_MS,
  monthOfDay,
  nextDayStart,
  nextMonthStart,
} from '#shared/kernel';
import type { PeriodTotals, Totals } from './schemas.ts';
import {
  committed,
  EMPTY_TOTALS,
  isPersonsLimit,
  leadsPerDay,
  leadsUpTo,
  usedByLeads,
  usedByPerson,
} from './totals.ts';

export interface PeriodLimits {
  /** Credits a calendar day. */
  readonly perDay?: number | undefined;
  /** Credits a calendar month. */
  readonly perMonth?: number | undefined;
}

/** Upper limits in credits. If no total limit is set, nothing may be spent. */
export interface Budgets extends PeriodLimits {
  readonly purposes?: Partial<Readonly<Record<Purpose, PeriodLimits | undefined>>> | undefined;
}

/** Limit of each HubSpot user who asks on a page inside HubSpot, and the ids of the users without this limit. */
export interface PeopleLimits {
  readonly creditsPerDay: number;
  readonly spend: readonly string[];
}

export interface BudgetState {
  /** `total/day`, `total/month`, `refresh/day`, ... */
  readonly budget: string;
  readonly limitCredits: number;
  readonly usedCredits: number;
  readonly leftCredits: number;
  /** The part of `leftCredits` that is reserved for leads now. */
  readonly keptCredits?: number;
  /** When the period ends, epoch milliseconds. */
  readonly resetsAtMs: number;
}

/** The ledger's totals and the budgets. Pending, posted and doubtful credits all count as used. */
interface BudgetView {
  readonly totals: Totals | undefined;
  readonly budgets: Budgets;
  readonly people?: PeopleLimits | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** A budget's refusal, and the earliest time when the credits can be spent. */
export interface BudgetRefusal extends BudgetState {
  readonly neededCredits: number;
  /** Epoch milliseconds. The time is later if leads use their reserve before it. */
  readonly opensAtMs: number;
}

/** The purpose and priority of a purchase. */
export interface Spender {
  readonly purpose: Purpose;
  /** A person allowed this record to use the reserve for leads. */
  readonly overrulesReserve?: boolean | undefined;
  readonly askedBy?: string | undefined;
}

/** The use of a budget, without the end of its period, which is costly to compute. `stateOf` adds it. */
type Use = Omit<BudgetState, 'keptCredits' | 'resetsAtMs'>;

/** Returns all budgets in force, with their unused credits. */
export function budgetStates(view: BudgetView): BudgetState[] {
  return usesOf(view).map((use) => stateOf(use, view));
}

function stateOf(use: Use, view: BudgetView): BudgetState {
  const { nowMs, timeZone } = view;
  const next = budgetParts(use).period === 'month' ? nextMonthStart : nextDayStart;
  const keptCredits = Math.min(use.leftCredits, reservedIn(use, view, BULK));
  return { ...use, resetsAtMs: next(nowMs, timeZone), ...(keptCredits > 0 && { keptCredits }) };
}

/** Stands for all purposes that may not use the reserve. */
const BULK: Spender = { purpose: 'import' };

interface BudgetParts {
  readonly scope: 'total' | 'person' | Purpose;
  /** Absent in the budget of 0 credits, which applies if no budget is set. */
  readonly period?: 'day' | 'month';
}

const NO_BUDGET: Use = { budget: 'total/none-set', limitCredits: 0, usedCredits: 0, leftCredits: 0 };

/** Limit of one person in a day. It is listed with no other budget, because it is another one for each person. */
const OF_PERSON = 'person/day';

const BUDGETS: ReadonlyMap<string, { readonly scope: 'total' | Purpose; readonly period: 'day' | 'month' }> =
  new Map(
    (['total', ...PURPOSES] as const).flatMap((scope) =>
      (['day', 'month'] as const).map((period) => [`${scope}/${period}`, { scope, period }] as const),
    ),
  );

export function budgetParts({ budget }: Pick<BudgetState, 'budget'>): BudgetParts {
  if (budget === OF_PERSON) return { scope: 'person', period: 'day' };
  return BUDGETS.get(budget) ?? { scope: 'total' };
}

function usesOf({ budgets, totals, nowMs, timeZone }: BudgetView): Use[] {
  const day = dayOf(nowMs, timeZone);
  const periods = { day, month: monthOfDay(day) };
  return [...BUDGETS].flatMap(([budget, { scope, period }]) => {
    const limits = scope === 'total' ? budgets : budgets.purposes?.[scope];
    const limitCredits = period === 'day' ? limits?.perDay : limits?.perMonth;
    if (limitCredits === undefined) return [];
    const usedCredits = usedIn(totals?.periods[periods[period]], scope);
    return [{ budget, limitCredits, usedCredits, leftCredits: limitCredits - usedCredits }];
  });
}

function usedIn(totals: PeriodTotals = {}, scope: 'total' | Purpose): number {
  const amounts = scope === 'total' ? Object.values(totals) : [totals[scope]];
  return amounts.reduce((sum, amount) => sum + committed(amount), 0);
}

/** Returns the budget that refuses this amount now, if any. If several refuse, returns the one that opens last. */
export function refusingBudget(
  view: BudgetView,
  { amountCredits: neededCredits, ...spender }: Spender & { readonly amountCredits: number },
): BudgetRefusal | undefined {
  const [refusing] = [...personsUse(view, spender), ...applicableBudgets(view, spender.purpose)]
    .filter((use) => leftOf(use, view, spender) < neededCredits)
    .map((use) => {
      const { keptCredits: _, ...state } = stateOf(use, view);
      const keptCredits = Math.min(state.leftCredits, reservedIn(use, view, spender));
      const opensAtMs = opensAt(use, view, neededCredits) ?? state.resetsAtMs;
      return { ...state, ...(keptCredits > 0 && { keptCredits }), neededCredits, opensAtMs };
    })
    .sort((a, b) => b.opensAtMs - a.opensAtMs);
  return refusing;
}

/** The limit of the person who asks, if one applies. */
function personsUse({ people, totals = EMPTY_TOTALS, ...view }: BudgetView, spender: Spender): Use[] {
  if (!people || !isPersonsLimit(spender)) return [];
  const { askedBy } = spender;
  if (people.spend.some((id) => askedBy === `user:${id}`)) return [];
  const usedCredits = usedByPerson(totals, { day: dayOf(view.nowMs, view.timeZone), askedBy });
  const limitCredits = people.creditsPerDay;
  return [{ budget: OF_PERSON, limitCredits, usedCredits, leftCredits: limitCredits - usedCredits }];
}

/** Returns the credits that may still be spent for a purpose now. */
export function leftFor(view: BudgetView, spender: Spender): number {
  const leftByBudget = applicableBudgets(view, spender.purpose).map((use) => leftOf(use, view, spender));
  return Math.max(0, Math.min(...leftByBudget));
}

/**
 * Returns the credits that a budget has left for this spender. Imports and other bulk work must not use the reserve for
 * leads.
 */
function leftOf(use: Use, view: BudgetView, spender: Spender): number {
  return use.leftCredits - reservedIn(use, view, spender);
}

function reservedIn(use: Use, view: BudgetView, { purpose, overrulesReserve }: Spender): number {
  if (overrulesReserve || laneOf(purpose) !== 'bulk' || budgetParts(use).scope !== 'total') return 0;
  const { nowMs, timeZone } = view;
  return reservedNow({ ...reserveOf(use, view), msLeftToday: nextDayStart(nowMs, timeZone) - nowMs });
}

/**
 * Computes the credits that a budget reserves for leads. A month's budget reserves a share for each remaining day. It
 * is an even share, or less if leads have used more. Imports do not reduce the share; otherwise they would halve it
 * every day.
 */
function reserveOf(use: Use, { totals = EMPTY_TOTALS, nowMs, timeZone }: BudgetView) {
  const day = dayOf(nowMs, timeZone);
  const usedCredits = usedByLeads(totals.periods[day]);
  const { before } = leadsUpTo(totals, day);
  const { limitCredits } = use;
  if (budgetParts(use).period !== 'month')
    return { perDayCredits: dailyReserve(before, limitCredits), usedCredits, daysToCome: 0 };
  const month = monthOfDay(day);
  const days = daysInMonth(month);
  const daysToCome = days - dayOfMonth(day);
  const leftForLeads = limitCredits - (usedByLeads(totals.periods[month]) - usedCredits);
  const share = Math.min(limitCredits / days, leftForLeads / (daysToCome + 1));
  return { perDayCredits: dailyReserve(before, share), usedCredits, daysToCome };
}

/**
 * Returns the time when the reserve is small enough for the amount, if leads use no more credits. Epoch milliseconds;
 * `undefined` if the budget has too few credits left.
 */
function opensAt(use: Use, view: BudgetView, neededCredits: number): number | undefined {
  const maxReserve = use.leftCredits - neededCredits;
  if (maxReserve < 0) return undefined;
  let { usedCredits, ...reserve } = reserveOf(use, view);
  let dayStartMs = view.nowMs;
  for (let { daysToCome } = reserve; daysToCome >= 0; daysToCome -= 1) {
    const dayEndMs = nextDayStart(dayStartMs, view.timeZone);
    const beforeMs = releasedBefore({ ...reserve, usedCredits, daysToCome }, maxReserve);
    if (beforeMs > 0) return Math.max(dayStartMs, Math.floor(dayEndMs - beforeMs) + 1);
    usedCredits = 0;
    dayStartMs = dayEndMs;
  }
  return undefined;
}

/** Speed at which the budgets cover a purpose's requests. */
export interface BudgetPace {
  /** Average credits a day, minus the usual use by leads. */
  readonly leftPerDay: number;
  /** Time until the budgets allow the next request, milliseconds; 0 if a request is allowed now. */
  readonly closedMs: number;
}

export function paceFor(view: BudgetView, wanted: Spender & { readonly amountCredits: number }): BudgetPace {
  const { purpose } = wanted;
  const day = dayOf(view.nowMs, view.timeZone);
  const usedPerDay = laneOf(purpose) === 'bulk' ? leadsPerDay(view.totals ?? EMPTY_TOTALS, day) : 0;
  const perDayByBudget = applicableBudgets(view, purpose).map((use) => {
    const days = budgetParts(use).period === 'month' ? daysInMonth(monthOfDay(day)) : 1;
    return use.limitCredits / days - (budgetParts(use).scope === 'total' ? usedPerDay : 0);
  });
  const refusing = refusingBudget(view, wanted);
  const closedMs = refusing ? refusing.opensAtMs - view.nowMs : 0;
  return { leftPerDay: Math.max(0, Math.min(...perDayByBudget)), closedMs };
}

/** Returns the whole days until the budgets have covered these credits; `undefined` if the budgets cover none. */
export function daysToPay(credits: number, { leftPerDay, closedMs }: BudgetPace): number | undefined {
  return leftPerDay > 0 ? Math.ceil(closedMs / DAY_MS + credits / leftPerDay) : undefined;
}

/** The budgets that limit a purpose. */
function applicableBudgets(view: BudgetView, purpose: Purpose): Use[] {
  const states = usesOf(view);
  const total = states.filter((state) => budgetParts(state).scope === 'total');
  if (total.length === 0) {
    return [NO_BUDGET];
  }
  return [...total, ...states.filter((state) => budgetParts(state).scope === purpose)];
}

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

export interface Expiry {
  /** The last day on which the credits can be used. */
  readonly day: string;
  readonly leftCredits: number;
}

/**
 * Returns the bought credits that expire next: the sum of all grants with the same last day. Credits that expire first
 * are used first. Charges that an expired grant covered count for the others, so `leftCredits` is then a lower bound.
 */
export function nextExpiry(totals: Totals | undefined, today: string): Expiry | undefined {
  const lots = (totals?.expiring ?? []).filter(({ day }) => day >= today);
  const leftByDay = new Map<string, number>();
  for (const [nth, { day, credits, postedBefore }] of lots.entries()) {
    leftByDay.set(day, (leftByDay.get(day) ?? 0) + credits);
    // Charges until the next grant can only use the credits of the grants so far.
    const postedAfter = lots[nth + 1]?.postedBefore ?? totals?.lifetime.posted ?? 0;
    let charged = postedAfter - postedBefore;
    for (const [each, left] of inOrder(leftByDay)) {
      const used = Math.min(left, charged);
      leftByDay.set(each, left - used);
      charged -= used;
    }
  }
  const next = inOrder(leftByDay).find(([, left]) => left > 0);
  return next && { day: next[0], leftCredits: next[1] };
}

function inOrder(byDay: ReadonlyMap<string, number>): [day: string, credits: number][] {
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the credits a day that use up the next expiring credits in time, minus the usual use by fresh leads. */
function creditsToUseUp({ totals, nowMs, timeZone }: BudgetView, purpose: Purpose): number {
  const day = dayOf(nowMs, timeZone);
  const next = nextExpiry(totals, day);
  if (!next || !totals) return 0;
  const days = daysBetween(day, next.day) + 1;
  const usedToday = committed(totals.periods[day]?.[purpose]);
  return Math.ceil((next.leftCredits + usedToday) / days - leadsPerDay(totals, day) - usedToday);
}

/** Smallest reserve, as a share of a day's budget, so that a new installation also has a reserve. */
const MIN_SHARE = 1 / 5;

/** Largest reserve, as a share of a day's budget, so that imports and refreshes start every day. */
const MAX_SHARE = 1 / 2;

/**
 * The reserve covers the use on this share of days. So one busy day does not raise the reserve, but eight of 28 days
 * do.
 */
const PERCENTILE = 3 / 4;

/** Length of the last part of the day, in which the unused reserve is released evenly. */
const RELEASE_MS = 6 * HOUR_MS;

/**
 * Computes the credits that one day's budget reserves for leads and for people's requests. The result can be a
 * fraction.
 * @param usedByDay credits that leads and people's requests used on each of the last days, in any order.
 */
export function dailyReserve(usedByDay: readonly number[], budgetCredits: number): number {
  const ascending = usedByDay.toSorted((a, b) => a - b);
  const usual = ascending[Math.ceil(ascending.length * PERCENTILE) - 1] ?? 0;
  const share = Math.max(0, budgetCredits);
  return Math.min(share * MAX_SHARE, Math.max(usual, share * MIN_SHARE));
}

interface ReserveNow {
  /** See `dailyReserve`. */
  readonly perDayCredits: number;
  /** Credits that leads and people's requests have used today. */
  readonly usedCredits: number;
  /** Time until midnight. */
  readonly msLeftToday: number;
  /** Days of the budget's period after today. */
  readonly daysToCome: number;
}

/**
 * Computes the whole credits that a budget reserves now: the rest of today's reserve, and the reserves of later days.
 */
export function reservedNow({ perDayCredits, usedCredits, msLeftToday, daysToCome }: ReserveNow): number {
  const unused = Math.max(0, perDayCredits - usedCredits);
  const part = Math.min(1, Math.max(0, msLeftToday / RELEASE_MS));
  return Math.round(unused * part + perDayCredits * daysToCome);
}

/**
 * Computes how long before midnight the reserve falls to `maxCredits`, milliseconds. Infinity: it is at most this all
 * day. 0: it is higher all day.
 */
export function releasedBefore(reserve: Omit<ReserveNow, 'msLeftToday'>, maxCredits: number): number {
  const isReleased = (msLeftToday: number) => reservedNow({ ...reserve, msLeftToday }) <= maxCredits;
  if (isReleased(RELEASE_MS)) return Number.POSITIVE_INFINITY;
  if (!isReleased(0)) return 0;
  const { perDayCredits, usedCredits, daysToCome } = reserve;
  // Half a credit is rounded up in `reservedNow`.
  const maxUnused = maxCredits + 0.5 - perDayCredits * daysToCome;
  return (maxUnused / (perDayCredits - usedCredits)) * RELEASE_MS;
}

type Refused = Pick<
  BudgetRefusal,
  'budget' | 'limitCredits' | 'leftCredits' | 'keptCredits' | 'neededCredits'
>;

/** Explains to a person why a budget refuses. Callers add the time when the budget opens. */
export function refusalSentence({ neededCredits, ...state }: Refused): string {
  const { budget, limitCredits, leftCredits, keptCredits = 0 } = state;
  const { scope, period } = budgetParts({ budget });
  if (!period) return 'No budget is set: nothing is spent.';
  if (scope === 'person')
    return `A person may use ${counted(limitCredits, 'credit')} a day, and ${Math.max(0, leftCredits)} are left. Ask a user in \`people.spend\` of the policy.`;
  const purpose = scope === 'total' ? '' : ` for "${PURPOSE_LABELS[scope]}"`;
  const name = `The budget of ${counted(limitCredits, 'credit')} a ${period}${purpose}`;
  const left = Math.max(0, leftCredits);
  if (left === 0) return `${name} is used up.`;
  const isAll = keptCredits >= left;
  const kept = keptCredits === 0 ? '' : `, ${isAll ? '' : `${keptCredits} of them `}reserved for new leads`;
  const needs = isAll ? '' : ` This needs ${counted(neededCredits, 'credit')}.`;
  return `${name} has ${left} left${kept}.${needs}`;
}
