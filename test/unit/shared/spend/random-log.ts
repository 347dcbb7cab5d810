import fc from 'fast-check';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { CreditLedger, LedgerCommand, LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { type Clock, DAY_MS } from '#shared/kernel';
import { createMemoryLedgerStore } from '../../../harness/memory-items.ts';

export const ACCOUNT = 'main';
export const TIME_ZONE = 'Europe/Berlin';
const START_MS = Date.UTC(2026, 9, 20, 10);

/** A clock that a test sets. */
export function handClock(startMs = START_MS): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    sleep: async () => {},
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** The real ledger, with chaining reduced to what these tests need of it. */
export function bookKeeping(clock: Clock, store = createMemoryLedgerStore()) {
  const digest = { sha256: () => 'hash', keyed: () => 'hash' };
  const budgets = { perDay: 500, perMonth: 4_000, purposes: { refresh: { perDay: 100 } } };
  const rest = { account: ACCOUNT, clock, random: () => 0, timeZone: TIME_ZONE };
  return { store, ledger: createLedger({ ...rest, store, digest, budgets }) };
}

let asked = 0;

/** One asking from reservation to charge. */
export async function charge(
  ledger: CreditLedger,
  of: { operation: string; purpose: (typeof PURPOSES)[number]; credits: number; reason: string },
): Promise<void> {
  const reservationId = `q${++asked}:1`;
  const { operation, purpose, credits: amountCredits, reason } = of;
  await ledger.apply({ kind: 'reserve', reservationId, questionKey: 'q', operation, purpose, amountCredits });
  await ledger.apply({ kind: 'post', reservationId, amountCredits, reason });
}

/** The sum of a day. */
export function row(day: string, credits: number, given: Partial<SpendRow> = {}): SpendRow {
  return { day, operation: 'personProfile', purpose: 'live', outcome: 'match', credits, count: 1, ...given };
}

/** A charge of three credits for one record. */
export async function chargeFor(
  { ledger }: { readonly ledger: CreditLedger },
  record: string,
  reason = 'match',
): Promise<void> {
  const reservationId = `${record}:1`;
  const about = { questionKey: `key of ${record}`, operation: 'reverseEmail', purpose: 'live' } as const;
  await ledger.apply({ kind: 'reserve', reservationId, record, ...about, amountCredits: 3 });
  await ledger.apply({ kind: 'post', reservationId, amountCredits: 3, reason });
}

const step = fc.record({
  what: fc.constantFrom('reserve', 'reserve', 'post', 'post', 'void', 'doubt', 'late', 'grant', 'adjust'),
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 * DAY_MS })),
  operation: fc.constantFrom('personProfile', 'reverseEmail'),
  purpose: fc.constantFrom(...PURPOSES),
  credits: fc.integer({ min: 1, max: 6 }),
  reason: fc.constantFrom('match', 'no-match', 'settled with the vendor'),
  which: fc.nat({ max: 20 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Steps of a log in which reservations stay open over days and months, and are settled in any order. */
export const logSteps = fc.array(step, { minLength: 1, maxLength: 40 });

/** Longer ones, of some months, in which most are charged. */
export const longLogSteps = fc.array(step, { minLength: 20, maxLength: 44, size: 'max' });

export async function logOf(steps: readonly Step[]): Promise<LedgerEntry[]> {
  const clock = handClock();
  const { store, ledger } = bookKeeping(clock);
  for (const [index, taken] of steps.entries()) {
    clock.advance(taken.waitMs);
    const open = await ledger.openReservations();
    const command = commandOf(taken, `r${index}:1`, open[taken.which % Math.max(1, open.length)]?.id);
    if (command) await ledger.apply(command);
  }
  return [...(await store.entries({ fromSeq: 1, limit: 1_000 }))];
}

function commandOf(taken: Step, id: string, openId: string | undefined): LedgerCommand | undefined {
  const { what, operation, purpose, credits: amountCredits, reason, which } = taken;
  const record = `contacts#${which % 4}`;
  const about = { reservationId: id, questionKey: 'q', operation, purpose, record, amountCredits };
  switch (what) {
    case 'reserve':
      return { kind: 'reserve', ...about };
    case 'late':
      return { kind: 'late', ...about, reason };
    case 'grant':
    case 'adjust':
      return { kind: what, id, amountCredits, reason };
    case 'post':
      return openId === undefined
        ? undefined
        : { kind: 'post', reservationId: openId, amountCredits, reason };
    case 'void':
    case 'doubt':
      return openId === undefined ? undefined : { kind: what, reservationId: openId, reason };
    default:
      throw new Error(`no such step: ${what}`);
  }
}
