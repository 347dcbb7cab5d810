import { DAY_MS } from '#shared/kernel';
import type { LedgerEntry, OpenReservation, Totals } from './schemas.ts';
import { moveReservationsToDay } from './set-back.ts';
import { askedForOf } from './totals.ts';

/** Entries no longer list doubts above this age, so that entries stay small. */
const LISTED_MS = DAY_MS;

/** Separates old doubts from the reservations that an entry at this time lists. */
export function withoutOldDoubts(
  open: readonly OpenReservation[],
  atMs: number,
): { readonly listed: readonly OpenReservation[]; readonly unlisted: readonly OpenReservation[] } {
  const isOld = (each: OpenReservation) => each.state === 'doubtful' && each.atMs + LISTED_MS <= atMs;
  return { listed: open.filter((each) => !isOld(each)), unlisted: open.filter(isOld) };
}

/** Counts doubts that are no longer listed. The amounts of their day and month do not change. */
export function countOldDoubts(totals: Totals, unlisted: readonly OpenReservation[]): Totals {
  return unlisted.reduce(
    (sum, { amountCredits }) => withOldDoubts(sum, { count: 1, credits: amountCredits }),
    totals,
  );
}

/** Removes an ended doubt from the count of old doubts. */
export function endOldDoubt(totals: Totals, credits: number): Totals {
  return withOldDoubts(totals, { count: -1, credits: -credits });
}

function withOldDoubts(totals: Totals, by: { readonly count: number; readonly credits: number }): Totals {
  const { oldDoubts: before = { count: 0, credits: 0 }, ...rest } = totals;
  const oldDoubts = { count: before.count + by.count, credits: before.credits + by.credits };
  return oldDoubts.count === 0 && oldDoubts.credits === 0 ? rest : { ...rest, oldDoubts };
}

/**
 * Finds a doubt that is no longer listed and has not ended.
 * @param entries all entries that can be about the doubt, oldest first, up to the newest.
 */
export async function findOldDoubt(
  entries: AsyncIterable<LedgerEntry>,
  reservationId: string,
): Promise<OpenReservation | undefined> {
  let found: OpenReservation | undefined;
  for await (const entry of entries) {
    if (entry.kind === 'set-back' && found) [found] = moveReservationsToDay(entry, [found]);
    if (entry.reservationId !== reservationId) continue;
    if (entry.kind === 'pending') found = reservationOf(entry);
    if (entry.kind === 'doubtful' && found) found = { ...found, state: 'doubtful' };
    if (entry.kind === 'posted' || entry.kind === 'voided') found = undefined;
  }
  return found?.state === 'doubtful' ? found : undefined;
}

/** Returns the reservation that a `pending` entry opens. */
export function reservationOf(entry: LedgerEntry): OpenReservation | undefined {
  const { seq, reservationId: id, questionKey, operation, purpose, amountCredits, day, atMs } = entry;
  if (id === undefined || questionKey === undefined || operation === undefined || purpose === undefined)
    return undefined;
  if (amountCredits < 0) return undefined;
  const asked = { questionKey, operation, purpose, ...askedForOf(entry) };
  return { id, seq, ...asked, state: 'pending', amountCredits, day, atMs };
}
