import type { Policy } from '#shared/field-policy/policy.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { MONTH_DAYS, plus, type RecordAsks, times, type Window } from './asking.ts';

/** Credits of 30 days, whole ones. */
export interface CreditRange {
  readonly low: number;
  readonly high: number;
}

/** What a policy asks for in 30 days. */
export interface MonthAhead {
  /** New records, and known ones to which something happens, as often as in the days that were looked back at. */
  readonly live: CreditRange & { readonly questions: number };
  /** Records that become stale, as far as the budget for it goes. */
  readonly refresh: CreditRange & { readonly questions: number };
  readonly credits: CreditRange;
  /** Refreshes of 30 days once every answer has reached the age that the policy allows: what it comes to later. */
  readonly refreshLater: CreditRange;
}

export interface CreditComparison {
  /** Whole days that were looked back at. */
  readonly days: number;
  readonly before: MonthAhead;
  readonly after: MonthAhead;
  /** The new policy's credits of the first 30 days less the current one's. */
  readonly difference: CreditRange;
  readonly differenceLater: CreditRange;
}

/** 90% of months like the days that were looked back at lie inside. */
const SPREAD = 1.645;

interface Sums {
  readonly asks: RecordAsks;
  /** Of single records' live credits, for the spread. */
  readonly squares: number;
}

const NO_ASKS = { questions: 0, low: 0, high: 0 };
const NO_SUMS: Sums = { asks: { live: NO_ASKS, refresh: NO_ASKS, settled: NO_ASKS }, squares: 0 };

/** Adds up what two policies would ask for, record by record. */
export function createForecast(
  { before, after }: { readonly before: Policy; readonly after: Policy },
  { fromMs, nowMs }: Window,
) {
  const scale = (MONTH_DAYS * DAY_MS) / (nowMs - fromMs);
  let sums = { before: NO_SUMS, after: NO_SUMS };
  let differing = { low: 0, high: 0, squares: 0 };
  return {
    add: (asks: { readonly before: RecordAsks; readonly after: RecordAsks }) => {
      sums = { before: added(sums.before, asks.before), after: added(sums.after, asks.after) };
      const low = asks.after.live.low - asks.before.live.low;
      const high = asks.after.live.high - asks.before.live.high;
      differing = {
        low: differing.low + Math.min(low, high),
        high: differing.high + Math.max(low, high),
        squares: differing.squares + Math.max(low ** 2, high ** 2),
      };
    },
    result: (): CreditComparison => {
      const months = {
        before: monthOf(sums.before, before, scale),
        after: monthOf(sums.after, after, scale),
      };
      const spread = SPREAD * scale * Math.sqrt(differing.squares);
      const live = { low: differing.low * scale - spread, high: differing.high * scale + spread };
      const refresh = less(months.after.refresh, months.before.refresh);
      return {
        days: Math.round((nowMs - fromMs) / DAY_MS),
        ...months,
        difference: whole({ low: live.low + refresh.low, high: live.high + refresh.high }),
        differenceLater: whole(less(months.after.refreshLater, months.before.refreshLater)),
      };
    },
  };
}

function added({ asks, squares }: Sums, { live, refresh, settled }: RecordAsks): Sums {
  return {
    asks: {
      live: plus(asks.live, live),
      refresh: plus(asks.refresh, refresh),
      settled: plus(asks.settled, settled),
    },
    squares: squares + live.high ** 2,
  };
}

function monthOf({ asks, squares }: Sums, { budgets }: Policy, scale: number): MonthAhead {
  const live = times(asks.live, scale);
  const spread = SPREAD * scale * Math.sqrt(squares);
  const all = ofMonth(budgets);
  const most = Math.min(all, ofMonth(budgets.purposes.refresh ?? {}));
  const ranges = {
    live: capped({ low: Math.max(0, live.low - spread), high: live.high + spread }, all),
    refresh: capped(asks.refresh, most),
  };
  const sum = { low: ranges.live.low + ranges.refresh.low, high: ranges.live.high + ranges.refresh.high };
  return {
    live: { questions: Math.round(live.questions), ...whole(ranges.live) },
    refresh: { questions: Math.round(asks.refresh.questions), ...whole(ranges.refresh) },
    credits: whole(capped(sum, all)),
    refreshLater: whole(capped(asks.settled, most)),
  };
}

/** Credits that a budget pays for in 30 days. */
function ofMonth({ perDay, perMonth }: { perDay?: number | undefined; perMonth?: number | undefined }) {
  const byDay = perDay === undefined ? Number.POSITIVE_INFINITY : perDay * MONTH_DAYS;
  return Math.min(byDay, perMonth ?? Number.POSITIVE_INFINITY);
}

function capped({ low, high }: CreditRange, most: number): CreditRange {
  return { low: Math.min(low, most), high: Math.min(high, most) };
}

function whole({ low, high }: CreditRange): CreditRange {
  return { low: Math.floor(low), high: Math.ceil(high) };
}

/** The same records are asked about by both: what is uncertain of them is so in both alike. */
function less(after: CreditRange, before: CreditRange): CreditRange {
  const [low, high] = [after.low - before.low, after.high - before.high];
  return { low: Math.min(low, high), high: Math.max(low, high) };
}
