import { dayAfter, dayOf, daysBetween, HOUR_MS, monthOfDay, zoneInForce } from '#shared/kernel';
import type { EntryDraft } from './command.ts';
import type { LedgerEntry, OpenReservation, PeriodTotals, Totals } from './schemas.ts';
import { add, LEAD_DAYS, type Movement, usedByLeads } from './totals.ts';

/** If the newest entry is less than this ahead of the store's clock, no set-back is needed: the clock catches up. */
const AHEAD_MS = HOUR_MS;

/** Used credits of each day since the first entry. */
export type UseByDay = Map<string, PeriodTotals>;

/**
 * Adds an entry to the use by day. @param movement the entry's change of amounts, if the entry is about a reservation.
 */
export function followUse(use: UseByDay, entry: LedgerEntry, movement: Movement | undefined): void {
  if (movement) addUse(use, movement);
  if (entry.kind === 'set-back') moveLaterUse(use, entry.day);
}

/** Time, day and number of a set-back entry. */
type Moment = Pick<LedgerEntry, 'atMs' | 'day' | 'seq'>;

export function isAhead({ atMs }: Pick<LedgerEntry, 'atMs'>, nowMs: number): boolean {
  return atMs > nowMs + AHEAD_MS;
}

/**
 * Drafts a set-back entry.
 * @param previous the newest entry, whose time is ahead of the store's clock.
 * @param rules.nowMs time by the store's clock.
 */
export function draftSetBack(
  previous: LedgerEntry,
  rules: { use: UseByDay; nowMs: number; timeZone: string; reason: string },
): EntryDraft {
  const { use, nowMs: atMs, reason } = rules;
  const timeZone = zoneInForce(previous, rules.timeZone, atMs);
  const day = dayOf(atMs, timeZone);
  const seq = previous.seq + 1;
  const open = moveReservationsToDay({ atMs, day }, previous.open);
  moveLaterUse(use, day);
  const totals = totalsSetBack(previous, { use, at: { atMs, day, seq }, open });
  const id = `set-back:${seq}`;
  return { id, kind: 'set-back', atMs, timeZone, day, amountCredits: 0, reason, totals, open };
}

/**
 * Computes the balance after a set-back. Amounts of later days are moved to the current day, so that no credit is lost.
 * @param rules.use used credits of all entries before the set-back, by day.
 */
export function totalsSetBack(
  previous: LedgerEntry,
  { use, at, open }: { use: UseByDay; at: Moment; open: readonly OpenReservation[] },
): Totals {
  const days = new Set([at.day, ...open.map(({ day }) => day)]);
  const months = new Set([...days].map(monthOfDay));
  const periods = [...days, ...months].map((period) => [period, useOf(use, period)]);
  // The use by people has no log of its own, so it begins again with the present day.
  const { people: _, ...rest } = previous.totals;
  return {
    ...rest,
    periods: Object.fromEntries(periods),
    leads: leadsBefore(use, at.day),
    setBack: wrongTimes(previous, at),
  };
}

/** Notes the set-back, and the latest time that an entry before it states. */
export function wrongTimes(
  { totals, atMs }: LedgerEntry,
  { seq }: Pick<LedgerEntry, 'seq'>,
): NonNullable<Totals['setBack']> {
  return { seq, untilMs: Math.max(atMs, totals.setBack?.untilMs ?? 0) };
}

/** Moves reservations of later days to the current day. */
export function moveReservationsToDay(
  { atMs, day }: Omit<Moment, 'seq'>,
  open: readonly OpenReservation[],
): OpenReservation[] {
  return open.map((each) => ({
    ...each,
    day: each.day > day ? day : each.day,
    atMs: Math.min(each.atMs, atMs),
  }));
}

function addUse(use: UseByDay, { day, purpose, by }: Movement): void {
  const before = use.get(day);
  use.set(day, { ...before, [purpose]: add(before?.[purpose], by) });
}

function moveLaterUse(use: UseByDay, day: string): void {
  for (const [later, totals] of [...use].filter(([each]) => each > day)) {
    use.delete(later);
    for (const [purpose, by] of usesOf(totals)) addUse(use, { day, purpose, by });
  }
}

/** Sums up the used credits of a period. @param period a day, or a month. */
function useOf(use: UseByDay, period: string): PeriodTotals {
  const sum: UseByDay = new Map();
  for (const [day, totals] of use) {
    if (!day.startsWith(period)) continue;
    for (const [purpose, by] of usesOf(totals)) addUse(sum, { day: period, purpose, by });
  }
  return sum.get(period) ?? {};
}

function usesOf(totals: PeriodTotals): [Movement['purpose'], Movement['by']][] {
  return Object.entries(totals) as [Movement['purpose'], Movement['by']][];
}

function leadsBefore(use: UseByDay, day: string): NonNullable<Totals['leads']> {
  const [first = day] = [...use.keys()].sort();
  const known = Math.min(LEAD_DAYS, Math.max(0, daysBetween(first, day)));
  const before = Array.from({ length: known }, (_, index) => {
    return usedByLeads(use.get(dayAfter(day, -index - 1)));
  });
  return { day, before };
}
