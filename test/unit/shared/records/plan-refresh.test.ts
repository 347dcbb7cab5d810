import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEIGHTS } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import { newRecordState, type RecordState, recordPlace, staleRecords } from '#shared/records';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { countedIndex, drawnRecord, NOW_MS } from './many-records.ts';

const FRESHNESS = { contactsDays: 180, companiesDays: 90 };
const given = {
  policy: { freshness: FRESHNESS },
  worstCaseCredits: () => 1,
  clock: { now: () => NOW_MS },
};

const priorities = (records: ReadonlyArray<{ readonly priority: number }>) =>
  records.map(({ priority }) => Math.round(priority * 1e6));

describe('the order of refreshes', () => {
  it('is the age times the square root of the weight, over all records that are due', async () => {
    const anyRecord = fc.record({
      objectType: fc.constantFrom('contacts', 'companies'),
      ageDays: fc.integer({ min: 0, max: 2_000 }),
      weight: fc.option(fc.constantFrom(...WEIGHTS), { nil: undefined }),
    });
    const cases = fc.array(anyRecord, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 20 }), async (all, limit) => {
        const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
        for (const [index, { objectType, ageDays, weight }] of all.entries()) {
          const answeredAtMs = NOW_MS - ageDays * DAY_MS;
          const staleAtMs = answeredAtMs + FRESHNESS[`${objectType}Days`] * DAY_MS;
          const value = { ...newRecordState(objectType, String(index)), answeredAtMs, staleAtMs, weight };
          await records.write({ key: String(index), value, expectedVersion: undefined });
        }
        const expected = all
          .filter(({ objectType, ageDays }) => ageDays >= FRESHNESS[`${objectType}Days`])
          .map(({ ageDays, weight = 1 }) => ({ priority: ageDays * Math.sqrt(weight) }))
          .sort((a, b) => b.priority - a.priority);
        const { due, isWhole } = await staleRecords({ ...given, records }, limit);
        expect(priorities(due.slice(0, limit))).toEqual(priorities(expected.slice(0, limit)));
        if (isWhole) expect(due.length).toBe(expected.length);
      }),
      { seed: 50, numRuns: 200 },
    );
  });

  it('reads no more than the oldest records of each partition', async () => {
    const records = countedIndex(20_000);
    const { due, isWhole } = await staleRecords({ ...given, records }, 100);
    const best = Array.from({ length: 20_000 }, (_, number) => drawnRecord(number))
      .filter(({ staleAtMs = 0 }) => staleAtMs <= NOW_MS)
      .map(({ objectType, staleAtMs = 0, weight = 1 }) => ({
        priority: ((NOW_MS - staleAtMs) / DAY_MS + FRESHNESS[`${objectType}Days`]) * Math.sqrt(weight),
      }))
      .sort((a, b) => b.priority - a.priority);
    expect(priorities(due.slice(0, 100))).toEqual(priorities(best.slice(0, 100)));
    expect(isWhole).toBe(false);
    expect(records.counted.queries).toBe(2 * WEIGHTS.length);
    // Three weights of two types.
    expect(records.counted.items).toBe(600);
  });
});
