import * as fc from 'fast-check';
import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { type Appended, type LedgerCommand, type LedgerEntry, readLog } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { HOUR_MS, seededRandom } from '#shared/kernel';
import { digest } from '../harness/ledger-logs.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryLedgerStore } from '../harness/memory-items.ts';

/** What happens at one moment: time goes on (or back a little), and somebody commands something. */
export interface Turn {
  readonly passedMs: number;
  readonly command: LedgerCommand;
}

export interface Course {
  readonly timeZone: string;
  readonly startMs: number;
  readonly budgets: Budgets;
  readonly turns: readonly Turn[];
}

export interface Run {
  readonly course: Course;
  /** What each turn came to, and the log's time at that moment. */
  readonly results: readonly { readonly nowMs: number; readonly appended: Appended }[];
  readonly log: readonly LedgerEntry[];
}

/** Few questions, so that commands often meet what is open, settled or not there. The asking is filled in later. */
const reservationId = fc.integer({ min: 1, max: 5 }).map((n) => `question-${n}`);
const amountCredits = fc.integer({ min: 1, max: 12 });

const reservation = fc
  .record({
    reservationId,
    operation: fc.constantFrom('personProfile', 'companyProfile', 'reverseEmail'),
    purpose: fc.constantFrom(...PURPOSES),
    amountCredits,
    record: fc.integer({ min: 1, max: 5 }).map((id) => `contacts#${id}`),
  })
  .map((made) => ({ ...made, questionKey: made.reservationId }));

/** Posts more than was reserved only by mistake of the price list, so not here. */
const command: fc.Arbitrary<LedgerCommand> = fc.oneof(
  { weight: 6, arbitrary: reservation.map((made) => ({ kind: 'reserve' as const, ...made })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      reservationId,
      amountCredits: fc.constantFrom(0, 1),
      reason: fc.constantFrom('match', 'no-match'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('void' as const, 'doubt' as const),
      reservationId,
      reason: fc.constant('no-answer'),
    }),
  },
  {
    weight: 3,
    arbitrary: reservation.map((made) => ({ kind: 'late' as const, ...made, reason: 'match' })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('grant' as const, 'adjust' as const),
      id: fc.integer({ min: 1, max: 5 }).map((n) => `note-${n}`),
      amountCredits,
      reason: fc.constant('invoice'),
    }),
  },
);

const limit = fc.option(fc.integer({ min: 0, max: 80 }), { nil: undefined, freq: 3 });
const limits = fc.record({ perDay: limit, perMonth: limit });

export const course: fc.Arbitrary<Course> = fc.record({
  timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC'),
  startMs: fc
    .constantFrom('2026-03-27T12:00:00Z', '2026-10-23T20:00:00Z', '2026-11-28T06:00:00Z')
    .map(Date.parse),
  budgets: fc
    .tuple(limits, limits, limits)
    .map(([total, refresh, live]) => ({ ...total, purposes: { refresh, live } })),
  turns: fc.array(
    fc.record({
      passedMs: fc.oneof(fc.constant(0), fc.integer({ min: -2 * HOUR_MS, max: 20 * HOUR_MS })),
      command,
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  ),
});

/**
 * The asking that a command is about: the newest of its question; a reservation is for a new one where that is
 * settled. An asker books late only what was voided: it posts what is open.
 */
function ofAsking(command: LedgerCommand, log: readonly LedgerEntry[]): LedgerCommand | undefined {
  if (!('reservationId' in command)) return command;
  const { reservationId: question } = command;
  const entries = log.filter(
    ({ kind, reservationId: id }) => kind !== 'late' && id?.startsWith(`${question}:`),
  );
  const newest = entries.at(-1);
  const isSettled = newest?.kind === 'posted' || newest?.kind === 'voided';
  const asked = entries.filter(({ kind }) => kind === 'pending').length;
  const isListed = log.at(-1)?.open.some(({ id }) => id === newest?.reservationId) ?? false;
  // A reservation is repeated at once, or never.
  if (command.kind === 'reserve' && newest && !isSettled && !isListed) return undefined;
  if (command.kind === 'late' && newest?.kind !== 'voided') return undefined;
  const fence = asked + (command.kind === 'reserve' && (isSettled || asked === 0) ? 1 : 0);
  return { ...command, reservationId: `${question}:${fence}` };
}

export async function runCourse(given: Course): Promise<Run> {
  const store = createMemoryLedgerStore();
  const account = 'workspace';
  let nowMs = given.startMs;
  const { timeZone, budgets } = given;
  const clock = { ...createManualClock({ startMs: nowMs, autoAdvance: true }), now: () => nowMs };
  const ledger = createLedger({ store, account, clock, random: seededRandom(1), digest, budgets, timeZone });
  const results: Run['results'][number][] = [];
  const turns: Turn[] = [];
  for (const turn of given.turns) {
    nowMs += turn.passedMs;
    const before = await Array.fromAsync(readLog(store));
    const command = ofAsking(turn.command, before);
    if (!command) continue;
    turns.push({ ...turn, command });
    results.push({
      nowMs: Math.max(nowMs, before.at(-1)?.atMs ?? 0),
      appended: await ledger.apply(command),
    });
  }
  return { course: { ...given, turns }, results, log: await Array.fromAsync(readLog(store)) };
}
