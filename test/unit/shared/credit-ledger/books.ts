import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import {
  type Appended,
  type LedgerCommand,
  type LedgerEntry,
  type NewReservation,
  readLog,
} from '#shared/credit-ledger';
import { seededRandom } from '#shared/kernel';
import { digest } from '../../../harness/ledger-logs.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryLedgerStore } from '../../../harness/memory-items.ts';

const ACCOUNT = 'workspace';

export interface BooksOptions {
  readonly people?: Parameters<typeof createLedger>[0]['people'];
  readonly budgets?: Budgets;
  readonly timeZone?: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly store?: ReturnType<typeof createMemoryLedgerStore>;
}

/** A ledger with a wall clock that a test sets as it likes, also backwards. */
export function openBooks(options: BooksOptions = {}) {
  const {
    budgets = { perDay: 1_000 },
    timeZone = 'Europe/Berlin',
    store = createMemoryLedgerStore(),
  } = options;
  const time = { nowMs: Date.parse(options.at ?? '2026-11-18T12:00:00Z') };
  const clock = {
    ...createManualClock({ startMs: time.nowMs, autoAdvance: true }),
    now: () => time.nowMs,
  };
  const account = ACCOUNT;
  const ledger = createLedger({
    store,
    account,
    clock,
    random: seededRandom(1),
    digest,
    budgets,
    people: options.people,
    timeZone,
  });
  return {
    ledger,
    store,
    setTime: (iso: string) => {
      time.nowMs = Date.parse(iso);
    },
    apply: (command: LedgerCommand) => ledger.apply(command),
    setBack: (reason: string) => ledger.setBack(reason),
    /** Applies, and returns the entry that has to come of it. */
    append: async (command: LedgerCommand) => entryOf(await ledger.apply(command)),
    log: () => Array.fromAsync(readLog(store)),
  };
}

function entryOf(appended: Appended): LedgerEntry {
  if (appended.kind !== 'appended') throw new Error(`Expected an entry, got ${JSON.stringify(appended)}.`);
  return appended.entry;
}

export function reserve(
  reservationId: string,
  rest: Partial<NewReservation> = {},
): LedgerCommand & { kind: 'reserve' } {
  return { kind: 'reserve', ...reservation(reservationId, rest) };
}

export function late(reservationId: string, rest: Partial<NewReservation> = {}): LedgerCommand {
  return { kind: 'late', ...reservation(reservationId, rest), reason: 'match' };
}

function reservation(reservationId: string, rest: Partial<NewReservation>): NewReservation {
  return {
    reservationId,
    questionKey: reservationId.split(':')[0] ?? '',
    operation: 'personProfile',
    purpose: 'live',
    amountCredits: 10,
    ...rest,
  };
}

export function post(reservationId: string, amountCredits = 10): LedgerCommand {
  return { kind: 'post', reservationId, amountCredits, reason: 'match' };
}

export function voided(reservationId: string): LedgerCommand {
  return { kind: 'void', reservationId, reason: 'not-sent' };
}

export function doubt(reservationId: string): LedgerCommand {
  return { kind: 'doubt', reservationId, reason: 'no-answer' };
}

export function grant(id: string, amountCredits: number): LedgerCommand {
  return { kind: 'grant', id, amountCredits, reason: 'invoice' };
}

export function adjust(id: string, amountCredits: number): LedgerCommand {
  return { kind: 'adjust', id, amountCredits, reason: 'dashboard' };
}
