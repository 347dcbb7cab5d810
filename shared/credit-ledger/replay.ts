import { dayOf, unreachable } from '#shared/kernel';
import type { LogProblemCode } from './log-problems.ts';
import type { Amounts, LedgerEntry, OpenReservation, Totals } from './schemas.ts';
import { moveReservationsToDay } from './set-back.ts';
import { askedForOf, type Movement, move, withGrant } from './totals.ts';

/** The effect of an entry on the balance. An illegal entry has no effect, and `why` gives the reason. */
export type EntryEffect = {
  /** Adds the entry's amount to the totals before the entry. */
  readonly book: (before: Totals) => Totals;
  /** The entry's change of amounts, if it is about a reservation. */
  readonly movement?: Movement;
  /** Reservations that are open after the entry. */
  readonly open: readonly OpenReservation[];
} & ({ readonly kind: 'legal' } | { readonly kind: 'illegal'; readonly why: LogProblemCode });

/** Computes an entry's effect. @param open the reservations that were open before the entry. */
export function replay(entry: LedgerEntry, open: readonly OpenReservation[], timeZone: string): EntryEffect {
  const today = dayOf(entry.atMs, timeZone);
  switch (entry.kind) {
    case 'pending':
      return reserveStep(entry, { open, today });
    case 'posted':
    case 'voided':
    case 'doubtful':
      return settleStep(entry, open);
    case 'late':
      return lateStep(entry, { open, today });
    case 'grant':
    case 'adjustment':
      return correctStep(entry, { open, today });
    case 'set-back':
      return setBackStep(entry, { open, today });
    default:
      return unreachable(entry.kind);
  }
}

interface Before {
  readonly open: readonly OpenReservation[];
  readonly today: string;
}

function reserveStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  const reservation = reservationOf(entry);
  if (!reservation) return illegal('no-question', open);
  if (open.some(({ id }) => id === reservation.id)) return illegal('already-open', open);
  if (entry.day !== today) return illegal('other-day', open);
  return legal(reservation, { by: { pending: entry.amountCredits }, open: [...open, reservation] });
}

function settleStep(entry: LedgerEntry, open: readonly OpenReservation[]): EntryEffect {
  const reservation = open.find(({ id }) => id === entry.reservationId);
  if (!reservation) return illegal('not-open', open);
  if (!isAbout(entry, reservation)) return illegal('other-reservation', open);
  const others = open.filter((each) => each !== reservation);
  const release = { [reservation.state]: -reservation.amountCredits };
  if (entry.kind === 'posted')
    return legal(reservation, { by: { ...release, posted: entry.amountCredits }, open: others });
  if (entry.amountCredits !== reservation.amountCredits) return illegal('other-amount', open);
  if (entry.kind === 'voided') return legal(reservation, { by: release, open: others });
  if (reservation.state === 'doubtful') return illegal('already-doubtful', open);
  const doubted = { ...reservation, state: 'doubtful' as const };
  return legal(reservation, {
    by: { ...release, doubtful: reservation.amountCredits },
    open: [...others, doubted],
  });
}

function lateStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  const reservation = reservationOf(entry);
  if (!reservation) return illegal('no-question', open);
  if (open.some(({ id }) => id === reservation.id)) return illegal('still-open', open);
  if (entry.day !== today) return illegal('other-day', open);
  return legal(reservation, { by: { posted: entry.amountCredits }, open });
}

function correctStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('about-reservation', open);
  if (entry.day !== today) return illegal('other-day', open);
  if (entry.kind === 'grant' && entry.amountCredits < 0) return illegal('negative-grant', open);
  const adjusted = (before: Totals): Totals => ({
    ...before,
    lifetime: { ...before.lifetime, adjusted: before.lifetime.adjusted + entry.amountCredits },
  });
  const book = entry.kind === 'grant' ? (before: Totals) => withGrant(before, entry) : adjusted;
  return { kind: 'legal', book, open };
}

/** Checks a set-back. Its change of the periods follows from the whole log. */
function setBackStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('about-reservation', open);
  if (entry.amountCredits !== 0) return illegal('has-amount', open);
  if (entry.day !== today) return illegal('other-day', open);
  return { kind: 'legal', book: (before) => before, open: moveReservationsToDay(entry, open) };
}

/** Returns the reservation that a `pending` entry opens. */
function reservationOf(entry: LedgerEntry): OpenReservation | undefined {
  const { seq, reservationId: id, questionKey, operation, purpose, amountCredits, day, atMs } = entry;
  if (id === undefined || questionKey === undefined || operation === undefined || purpose === undefined)
    return undefined;
  if (amountCredits < 0) return undefined;
  const asked = { questionKey, operation, purpose, ...askedForOf(entry) };
  return { id, seq, ...asked, state: 'pending', amountCredits, day, atMs };
}

/** Whether an entry agrees with the facts of its reservation. */
function isAbout(entry: LedgerEntry, reservation: OpenReservation): boolean {
  return (
    entry.questionKey === reservation.questionKey &&
    entry.operation === reservation.operation &&
    entry.purpose === reservation.purpose &&
    entry.record === reservation.record &&
    entry.day === reservation.day &&
    entry.amountCredits >= 0
  );
}

function legal(
  { day, purpose, askedBy }: OpenReservation,
  { by, open }: { by: Partial<Amounts>; open: readonly OpenReservation[] },
): EntryEffect {
  const movement = { day, purpose, askedBy, by };
  return { kind: 'legal', book: (before) => move(before, movement), movement, open };
}

function illegal(why: LogProblemCode, open: readonly OpenReservation[]): EntryEffect {
  return { kind: 'illegal', why, book: (before) => before, open };
}
