import { dayOf, unreachable } from '#shared/kernel';
import { countOldDoubts, endOldDoubt, reservationOf, withoutOldDoubts } from './old-doubts.ts';
import type { Amounts, LedgerEntry, OpenReservation, Totals } from './schemas.ts';
import { openUpTo } from './set-back.ts';
import { type Movement, move, withGrant } from './totals.ts';

/** The effect of an entry on the balance. An illegal entry has none, and `why` gives the reason. */
export type EntryEffect = {
  /** Adds the entry's amount to totals before it. */
  readonly book: (before: Totals) => Totals;
  /** The entry's change of amounts, if it is about a reservation. */
  readonly movement?: Movement;
  /** Reservations that are open after the entry. */
  readonly open: readonly OpenReservation[];
  /** Doubts that leave the list with this entry. */
  readonly left?: readonly OpenReservation[];
} & ({ readonly kind: 'legal' } | { readonly kind: 'illegal'; readonly why: string });

/** Computes an entry's effect. @param open the reservations that were open before the entry. */
export function replay(entry: LedgerEntry, open: readonly OpenReservation[], timeZone: string): EntryEffect {
  const step = stepOf(entry, open, timeZone);
  if (step.kind === 'illegal' || entry.kind === 'set-back') return step;
  const { listed, left } = withoutOldDoubts(step.open, entry.atMs);
  return { ...step, open: listed, left, book: (before) => countOldDoubts(step.book(before), left) };
}

function stepOf(entry: LedgerEntry, open: readonly OpenReservation[], timeZone: string): EntryEffect {
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
  const made = reservationOf(entry);
  if (!made) return illegal('It lacks the question or the purpose of its reservation.', open);
  if (open.some(({ id }) => id === made.id)) return illegal('Its reservation is already open.', open);
  if (entry.day !== today) return illegal('Its day is not the day of its time.', open);
  return legal(made, { by: { pending: entry.amountCredits }, open: [...open, made] });
}

function settleStep(entry: LedgerEntry, open: readonly OpenReservation[]): EntryEffect {
  const about = open.find(({ id }) => id === entry.reservationId);
  if (!about) return settleOldStep(entry, open);
  if (entry.oldDoubtCredits !== undefined) return illegal('It settles a listed doubt as an old one.', open);
  if (!isAbout(entry, about)) return illegal('It contradicts its reservation.', open);
  const others = open.filter((each) => each !== about);
  const taken = { [about.state]: -about.amountCredits };
  if (entry.kind === 'posted')
    return legal(about, { by: { ...taken, posted: entry.amountCredits }, open: others });
  if (entry.amountCredits !== about.amountCredits)
    return illegal('Its amount is not that of its reservation.', open);
  if (entry.kind === 'voided') return legal(about, { by: taken, open: others });
  if (about.state === 'doubtful') return illegal('Its reservation was already doubtful.', open);
  const doubted = { ...about, state: 'doubtful' as const };
  return legal(about, { by: { ...taken, doubtful: about.amountCredits }, open: [...others, doubted] });
}

/** Checks the settlement of an old doubt. Only the whole log shows whether the doubt existed and was open. */
function settleOldStep(entry: LedgerEntry, open: readonly OpenReservation[]): EntryEffect {
  const { oldDoubtCredits: credits, kind, amountCredits } = entry;
  const about = reservationOf(entry);
  if (credits === undefined || !about || kind === 'doubtful')
    return illegal('It settles a reservation that is not open.', open);
  if (kind === 'voided' && amountCredits !== credits)
    return illegal('Its amount is not that of its reservation.', open);
  const posted = kind === 'posted' ? amountCredits : 0;
  const step = legal(about, { by: { doubtful: -credits, posted }, open });
  return { ...step, book: (before) => endOldDoubt(step.book(before), credits) };
}

function lateStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  const about = reservationOf(entry);
  if (!about) return illegal('It lacks the question or the purpose of its charge.', open);
  if (open.some(({ id }) => id === about.id))
    return illegal('It is a late charge for a reservation that is still open.', open);
  if (entry.day !== today) return illegal('Its day is not the day of its time.', open);
  return legal(about, { by: { posted: entry.amountCredits }, open });
}

function correctStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('It is about a reservation.', open);
  if (entry.day !== today) return illegal('Its day is not the day of its time.', open);
  if (entry.kind === 'grant' && entry.amountCredits < 0) return illegal('It grants a negative amount.', open);
  const adjusted = (before: Totals): Totals => ({
    ...before,
    lifetime: { ...before.lifetime, adjusted: before.lifetime.adjusted + entry.amountCredits },
  });
  const book = entry.kind === 'grant' ? (before: Totals) => withGrant(before, entry) : adjusted;
  return { kind: 'legal', book, open };
}

/** Checks a set-back. Its change of the periods follows from the whole log. */
function setBackStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('It is about a reservation.', open);
  if (entry.amountCredits !== 0) return illegal('It has an amount.', open);
  if (entry.day !== today) return illegal('Its day is not the day of its time.', open);
  return { kind: 'legal', book: (before) => before, open: openUpTo(entry, open) };
}

/** Whether an entry agrees with the facts of its reservation. */
export function isAbout(entry: LedgerEntry, about: OpenReservation): boolean {
  return (
    entry.questionKey === about.questionKey &&
    entry.operation === about.operation &&
    entry.purpose === about.purpose &&
    entry.record === about.record &&
    entry.companies === about.companies &&
    entry.day === about.day &&
    entry.amountCredits >= 0
  );
}

function legal(
  { day, purpose }: OpenReservation,
  { by, open }: { by: Partial<Amounts>; open: readonly OpenReservation[] },
): EntryEffect {
  const movement = { day, purpose, by };
  return { kind: 'legal', book: (before) => move(before, movement), movement, open };
}

function illegal(why: string, open: readonly OpenReservation[]): EntryEffect {
  return { kind: 'illegal', why, book: (before) => before, open };
}
