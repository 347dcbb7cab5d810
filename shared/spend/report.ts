import type { BudgetState, LedgerEntry, OpenReservation, Totals } from '#shared/credit-ledger';
import type { BackfillSummary } from '#shared/enrichment';
import { dayOf, daysUpTo, monthOfDay } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import type { Brought } from '#shared/records';
import { type WhatItBrought, whatItBrought } from './brought.ts';
import { type Forecast, forecastOf, PACE_DAYS } from './forecast.ts';
import type { DayStop, SpendRow } from './schemas.ts';
import { type SelectedSpend, type Spend, spendOf, sum } from './selected-spend.ts';
import { isAskedBy, isSelected, periodBefore, type Selection, WITHOUT_RULE } from './selection.ts';
import { type Stop, type StopFacts, stopsOf } from './stops.ts';
import type { WhoWaits } from './who-waits.ts';
import { type SpendYield, type YieldPart, yieldsBy } from './yields.ts';

/** A charge that may or may not have been made; it counts against the budget until it is resolved. */
export type OpenDoubt = Pick<
  OpenReservation,
  'id' | 'questionKey' | 'operation' | 'purpose' | 'amountCredits' | 'day' | 'atMs'
>;

/**
 * Credits in whole numbers, days and months in the policy's time zone, instants in epoch milliseconds. Figures of the
 * selection belong to its range; all others are of now.
 */
export interface SpendReport extends Forecast, SelectedSpend {
  readonly account: string;
  readonly generatedAtMs: number;
  readonly timeZone: string;
  readonly today: string;
  readonly month: string;
  readonly spentTodayCredits: number;
  readonly spentMonthCredits: number;
  /** Set aside for requests under way, at their worst case. */
  readonly pendingCredits: number;
  /** Of requests whose end is unknown, at their worst case. */
  readonly doubtfulCredits: number;
  /** Of the last day or so, oldest first. */
  readonly openDoubts: readonly OpenDoubt[];
  /** Open doubts that are older; `doubts list` shows each. */
  readonly oldDoubts?: NonNullable<Totals['oldDoubts']>;
  /** Booked as charged without a proof, so part of the spend; present if the report includes them. */
  readonly bookedDoubts?: BookedDoubts;
  /** Nothing was ever booked. */
  readonly isEmpty: boolean;
  /** Credits bought, as far as the ledger was told; with it, what is left of them. */
  readonly grantedCredits?: number;
  /** Granted + adjusted - posted since the first entry. */
  readonly balanceCredits?: number;
  readonly budgets: readonly BudgetState[];
  /** Where the report was to tell it. */
  readonly waiting?: WhoWaits;
  /** Those that were begun, newest first. */
  readonly backfills?: readonly BackfillSummary[];
  /** By credits and runs of the selection, where the report was to tell it. */
  readonly brought?: WhatItBrought;
  /** Credits and results of the selection. Fields and runs are zero where `brought` is absent. */
  readonly yields: Readonly<Record<YieldPart, readonly SpendYield[]>>;
  /** The same filters over the days before, where they were read. */
  readonly before?: Spend & { readonly selection: Selection };
  /** Why nothing, or not everything, is asked now; the worst first. */
  readonly stops: readonly Stop[];
  /** The same for the days of the selection, as the sweeps saw them, oldest first; where the report was to tell it. */
  readonly stopDays?: readonly (DayStop & { readonly day: string })[];
  /** Price of one credit in money, where the policy names one. */
  readonly creditPrice?: CreditPrice;
  /** Whether credits are real, where it is known. */
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
  /** Of all months that `monthsNeeded` names. */
  readonly rows: readonly SpendRow[];
  /** Rows of the period to compare with, and perhaps of others. */
  readonly rowsBefore?: readonly SpendRow[] | undefined;
  /** What is to be divided up instead of this month, with the rows of its months. */
  readonly picked?: { readonly selection: Selection; readonly rows: readonly SpendRow[] } | undefined;
  /** The entry up to which the rows count. */
  readonly newest: LedgerEntry | undefined;
  readonly budgets: readonly BudgetState[];
  readonly nowMs: number;
  readonly timeZone: string;
  /** What the runs of this month, or of the days that were picked, brought. */
  readonly brought?: readonly Brought[] | undefined;
  readonly stopFacts?: StopFacts | undefined;
  readonly stopDays?: SpendReport['stopDays'] | undefined;
  readonly bookedDoubts?: BookedDoubts | undefined;
  readonly creditPrice?: CreditPrice | undefined;
  readonly service?: ServiceKind | undefined;
  readonly stack?: string | undefined;
  readonly waiting?: WhoWaits | undefined;
  readonly backfills?: readonly BackfillSummary[] | undefined;
}

/** The months that a report of now reads: this one, and those of the forecast's pace. */
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
  const brought = selectedBrought(input, spend.selection);
  const selectedRows = spendRows.filter((row) => isSelected(spend.selection, row));
  const yields = { rows: selectedRows, brought: brought ?? [] };
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
    openDoubts: openDoubts(newest),
    ...(newest?.totals.oldDoubts && { oldDoubts: newest.totals.oldDoubts }),
    ...(input.bookedDoubts && { bookedDoubts: input.bookedDoubts }),
    isEmpty: newest === undefined && rows.length === 0,
    ...balance(newest),
    ...forecastOf({ spent: rows, budgets, ...balance(newest), nowMs, timeZone }),
    ...spend,
    budgets,
    ...(input.waiting && { waiting: input.waiting }),
    ...(input.backfills && { backfills: input.backfills }),
    ...(brought && { brought: whatItBrought(brought, spend.selected.credits) }),
    yields: {
      rule: yieldsBy('rule', yields),
      purpose: yieldsBy('purpose', yields),
      source: yieldsBy('source', yields),
      user: yieldsBy('user', yields),
    },
    ...(input.rowsBefore && { before: spendBefore(input.rowsBefore, spend.selection, today) }),
    stops: stopsOf({ facts: input.stopFacts, waiting: input.waiting, budgets, nowMs, stack: input.stack }),
    ...(input.stopDays && { stopDays: input.stopDays }),
    ...(input.creditPrice && { creditPrice: input.creditPrice }),
    ...(input.service && { service: input.service }),
  };
}

/** Runs are counted by purpose, rule and asker only: their results by operation or outcome are unknown. */
function selectedBrought({ brought }: ReportInput, selection: Selection): readonly Brought[] | undefined {
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

/** How many requests are in doubt. */
export function doubtCount({ openDoubts: recent, oldDoubts }: SpendReport): number {
  return recent.length + (oldDoubts?.count ?? 0);
}

function openDoubts(newest: LedgerEntry | undefined): OpenDoubt[] {
  const doubtful = newest?.open.filter(({ state }) => state === 'doubtful') ?? [];
  return doubtful
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ id, questionKey, operation, purpose, amountCredits, day, atMs }) => ({
      id,
      questionKey,
      operation,
      purpose,
      amountCredits,
      day,
      atMs,
    }));
}

/** Without a grant the ledger does not know what was bought, so it knows of no balance either. */
function balance(newest: LedgerEntry | undefined): Pick<SpendReport, 'grantedCredits' | 'balanceCredits'> {
  if (!newest || newest.totals.lifetime.granted === 0) return {};
  const { granted, adjusted, posted } = newest.totals.lifetime;
  return { grantedCredits: granted, balanceCredits: granted + adjusted - posted };
}
