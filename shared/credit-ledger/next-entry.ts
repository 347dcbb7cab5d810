import { assert, dayOf, unreachable, zoneInForce } from '#shared/kernel';
import {
  type BudgetRefusal,
  type Budgets,
  type PeopleLimits,
  refusingBudget,
  type Spender,
} from './budgets.ts';
import type { LedgerEntry, OpenReservation, Totals } from './schemas.ts';
import { type AskedFor, askedForOf, EMPTY_TOTALS, keepNeeded, move, withGrant } from './totals.ts';

/** Maximum number of open reservations, because every entry contains them: DynamoDB stores at most 400 KB in an item. */
export const MAX_OPEN = 400;

export type Decision =
  | { readonly kind: 'entry'; readonly draft: EntryDraft }
  /** The command is already booked. */
  | { readonly kind: 'exists' }
  /** The reservation is not open: it was settled earlier, or it never existed. Only the log shows which. */
  | { readonly kind: 'not-open' }
  | { readonly kind: 'over-budget'; readonly budget: BudgetRefusal }
  | { readonly kind: 'too-many-open'; readonly open: number };

export interface BookingRules {
  readonly budgets: Budgets;
  readonly people?: PeopleLimits | undefined;
  /** IANA name from the policy. */
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Decides the effect of a command on the ledger. Needs only the newest entry. */
export function decideEntry(
  newest: LedgerEntry | undefined,
  command: LedgerCommand,
  rules: BookingRules,
): Decision {
  assert(
    !('amountCredits' in command) || Number.isSafeInteger(command.amountCredits),
    'credits are whole numbers',
  );
  assert(
    !('amountCredits' in command) || command.kind === 'adjust' || command.amountCredits >= 0,
    'only an adjustment may be negative',
  );
  const books = booksNow(newest, rules);
  switch (command.kind) {
    case 'reserve':
      return reserve(books, command, rules);
    case 'post':
    case 'void':
    case 'doubt':
      return settle(books, command);
    case 'late':
      return late(books, command);
    case 'grant':
    case 'adjust':
      return correct(books, command);
    default:
      return unreachable(command);
  }
}

interface Books {
  readonly atMs: number;
  readonly timeZone: string;
  readonly day: string;
  readonly totals: Totals;
  readonly open: readonly OpenReservation[];
  readonly seq: number;
}

/** Returns the state of the log now. Its time never decreases, so that a skewed clock cannot reopen a closed day. */
function booksNow(newest: LedgerEntry | undefined, rules: BookingRules): Books {
  const atMs = Math.max(newest?.atMs ?? 0, rules.nowMs);
  const timeZone = zoneInForce(newest, rules.timeZone, atMs);
  return {
    atMs,
    timeZone,
    day: dayOf(atMs, timeZone),
    totals: newest?.totals ?? EMPTY_TOTALS,
    open: newest?.open ?? [],
    seq: newest?.seq ?? 0,
  };
}

function reserve(books: Books, command: NewReservation & Spender, rules: BookingRules): Decision {
  if (books.open.some(({ id }) => id === command.reservationId)) return { kind: 'exists' };
  const open = books.open.length;
  if (open >= MAX_OPEN) return { kind: 'too-many-open', open };
  const { totals, atMs: nowMs, timeZone } = books;
  const view = { totals, budgets: rules.budgets, people: rules.people, nowMs, timeZone };
  const budget = refusingBudget(view, command);
  if (budget) return { kind: 'over-budget', budget };
  const { reservationId: id, questionKey, operation, purpose, amountCredits } = command;
  const { atMs, day } = books;
  const reservation: OpenReservation = {
    id,
    seq: books.seq + 1,
    questionKey,
    operation,
    purpose,
    ...askedForOf(command),
    state: 'pending',
    amountCredits,
    day,
    atMs,
  };
  return draft(books, {
    about: reservation,
    kind: 'pending',
    amountCredits,
    by: { pending: amountCredits },
    open: [...books.open, reservation],
  });
}

type Settlement = Extract<LedgerCommand, { kind: 'post' | 'void' | 'doubt' }>;

function settle(books: Books, command: Settlement): Decision {
  const about = books.open.find(({ id }) => id === command.reservationId);
  if (!about) return { kind: 'not-open' };
  const others = books.open.filter((each) => each !== about);
  const release = { [about.state]: -about.amountCredits };
  const { reason } = command;
  switch (command.kind) {
    case 'post': {
      const { amountCredits } = command;
      const by = { ...release, posted: amountCredits };
      return draft(books, { about, kind: 'posted', amountCredits, by, open: others, reason });
    }
    case 'void': {
      const { amountCredits } = about;
      return draft(books, {
        about,
        kind: 'voided',
        amountCredits,
        by: release,
        open: others,
        reason,
      });
    }
    case 'doubt': {
      if (about.state === 'doubtful') return { kind: 'exists' };
      const { amountCredits } = about;
      const open = [...others, { ...about, state: 'doubtful' as const }];
      const by = { ...release, doubtful: amountCredits };
      return draft(books, { about, kind: 'doubtful', amountCredits, by, open, reason });
    }
    default:
      return unreachable(command);
  }
}

/**
 * Books a charge that was proved after its reservation was voided. The charge counts today, and can exceed the budget.
 */
function late(books: Books, command: NewReservation & { readonly reason: string }): Decision {
  const { reservationId: id, amountCredits } = command;
  assert(!books.open.some((each) => each.id === id), 'the charge of an open reservation is posted');
  const about = {
    ...command,
    id,
    state: 'pending' as const,
    day: books.day,
    seq: books.seq,
    atMs: books.atMs,
    timeZone: books.timeZone,
  };
  return draft(books, {
    about,
    kind: 'late',
    amountCredits,
    by: { posted: amountCredits },
    open: books.open,
    reason: command.reason,
  });
}

function correct(books: Books, command: Extract<LedgerCommand, { kind: 'grant' | 'adjust' }>): Decision {
  const { amountCredits, expiresOn } = command;
  const { lifetime } = books.totals;
  const adjusted = { ...lifetime, adjusted: lifetime.adjusted + amountCredits };
  const totals =
    command.kind === 'grant' ? withGrant(books.totals, command) : { ...books.totals, lifetime: adjusted };
  return {
    kind: 'entry',
    draft: {
      id: command.id,
      kind: command.kind === 'grant' ? 'grant' : 'adjustment',
      atMs: books.atMs,
      timeZone: books.timeZone,
      day: books.day,
      amountCredits,
      ...(expiresOn !== undefined && { expiresOn }),
      reason: command.reason,
      totals: keepNeeded(totals, books),
      open: books.open,
    },
  };
}

interface EntryChange {
  readonly about: OpenReservation;
  readonly kind: LedgerEntry['kind'];
  readonly amountCredits: number;
  readonly by: Parameters<typeof move>[1]['by'];
  readonly open: readonly OpenReservation[];
  readonly reason?: string | undefined;
}

function draft(books: Books, { about, kind, amountCredits, by, open, reason }: EntryChange): Decision {
  const { day, purpose, askedBy } = about;
  const totals = move(books.totals, { day, purpose, askedBy, by });
  return {
    kind: 'entry',
    draft: {
      id: `${about.id}:${kind}`,
      kind,
      atMs: books.atMs,
      timeZone: books.timeZone,
      day: about.day,
      amountCredits,
      reservationId: about.id,
      questionKey: about.questionKey,
      operation: about.operation,
      purpose: about.purpose,
      ...askedForOf(about),
      ...(reason !== undefined && { reason }),
      totals: keepNeeded(totals, { day: books.day, open }),
      open,
    },
  };
}

/** Commands that change the ledger. */
export type LedgerCommand =
  | ({ readonly kind: 'reserve' } & NewReservation & Pick<Spender, 'overrulesReserve'>)
  | ({ readonly kind: 'post'; readonly amountCredits: number } & Settling)
  | ({ readonly kind: 'void' | 'doubt' } & Settling)
  | ({ readonly kind: 'late'; readonly reason: string } & NewReservation)
  | {
      readonly kind: 'grant' | 'adjust';
      readonly id: string;
      readonly amountCredits: number;
      readonly reason: string;
      /** In a grant: the last day on which its credits can be spent, `2026-11-21`. */
      readonly expiresOn?: string | undefined;
    };

interface Settling {
  readonly reservationId: string;
  readonly reason: string;
}

export interface NewReservation extends AskedFor {
  readonly reservationId: string;
  readonly questionKey: string;
  readonly operation: string;
  readonly purpose: OpenReservation['purpose'];
  readonly amountCredits: number;
}

/** An entry without the fields that chain it to the previous entry. */
export type EntryDraft = Omit<LedgerEntry, 'hash' | 'previousHash' | 'seq' | 'account'>;

const RESOLVED = 'resolved: ';

/** Reason of an entry that resolves a doubt. @param note from a person or from the policy. */
export function resolutionReason(note: string): string {
  return `${RESOLVED}${note}`;
}

export function isResolution({ reason }: { readonly reason?: string | undefined }): boolean {
  return reason?.startsWith(RESOLVED) ?? false;
}
