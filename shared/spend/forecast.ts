import { type BudgetState, budgetParts, type LedgerEntry } from '#shared/credit-ledger';
import { type Purpose, sourceOfAsker } from '#shared/crm';
import { assert, DAY_MS, monthOfDay, nextMonthStart } from '#shared/kernel';
import type { SpendHead } from '#shared/records';
import type { ChargeOutcome, PlacedRow, SpendMonth } from './schemas.ts';
import { freeMissesOf, joinSpans, sum } from './selection.ts';

/** Whether the entry is a charge (posted or late). Reservations and doubts may still turn out to cost nothing. */
export function isCharge({ kind }: LedgerEntry): boolean {
  return kind === 'posted' || kind === 'late';
}

/** Whether the sums count the entry: a charge, or a miss that cost nothing. */
export function isCounted(entry: LedgerEntry): boolean {
  return isCharge(entry) || isFreeMiss(entry);
}

function isFreeMiss({ kind, reason }: LedgerEntry): boolean {
  return kind === 'voided' && reason === 'no-match';
}

/** Returns the months of the counted entries. A late settlement can belong to an earlier month. */
export function countedMonths(entries: readonly LedgerEntry[]): string[] {
  return [...new Set(entries.filter(isCounted).map(({ day }) => monthOfDay(day)))].sort();
}

/**
 * Adds the month's counted entries. It can be repeated, because it skips entries up to `lastSeq`.
 * @param entries oldest first, without gaps among this month's entries after `month.lastSeq`.
 * @returns the same object if none was added.
 */
export function foldIntoMonth(month: SpendMonth, entries: readonly LedgerEntry[]): SpendMonth {
  const added = entries.filter(
    (entry) => isCounted(entry) && entry.seq > month.lastSeq && monthOfDay(entry.day) === month.month,
  );
  const last = added.at(-1);
  if (!last) return month;
  return { month: month.month, lastSeq: last.seq, rows: sumRows([...month.rows, ...added.map(rowOf)]) };
}

/**
 * Returns the head after the next entry. A miss without a charge has the kind `voided`, and still counts as an answer.
 */
export function followEntry(head: SpendHead, entry: LedgerEntry): SpendHead {
  const { kind, reason, atMs } = entry;
  const place = { lastSeq: entry.seq, lastHash: entry.hash };
  if (kind !== 'posted' && kind !== 'late' && kind !== 'voided') return { ...head, ...place };
  if (reason === 'match') return { ...place, answeredAtMs: atMs };
  if (reason !== 'no-match') return { ...head, ...place };
  const { count = 0, credits = 0, sinceMs = atMs } = head.misses ?? {};
  const cost = kind === 'voided' ? 0 : entry.amountCredits;
  return { ...place, answeredAtMs: atMs, misses: { count: count + 1, credits: credits + cost, sinceMs } };
}

export function emptyMonth(month: string): SpendMonth {
  return { month, lastSeq: 0, rows: [] };
}

function rowOf(entry: LedgerEntry): PlacedRow {
  const { day, operation, purpose, rule, askedBy, amountCredits: credits } = entry;
  assert(operation !== undefined && purpose !== undefined, 'a charge has a purpose');
  const asked = {
    operation,
    purpose,
    outcome: outcomeOf(entry),
    ...(rule !== undefined && { rule }),
    ...(askedBy !== undefined && { askedBy: sourceOfAsker(askedBy) }),
  };
  if (isFreeMiss(entry)) return { day, ...asked, credits: 0, count: 0, freeMisses: 1, spans: [] };
  return { day, ...asked, credits, count: 1, spans: [[entry.seq, entry.seq]] };
}

/** @param entry a counted entry. */
export function outcomeOf({ kind, reason }: Pick<LedgerEntry, 'kind' | 'reason'>): ChargeOutcome {
  if (kind === 'late') return 'late';
  return reason === 'match' || reason === 'no-match' ? reason : 'other';
}

function sumRows(rows: readonly PlacedRow[]): PlacedRow[] {
  const keyOf = (row: PlacedRow) =>
    [row.day, row.operation, row.purpose, row.outcome, row.rule, row.askedBy].join('\n');
  return [...Map.groupBy(rows, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, same]) => {
      const [first] = same;
      const spans = same.reduce<PlacedRow['spans']>((all, row) => joinSpans(all, row.spans), []);
      const freeMisses = freeMissesOf(same);
      return first ? [{ ...first, ...sum(same), ...(freeMisses > 0 && { freeMisses }), spans }] : [];
    });
}

export interface ForecastInput {
  /** Credits that were charged this month. */
  readonly spentCredits: number;
  readonly needs: readonly CreditNeed[];
  /** Average credits a day of leads, over the last four weeks. */
  readonly leadsPerDay: number;
  readonly budgets: readonly BudgetState[];
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Estimated credits of waiting records. */
interface CreditNeed {
  /** Absent for records of several purposes. */
  readonly purpose?: Purpose;
  readonly credits: number;
}

/**
 * Estimates the spend of the whole month in whole credits. This is the spend so far, and the credits that the waiting
 * records and the usual leads need until the end of the month. The estimate exceeds no budget.
 */
export function forecastOf(input: ForecastInput): number {
  const { spentCredits, leadsPerDay, budgets, nowMs, timeZone } = input;
  const monthEndMs = nextMonthStart(nowMs, timeZone);
  const leads: CreditNeed = { purpose: 'live', credits: leadsPerDay * ((monthEndMs - nowMs) / DAY_MS) };
  const leftIn = (scope: string) =>
    budgets
      .filter((budget) => budgetParts(budget).scope === scope)
      .map((budget) => leftUntil(budget, monthEndMs));
  const needed = Map.groupBy([...input.needs, leads], ({ purpose }) => purpose);
  const payable = [...needed].map(([purpose, needs]) => {
    const credits = needs.reduce((sum, need) => sum + need.credits, 0);
    return Math.min(credits, ...(purpose ? leftIn(purpose) : []));
  });
  const total = payable.reduce((sum, credits) => sum + credits, 0);
  const left = leftIn('total');
  // Without a budget for all spend, nothing is spent.
  return spentCredits + (left.length === 0 ? 0 : Math.round(Math.min(total, ...left)));
}

/** Returns the credits that a budget allows until the end of the month. A day's budget starts again each day. */
function leftUntil(
  { budget, limitCredits, leftCredits, resetsAtMs }: BudgetState,
  monthEndMs: number,
): number {
  const days = budgetParts({ budget }).period === 'day' ? Math.round((monthEndMs - resetsAtMs) / DAY_MS) : 0;
  return Math.max(0, leftCredits) + Math.max(0, days) * limitCredits;
}
