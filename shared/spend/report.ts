import {
  type BudgetState,
  type Expiry,
  type LedgerEntry,
  leadsPerDay,
  nextExpiry,
  type OpenReservation,
} from '#shared/credit-ledger';
import { byObjectType, type ObjectType, PURPOSES, type Purpose } from '#shared/crm';
import { dayOf, monthBefore, monthOfDay } from '#shared/kernel';
import { type BookedDoubts, objectTypeOf } from '#shared/questions';
import { type DayStop, type NamedDay, withStops, type YieldCount, yieldsOf } from '#shared/records';
import type { BackfillSummary } from './backfills.ts';
import { forecastOf } from './forecast.ts';
import type { SpendRow } from './schemas.ts';
import {
  daysOf,
  isSelected,
  type Selection,
  type Spend,
  sum,
  WITHOUT_ASKER,
  WITHOUT_RULE,
  wholeMonth,
} from './selection.ts';
import { type Results, type SpendYield, type YieldPart, yieldOf, yieldsBy } from './spend-book.ts';
import { type Stop, type StopFacts, stopsOf } from './stops.ts';
import type { WaitingSummary } from './waiting.ts';

/**
 * The spend report. Credits are whole numbers, days and months are in the policy's time zone, and times are in epoch
 * milliseconds. Figures of the selection belong to its range. All other figures are current.
 */
export interface SpendReport {
  readonly account: string;
  /** This month unless another range or a filter was picked. */
  readonly selection: Selection;
  readonly isPicked: boolean;
  readonly selected: Spend;
  /** Days of the selection up to today, oldest first, including days without spend. */
  readonly byDay: readonly DaySpend[];
  readonly generatedAtMs: number;
  readonly timeZone: string;
  readonly today: string;
  readonly month: string;
  readonly spentTodayCredits: number;
  readonly spentMonthCredits: number;
  /** Estimated spend of the whole month: `forecastOf`. Counts waiting records if the report includes them. */
  readonly forecastMonthCredits: number;
  /** Credits reserved for requests in progress, at their highest cost. */
  readonly pendingCredits: number;
  /** Credits of requests with an unknown outcome, at their highest cost. */
  readonly doubtfulCredits: number;
  /** Requests with an unknown outcome, oldest first. They count against the budgets until they are decided. */
  readonly openDoubts: readonly OpenReservation[];
  /**
   * Doubts that were booked as charged without a proof. They are part of the spend. Present if the report includes
   * them.
   */
  readonly bookedDoubts?: BookedDoubts;
  /** True if nothing was ever booked. */
  readonly isEmpty: boolean;
  /** All charges since the first entry of the ledger. */
  readonly chargedCredits: number;
  /** Bought credits that are booked in the ledger; absent if none are. */
  readonly grantedCredits?: number;
  /** Granted and adjusted credits minus posted ones, since the first entry. */
  readonly balanceCredits?: number;
  /** The bought credits that expire next; absent if none expire. */
  readonly nextExpiry?: Expiry;
  readonly budgets: readonly BudgetState[];
  /** Present if the report includes waiting records. */
  readonly waiting?: WaitingSummary;
  /** Started backfills, newest first. */
  readonly backfills?: readonly BackfillSummary[];
  /** Credits and results of the selection in all. The results are absent if the report does not include them. */
  readonly total: Results;
  readonly yields: Readonly<Record<YieldPart, readonly SpendYield[]>>;
  /** The selection's charges without a rule, by the object type that their lookup is about. No search is among them. */
  readonly withoutRule: Readonly<Record<ObjectType, Results>>;
  /** Reasons why no lookup, or not every lookup, is made now. The worst reason comes first. */
  readonly stops: readonly Stop[];
  /**
   * Stops on the days of the selection, oldest first: those that the sweeps saw, and the present ones. Present if the
   * report includes them.
   */
  readonly stopDays?: readonly StopOfDay[];
  /** Price of one credit in money, if the policy has one. */
  readonly creditPrice?: CreditPrice;
  /** Whether credits are real, if known. */
  readonly service?: ServiceKind;
}

export interface DaySpend extends Spend {
  readonly day: string;
  /** The day's credits by purpose. It has only purposes with credits, in the order of `PURPOSES`. */
  readonly purposes: readonly { readonly purpose: Purpose; readonly credits: number }[];
}

export type StopOfDay = DayStop & { readonly day: string };

export interface CreditPrice {
  readonly amount: number;
  /** ISO 4217: `EUR`. */
  readonly currency: string;
}

export type ServiceKind = 'real' | 'stand-in';

export interface ReportInput {
  readonly account: string;
  /** Rows of all months that `monthsNeeded` returns, and of the months of the selection. */
  readonly rows: readonly SpendRow[];
  /** A selection to show instead of this month. */
  readonly picked?: Selection | undefined;
  /** Last ledger entry that the rows include. */
  readonly newest: LedgerEntry | undefined;
  readonly budgets: readonly BudgetState[];
  readonly nowMs: number;
  readonly timeZone: string;
  /** Yields and stops of the days of this month or of the selection. */
  readonly days?: readonly NamedDay[] | undefined;
  readonly stopFacts?: StopFacts | undefined;
  readonly bookedDoubts?: BookedDoubts | undefined;
  readonly creditPrice?: CreditPrice | undefined;
  readonly service?: ServiceKind | undefined;
  readonly stack?: string | undefined;
  readonly waiting?: WaitingSummary | undefined;
  readonly backfills?: readonly BackfillSummary[] | undefined;
}

/** Returns the months that a current report reads: this month and the month before, which also has recent prices. */
export function monthsNeeded({ nowMs, timeZone }: { nowMs: number; timeZone: string }): string[] {
  const month = monthOfDay(dayOf(nowMs, timeZone));
  return [monthBefore(month), month];
}

export function buildReport(input: ReportInput): SpendReport {
  const { account, rows, picked, newest, budgets, nowMs, timeZone, waiting, days, stack } = input;
  const today = dayOf(nowMs, timeZone);
  const month = monthOfDay(today);
  const selection = picked ?? wholeMonth(month);
  const spentMonthCredits = sum(rows.filter(({ day }) => monthOfDay(day) === month)).credits;
  const selectedRows = rows.filter((row) => isSelected(selection, row));
  const runs = selectedYields(input, selection);
  const { pending = 0, doubtful = 0, posted = 0 } = newest?.totals.lifetime ?? {};
  const stops = stopsOf({ facts: input.stopFacts, waiting, budgets, nowMs, stack });
  const { inTurn = [], timedCredits = 0 } = waiting ?? {};
  return {
    account,
    selection,
    isPicked: picked !== undefined,
    selected: sum(selectedRows),
    byDay: spendByDay(selectedRows, selection, today),
    generatedAtMs: nowMs,
    timeZone,
    today,
    month,
    spentTodayCredits: sum(rows.filter(({ day }) => day === today)).credits,
    spentMonthCredits,
    forecastMonthCredits: forecastOf({
      spentCredits: spentMonthCredits,
      needs: [...inTurn, { credits: timedCredits }],
      leadsPerDay: newest ? leadsPerDay(newest.totals, today) : 0,
      budgets,
      nowMs,
      timeZone,
    }),
    pendingCredits: pending,
    doubtfulCredits: doubtful,
    openDoubts: openDoubts(newest?.open),
    ...(input.bookedDoubts && { bookedDoubts: input.bookedDoubts }),
    isEmpty: newest === undefined && rows.length === 0,
    chargedCredits: posted,
    ...balance(newest, today),
    budgets,
    ...(waiting && { waiting }),
    ...(input.backfills && { backfills: input.backfills }),
    total: yieldOf(selectedRows, runs),
    yields: {
      purpose: yieldsBy('purpose', selectedRows, runs),
      source: yieldsBy('source', selectedRows, runs),
      rule: yieldsBy('rule', selectedRows, runs),
      operation: yieldsBy('operation', selectedRows, runs),
    },
    withoutRule: byObjectType((objectType) => yieldOf(withoutRule(selectedRows, objectType), undefined)),
    stops,
    ...(days && { stopDays: days.flatMap((day) => stopsOn(day, today, stops, input)) }),
    ...(input.creditPrice && { creditPrice: input.creditPrice }),
    ...(input.service && { service: input.service }),
  };
}

function withoutRule(rows: readonly SpendRow[], objectType: ObjectType): SpendRow[] {
  return rows.filter(({ rule, operation }) => rule === undefined && objectTypeOf(operation) === objectType);
}

function spendByDay(rows: readonly SpendRow[], selection: Selection, today: string): DaySpend[] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days = daysOf(selection).filter((day) => day <= today || byDay.has(day));
  return days.map((day) => {
    const ofDay = byDay.get(day) ?? [];
    const purposes = PURPOSES.map((purpose) => ({
      purpose,
      credits: sum(ofDay.filter((row) => row.purpose === purpose)).credits,
    }));
    return { day, ...sum(ofDay), purposes: purposes.filter(({ credits }) => credits > 0) };
  });
}

/** Adds the present stops to those that the sweeps saw today. A sweep may not have seen them yet. */
function stopsOn(
  { day, stops: seen }: NamedDay,
  today: string,
  stops: readonly Stop[],
  moment: Pick<ReportInput, 'nowMs' | 'timeZone'>,
): StopOfDay[] {
  const ofDay = day === today ? withStops(seen, stops, moment) : seen;
  return ofDay.toSorted((a, b) => a.fromMs - b.fromMs).map((stop) => ({ day, ...stop }));
}

/** Returns the runs of the selection. Absent if it filters by operation or outcome, because runs are not counted by these. */
function selectedYields({ days }: ReportInput, selection: Selection): readonly YieldCount[] | undefined {
  const { purpose, operation, outcome, rule, askedBy } = selection;
  if (!days || operation !== undefined || outcome !== undefined) return undefined;
  return yieldsOf(days).filter(
    (row) =>
      row.purpose === (purpose ?? row.purpose) &&
      (rule === undefined || (row.rule ?? WITHOUT_RULE) === rule) &&
      (askedBy === undefined || (row.source ?? WITHOUT_ASKER) === askedBy),
  );
}

function openDoubts(open: readonly OpenReservation[] = []): readonly OpenReservation[] {
  return open.filter(({ state }) => state === 'doubtful').toSorted((a, b) => a.atMs - b.atMs);
}

/** Without a grant, the ledger does not know the bought credits, and therefore no balance. */
function balance(
  newest: LedgerEntry | undefined,
  today: string,
): Pick<SpendReport, 'grantedCredits' | 'balanceCredits' | 'nextExpiry'> {
  if (!newest || newest.totals.lifetime.granted === 0) return {};
  const { granted, adjusted, posted } = newest.totals.lifetime;
  const balanceCredits = granted + adjusted - posted;
  const expiry = nextExpiry(newest.totals, today);
  const leftCredits = Math.min(expiry?.leftCredits ?? 0, balanceCredits);
  return {
    grantedCredits: granted,
    balanceCredits,
    ...(expiry && leftCredits > 0 && { nextExpiry: { ...expiry, leftCredits } }),
  };
}
