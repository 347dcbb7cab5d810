import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateOf, chooseByWorth } from '#inside/records/choose-by-worth.ts';
import { newRecordState } from '#inside/records/record-state.ts';
import { REFRESH_CELLS, refreshCell } from '#inside/records/refresh-cells.ts';
import { countedIndex, drawnRecord, NOW_MS } from '../../../builders/many-records.ts';

const worstCaseCredits = ({ objectType }: { objectType: 'contacts' | 'companies' }) =>
  objectType === 'contacts' ? 3 : 1;

describe('the choice among very many records', () => {
  const COUNT = 200_000;
  const index = countedIndex(COUNT);

  it('of the next thousand reads at most five thousand, and is nearly the best', async () => {
    const choosing = { nowMs: NOW_MS, credits: 10_000, most: 1_000 };
    const { chosen } = await chooseByWorth({ records: index, worstCaseCredits }, choosing);
    expect(chosen.length).toBe(1_000);
    expect(index.counted.items).toBeLessThan(5_000);
    expect(index.counted.queries).toBeLessThan(2_000);

    const perCredit = Array.from({ length: COUNT }, (_, number) => {
      const { worth, credits, state } = candidateOf({ worstCaseCredits }, drawnRecord(number), NOW_MS);
      return (state.staleAtMs ?? 0) <= NOW_MS ? worth / credits : 0;
    });
    const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
    const best = sum(perCredit.sort((a, b) => b - a).slice(0, 1_000));
    expect(sum(chosen.map(({ worth, credits }) => worth / credits)) / best).toBeGreaterThan(0.9);
  });

  it('puts every record into one of at most a thousand cells, whatever it weighs', () => {
    expect(REFRESH_CELLS.length).toBeLessThan(1_000);
    const cells: ReadonlySet<string> = new Set(REFRESH_CELLS);
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, (w, g, more) => {
        const state = {
          ...newRecordState('contacts', '1'),
          changeRate: { a: 1 + more, b: 1 + more * 3 },
          worth: { w, g, because: '' },
        };
        expect(cells.has(refreshCell(state))).toBe(true);
      }),
    );
  });
});
