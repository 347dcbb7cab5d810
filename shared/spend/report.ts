import type { BudgetState, LedgerEntry, OpenReservation } from '#shared/credit-ledger';
import type { BackfillSummary } from '#shared/enrichment';
import { dayOf, daysUpTo, monthOfDay } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import type { YieldCount } from '#shared/records';
import { type Forecast, forecastOf, PACE_DAYS } from './forecast.ts';
import type { DayStop, SpendRow } from './schemas.ts';
import { type SelectedSpend, type Spend, spendOf, sum } from './selected-spend.ts';
import { isAskedBy, isSelected, periodBefore, type Selection, WITHOUT_RULE } from './selection.ts';
import { type SpendResults, spendResults } from './spend-results.ts';
import { withPresentStops } from './stop-days.ts';
import { type Stop, type StopFacts, stopsOf } from './stops.ts';
import type { WaitingSummary } from './waiting-summary.ts';
import { type SpendYield, type YieldPart, yieldsBy } from './yields.ts';

/** A charge that may or may not have been made. It counts against the budget until it is resolved. */
export type OpenDoubt = Pick<
  OpenReservation,
  'id' | 'questionKey' | 'operation' | 'purpose' | 'amountCredits' | 'day' | 'atMs'
>;

/**
 * The spend report. Credits are whole numbers, days and months are in the policy's time zone, and times are in epoch
 * milliseconds. Figures of the selection belong to its range. All other figures are current.
 */
export interface SpendReport extends Forecast, SelectedSpend {
  readonly account: string;
  readonly generatedAtMs: number;
  readonly timeZone: string;
  readonly today: string;
  readonly month: string;
  readonly spentTodayCredits: number;
  readonly spentMonthCredits: number;
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
  /** Spend of the period before, with the same filters. Present if that period was read. */
  readonly before?: Spend & { readonly selection: Selection };
  /** Reasons why no lookup, or not every lookup, is made now. The worst reason comes first. */
  readonly stops: readonly Stop[];
  /**
   * Stops on the days of the selection, oldest first: those that the sweeps saw, and the present ones. Present if the
   * report includes them.
   */
  readonly stopDays?: readonly (DayStop & { readonly day: string })[];
  /** Price of one credit in money, if the policy has one. */
  readonly creditPrice?: CreditPrice;
  /** Whether credits are real, if known. */
  readonly service?: ServiceKind;
}

export interface CreditPrice {
  readonly amount: number;
  /** ISO 4217: `EUR`. */
  readonly currency: string;
}

export type ServiceKind = 'real' | 'stand-in';

export interface ReportInput {
  readonly account: string;
  /** Rows of all months that `monthsNeeded` returns. */
  readonly rows: readonly SpendRow[];
  /** Rows of the period to compare with. May include other rows. */
  readonly rowsBefore?: readonly SpendRow[] | undefined;
  /** A selection to show instead of this month, with the rows of its months. */
  readonly picked?: { readonly selection: Selection; readonly rows: readonly SpendRow[] } | undefined;
  /** Last ledger entry that the rows include. */
  readonly newest: LedgerEntry | undefined;
  readonly budgets: readonly BudgetState[];
  readonly nowMs: number;
  readonly timeZone: string;
  /** Results of the runs of this month or of the selection. */
  readonly brought?: readonly YieldCount[] | undefined;
  readonly stopFacts?: StopFacts | undefined;
  readonly stopDays?: SpendReport['stopDays'] | undefined;
  readonly bookedDoubts?: BookedDoubts | undefined;
  readonly creditPrice?: CreditPrice | undefined;
  readonly service?: ServiceKind | undefined;
  readonly stack?: string | undefined;
  readonly waiting?: WaitingSummary | undefined;
  readonly backfills?: readonly BackfillSummary[] | undefined;
}

/**
 * Returns the months that a current report reads: this month, and the months from which the forecast's pace is
 * computed.
 */
export function monthsNeeded({ nowMs, timeZone }: { nowMs: number; timeZone: string }): string[] {
  return [...new Set(daysUpTo(dayOf(nowMs, timeZone), PACE_DAYS + 1).map(monthOfDay))];
}

export function buildReport(input: ReportInput): SpendReport {
  const { account, rows, newest, budgets, nowMs, timeZone } = input;
  const today = dayOf(nowMs, timeZone);
  const month = monthOfDay(today);
  const ofMonth = rows.filter(({ day }) => monthOfDay(day) === month);
  const spentMonthCredits = sum(ofMonth).credits;
  const spendRows = input.picked?.rows ?? rows;
  const spend = spendOf(spendRows, { picked: input.picked?.selection, nowMs, timeZone });
  const yieldCounts = selectedYields(input, spend.selection);
  const selectedRows = spendRows.filter((row) => isSelected(spend.selection, row));
  const yields = { rows: selectedRows, brought: yieldCounts ?? [] };
  const stops = stopsOf({
    facts: input.stopFacts,
    waiting: input.waiting,
    budgets,
    nowMs,
    stack: input.stack,
  });
  const { from, to } = spend.selection;
  const stopDays =
    input.stopDays && from <= today && today <= to
      ? withPresentStops(input.stopDays, stops, { nowMs, timeZone })
      : input.stopDays;
  return {
    account,
    generatedAtMs: nowMs,
    timeZone,
    today,
    month,
    spentTodayCredits: sum(rows.filter(({ day }) => day === today)).credits,
    spentMonthCredits,
    pendingCredits: newest?.totals.lifetime.pending ?? 0,
    doubtfulCredits: newest?.totals.lifetime.doubtful ?? 0,
    openDoubts: openDoubts(newest?.open),
    ...(input.bookedDoubts && { bookedDoubts: input.bookedDoubts }),
    isEmpty: newest === undefined && rows.length === 0,
    ...balance(newest),
    ...forecastOf({ spent: rows, budgets, ...balance(newest), nowMs, timeZone }),
    ...spend,
    budgets,
    ...(input.waiting && { waiting: input.waiting }),
    ...(input.backfills && { backfills: input.backfills }),
    ...(yieldCounts && { brought: spendResults(yieldCounts, spend.selected.credits) }),
    yields: {
      rule: yieldsBy('rule', yields),
      purpose: yieldsBy('purpose', yields),
      source: yieldsBy('source', yields),
      user: yieldsBy('user', yields),
    },
    ...(input.rowsBefore && { before: spendBefore(input.rowsBefore, spend.selection, today) }),
    stops,
    ...(stopDays && { stopDays }),
    ...(input.creditPrice && { creditPrice: input.creditPrice }),
    ...(input.service && { service: input.service }),
  };
}

/** Returns results unless the selection filters by operation or outcome, because runs are not counted by these. */
function selectedYields({ brought }: ReportInput, selection: Selection): readonly YieldCount[] | undefined {
  const { purpose, operation, outcome, rule, askedBy } = selection;
  if (operation !== undefined || outcome !== undefined) return undefined;
  return brought?.filter(
    (row) =>
      row.purpose === (purpose ?? row.purpose) &&
      (rule === undefined || (row.rule ?? WITHOUT_RULE) === rule) &&
      isAskedBy(row, askedBy),
  );
}

function spendBefore(
  rows: readonly SpendRow[],
  selection: Selection,
  today: string,
): Spend & { readonly selection: Selection } {
  const before = periodBefore(selection, today);
  return { selection: before, ...sum(rows.filter((row) => isSelected(before, row))) };
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
