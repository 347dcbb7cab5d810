import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { type LedgerEntry, readLog, verifyLog } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { DAY_MS, HOUR_MS, seededRandom } from '#shared/kernel';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryLedgerStore } from '../harness/memory-items.ts';
import { repeated } from '../harness/repeated.ts';
import { sumOf, usedIn } from './ledger-model.ts';
import { digest } from './ledger-runs.ts';

const BUDGETS = { perDay: 20, perMonth: 60 };
const timeZone = 'Europe/Berlin';

/** Somebody books, mostly by the right clock; now and then a clock is days ahead, and a person sets the books back. */
const turns = fc.array(
  fc.record({
    passedMs: fc.integer({ min: 0, max: 9 * HOUR_MS }),
    aheadMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 2 * HOUR_MS, max: 40 * DAY_MS }) },
    ),
    does: fc.constantFrom('reserve', 'reserve', 'reserve', 'post', 'void', 'doubt', 'set-back'),
    question: fc.integer({ min: 1, max: 6 }),
    purpose: fc.constantFrom('live' as const, 'manual' as const),
    credits: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 20, maxLength: 60, size: 'max' },
);
type Turn = typeof turns extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** The log as it counts: what stood on later days when its time was set back is of the day to which it was. */
function asCounted(log: readonly LedgerEntry[]): LedgerEntry[] {
  const counted: LedgerEntry[] = [];
  for (const entry of log) {
    counted.push(entry);
    if (entry.kind !== 'set-back') continue;
    for (const [index, { day }] of counted.entries())
      if (day > entry.day) counted[index] = { ...(counted[index] as LedgerEntry), day: entry.day };
  }
  return counted;
}

async function runTurns(given: readonly Turn[]): Promise<{ log: LedgerEntry[]; setBacks: number }> {
  const store = createMemoryLedgerStore();
  const account = 'workspace';
  let realMs = Date.parse('2026-11-24T08:00:00Z');
  let setBacks = 0;
  for (const [index, turn] of given.entries()) {
    realMs += turn.passedMs;
    const nowMs = realMs + (turn.does === 'set-back' ? 0 : turn.aheadMs);
    const clock = { ...createManualClock({ startMs: nowMs, autoAdvance: true }), now: () => nowMs };
    const random = seededRandom(1);
    const services = { store, account, clock, random, digest, timeZone, budgets: BUDGETS };
    const ledger = createLedger(services);
    if (turn.does === 'set-back') {
      if (await ledger.setBack('a wrong clock')) setBacks += 1;
    } else await book(ledger, turn, index);
  }
  return { log: await Array.fromAsync(readLog(store)), setBacks };
}

async function book(ledger: ReturnType<typeof createLedger>, turn: Turn, index: number): Promise<void> {
  const { does, question, purpose, credits } = turn;
  const open = await ledger.openReservations();
  const reservationId = open.find(({ questionKey }) => questionKey === `q${question}`)?.id;
  if (does === 'reserve') {
    const about = { questionKey: `q${question}`, operation: 'personProfile', purpose };
    const made = { reservationId: `q${question}:${index}`, amountCredits: credits, ...about };
    if (reservationId === undefined) await ledger.apply({ kind: 'reserve', ...made });
  } else if (reservationId !== undefined) {
    if (does === 'post')
      await ledger.apply({ kind: 'post', reservationId, amountCredits: 1, reason: 'match' });
    else await ledger.apply({ kind: does as 'void' | 'doubt', reservationId, reason: 'no-answer' });
  }
}

it('books that were set back give no budget twice, forget no credit, and prove it', async () => {
  let setBacks = 0;
  await fc.assert(
    fc.asyncProperty(turns, async (given) => {
      const run = await runTurns(given);
      setBacks += run.setBacks;
      for (const [index, entry] of run.log.entries()) {
        const counted = asCounted(run.log.slice(0, index + 1));
        for (const [period, totals] of Object.entries(entry.totals.periods))
          for (const purpose of PURPOSES)
            expect(totals[purpose] ?? NOTHING).toEqual(sumOf(counted, { purpose, period }));
        expect(entry.totals.lifetime).toMatchObject(sumOf(counted));
        if (entry.kind !== 'pending') continue;
        expect(usedIn(counted, { period: entry.day })).toBeLessThanOrEqual(BUDGETS.perDay);
        expect(usedIn(counted, { period: entry.day.slice(0, 7) })).toBeLessThanOrEqual(BUDGETS.perMonth);
      }
      const report = await verifyLog(stream(run.log), { digest });
      expect(report.problems).toEqual([]);
      expect(report.totals.periods).toEqual(run.log.at(-1)?.totals.periods ?? {});
    }),
    { numRuns: repeated(100), seed: 1 },
  );
  expect(setBacks).toBeGreaterThan(repeated(50));
});

const NOTHING = { posted: 0, pending: 0, doubtful: 0 };

async function* stream(entries: readonly LedgerEntry[]) {
  yield* entries;
}
