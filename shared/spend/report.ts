import { type BudgetState, type LedgerEntry, leadsPerDay, type OpenReservation } from '#shared/credit-ledger';
import { sourceOfAsker } from '#shared/crm';
import type { BackfillSummary } from '#shared/extensions/backfill';
import { dayOf, monthBefore, monthOfDay } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import { type DayStop, type NamedDay, withStops, type YieldCount, yieldsOf } from '#shared/records';
import { forecastOf } from './forecast.ts';
import type { SpendRow } from './schemas.ts';
import {
  isSelected,
  periodBefore,
  type SelectedSpend,
  type Selection,
  type Spend,
  spendOf,
  sum,
  WITHOUT_ASKER,
  WITHOUT_RULE,
} from './selection.ts';

import { type Stop, type StopFacts, stopsOf } from './stops.ts';
import type { WaitingSummary } from './waiting.ts';
import { type SpendResults, type SpendYield, spendResults, type YieldPart, yieldsBy } from './yields.ts';

/** A charge that may or may not have been made. It counts against the budget until it is resolved. */
export type OpenDoubt = Pick<
  OpenReservation,
  'id' | 'questionKey' | 'operation' | 'purpose' | 'amountCredits' | 'day' | 'atMs'
>;

/**
 * The spend report. Credits are whole numbers, days and months are in the policy's time zone, and times are in epoch
 * milliseconds. Figures of the selection belong to its range. All other figures are current.
 */
export interface SpendReport extends SelectedSpend {
  readonly account: string;
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
  /** Oldest first. */
  readonly openDoubts: readonly OpenDoubt[];
  /**
   * Doubts that were booked as charged without a proof. They are part of the spend. Present if the report includes
   * them.
   */
  readonly bookedDoubts?: BookedDoubts;
  /** True if nothing was ever booked. */
  readonly isEmpty: boolean;
  /** Bought credits that are booked in the ledger; absent if none are. */
  readonly grantedCredits?: number;
  /** Granted and adjusted credits minus posted ones, since the first entry. */
  readonly balanceCredits?: number;
  readonly budgets: readonly BudgetState[];
  /** Present if the report includes waiting records. */
  readonly waiting?: WaitingSummary;
  /** Started backfills, newest first. */
  readonly backfills?: readonly BackfillSummary[];
  /** Results of the selection's credits and runs. Present if the report includes them. */
  readonly brought?: SpendResults;
  /** Credits and results of the selection. Fields and runs are zero if `brought` is absent. */
  readonly yields: Readonly<Record<YieldPart, readonly SpendYield[]>>;
  /** Spend of the period before, with the same filters. */
  readonly before: Spend & { readonly selection: Selection };
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

export type StopOfDay = DayStop & { readonly day: string };

export interface CreditPrice {
  readonly amount: number;
  /** ISO 4217: `EUR`. */
  readonly currency: string;
}

export type ServiceKind = 'real' | 'stand-in';

export interface ReportInput {
  readonly account: string;
  /** Rows of all months that `monthsNeeded` returns, and of the months of the selection and of the period before. */
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
  const { account, rows, newest, budgets, nowMs, timeZone } = input;
  const today = dayOf(nowMs, timeZone);
  const month = monthOfDay(today);
  const ofMonth = rows.filter(({ day }) => monthOfDay(day) === month);
  const spentMonthCredits = sum(ofMonth).credits;
  const spend = spendOf(rows, { picked: input.picked, nowMs, timeZone });
  const yieldCounts = selectedYields(input, spend.selection);
  const selectedRows = rows.filter((row) => isSelected(spend.selection, row));
  const yields = { rows: selectedRows, brought: yieldCounts ?? [] };
  const stops = stopsOf({
    facts: input.stopFacts,
    waiting: input.waiting,
    budgets,
    nowMs,
    stack: input.stack,
  });
  const before = periodBefore(spend.selection, today);
  const { inTurn = [], timedCredits = 0 } = input.waiting ?? {};
  return {
    account,
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
    pendingCredits: newest?.totals.lifetime.pending ?? 0,
    doubtfulCredits: newest?.totals.lifetime.doubtful ?? 0,
    openDoubts: openDoubts(newest?.open),
    ...(input.bookedDoubts && { bookedDoubts: input.bookedDoubts }),
    isEmpty: newest === undefined && rows.length === 0,
    ...balance(newest),
    ...spend,
    budgets,
    ...(input.waiting && { waiting: input.waiting }),
    ...(input.backfills && { backfills: input.backfills }),
    ...(yieldCounts && { brought: spendResults(yieldCounts, spend.selected.credits) }),
    yields: {
      purpose: yieldsBy('purpose', yields),
      source: yieldsBy('source', yields),
      rule: yieldsBy('rule', yields),
      operation: yieldsBy('operation', yields),
    },
    before: { selection: before, ...sum(rows.filter((row) => isSelected(before, row))) },
    stops,
    ...(input.days && { stopDays: input.days.flatMap((day) => stopsOn(day, today, stops, input)) }),
    ...(input.creditPrice && { creditPrice: input.creditPrice }),
    ...(input.service && { service: input.service }),
  };
}

/** Adds the present stops to those that the sweeps saw today. A sweep may not have seen them yet. */
function stopsOn(
  { day, stops: seen }: NamedDay,
  today: string,
  stops: readonly Stop[],
  moment: Pick<ReportInput, 'nowMs' | 'timeZone'>,
): StopOfDay[] {
  return (day === today ? withStops(seen, stops, moment) : seen).map((stop) => ({ day, ...stop }));
}

/**
 * Returns results unless the selection filters by operation, outcome or a single user, workflow or backfill, because
 * runs are not counted by these.
 */
function selectedYields({ days }: ReportInput, selection: Selection): readonly YieldCount[] | undefined {
  const { purpose, operation, outcome, rule, askedBy } = selection;
  const isSource = askedBy === undefined || askedBy === sourceOfAsker(askedBy);
  if (!days || operation !== undefined || outcome !== undefined || !isSource) return undefined;
  return yieldsOf(days).filter(
    (row) =>
      row.purpose === (purpose ?? row.purpose) &&
      (rule === undefined || (row.rule ?? WITHOUT_RULE) === rule) &&
      (askedBy === undefined || (row.source ?? WITHOUT_ASKER) === askedBy),
  );
}

function openDoubts(open: readonly OpenReservation[] = []): OpenDoubt[] {
  return open
    .filter(({ state }) => state === 'doubtful')
    .map(({ id, questionKey, operation, purpose, amountCredits, day, atMs }): OpenDoubt => {
      return { id, questionKey, operation, purpose, amountCredits, day, atMs };
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Without a grant, the ledger does not know the bought credits, and therefore no balance. */
function balance(newest: LedgerEntry | undefined): Pick<SpendReport, 'grantedCredits' | 'balanceCredits'> {
  if (!newest || newest.totals.lifetime.granted === 0) return {};
  const { granted, adjusted, posted } = newest.totals.lifetime;
  return { grantedCredits: granted, balanceCredits: granted + adjusted - posted };
}
