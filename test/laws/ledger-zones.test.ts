import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { readLog, verifyLog } from '#shared/credit-ledger';
import { HOUR_MS, seededRandom } from '#shared/kernel';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryLedgerStore } from '../harness/memory-items.ts';
import { usedIn } from './ledger-model.ts';
import { digest } from './ledger-runs.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const;
const BUDGETS = { perDay: 5, perMonth: 12 };

/** Somebody changes the policy's zone again and again, mostly where it would pay: around the end of a month. */
const turns = fc.array(
  fc.record({ passedMs: fc.integer({ min: 0, max: 9 * HOUR_MS }), timeZone: fc.constantFrom(...ZONES) }),
  { minLength: 20, maxLength: 60, size: 'max' },
);

it('whoever changes the time zone as often as he likes spends no day’s and no month’s budget twice', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (given) => {
      const store = createMemoryLedgerStore();
      const account = 'workspace';
      let nowMs = Date.parse('2026-11-28T00:00:00Z');
      const clock = { ...createManualClock({ startMs: nowMs, autoAdvance: true }), now: () => nowMs };
      const rules = { store, account, clock, random: seededRandom(1), digest, budgets: BUDGETS };
      for (const [index, { passedMs, timeZone }] of given.entries()) {
        nowMs += passedMs;
        const { apply } = createLedger({ ...rules, timeZone });
        const reservationId = `question-${index}:1`;
        const about = { questionKey: 'q', operation: 'personProfile', purpose: 'live' as const };
        await apply({ kind: 'reserve', reservationId, amountCredits: 3, ...about });
        await apply({ kind: 'post', reservationId, amountCredits: 3, reason: 'match' });
      }
      const log = await Array.fromAsync(readLog(store));
      for (const { day } of log) {
        expect(usedIn(log, { period: day })).toBeLessThanOrEqual(BUDGETS.perDay);
        expect(usedIn(log, { period: day.slice(0, 7) })).toBeLessThanOrEqual(BUDGETS.perMonth);
      }
      const report = await verifyLog(readLog(store), { digest });
      expect(report.problems).toEqual([]);
    }),
    { numRuns: 60, seed: 1 },
  );
});
