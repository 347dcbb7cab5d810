import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LedgerEntry, readLog } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { HOUR_MS } from '#shared/kernel';
import { verify } from '../harness/ledger-logs.ts';
import { createMemoryLedgerStore } from '../harness/memory-items.ts';
import { repeated } from '../harness/repeated.ts';
import { openBooks } from '../unit/shared/credit-ledger/books.ts';
import { lateIn, sumOf, usedIn } from './ledger-model.ts';
import { runSteps, steps } from './statement-runs.ts';

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

it('books that were set back give no budget twice, forget no credit, and prove it', async () => {
  const budgets = { perDay: 20, perMonth: 60 };
  let setBacks = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { log, books } = await runSteps(given, { budgets });
      setBacks += log.filter(({ kind }) => kind === 'set-back').length;
      for (const [index, entry] of log.entries()) {
        const counted = asCounted(log.slice(0, index + 1));
        for (const [period, totals] of Object.entries(entry.totals.periods))
          for (const purpose of PURPOSES)
            expect(totals[purpose] ?? NOTHING).toEqual(sumOf(counted, { purpose, period }));
        expect(entry.totals.lifetime).toMatchObject(sumOf(counted));
        if (entry.kind !== 'pending') continue;
        const usedOn = (period: string) => usedIn(counted, { period }) - lateIn(counted, { period });
        expect(usedOn(entry.day)).toBeLessThanOrEqual(budgets.perDay);
        expect(usedOn(entry.day.slice(0, 7))).toBeLessThanOrEqual(budgets.perMonth);
      }
      const report = await verify(readLog(books.store));
      expect(report.problems).toEqual([]);
      expect(report.totals.periods).toEqual(log.at(-1)?.totals.periods ?? {});
    }),
    { numRuns: repeated(100), seed: 1 },
  );
  expect(setBacks).toBeGreaterThan(repeated(50));
});

const NOTHING = { posted: 0, pending: 0, doubtful: 0 };

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const;

/** Somebody changes the policy's zone again and again, mostly where it would pay: around the end of a month. */
const turns = fc.array(
  fc.record({ passedMs: fc.integer({ min: 0, max: 9 * HOUR_MS }), timeZone: fc.constantFrom(...ZONES) }),
  { minLength: 20, maxLength: 60, size: 'max' },
);

it('whoever changes the time zone as often as he likes spends no day’s and no month’s budget twice', async () => {
  const budgets = { perDay: 5, perMonth: 12 };
  await fc.assert(
    fc.asyncProperty(turns, async (given) => {
      const store = createMemoryLedgerStore();
      let nowMs = Date.parse('2026-11-28T00:00:00Z');
      for (const [index, { passedMs, timeZone }] of given.entries()) {
        nowMs += passedMs;
        const { apply } = openBooks({ store, budgets, timeZone, at: new Date(nowMs).toISOString() });
        const reservationId = `question-${index}:1`;
        const about = { questionKey: 'q', operation: 'personProfile', purpose: 'live' as const };
        await apply({ kind: 'reserve', reservationId, amountCredits: 3, ...about });
        await apply({ kind: 'post', reservationId, amountCredits: 3, reason: 'match' });
      }
      const log = await Array.fromAsync(readLog(store));
      for (const { day } of log) {
        expect(usedIn(log, { period: day })).toBeLessThanOrEqual(budgets.perDay);
        expect(usedIn(log, { period: day.slice(0, 7) })).toBeLessThanOrEqual(budgets.perMonth);
      }
      expect((await verify(readLog(store))).problems).toEqual([]);
    }),
    { numRuns: repeated(200), seed: 1 },
  );
});
