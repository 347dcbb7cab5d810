import { describe, expect, it } from 'vitest';
import { createWriteComparison } from '#inside/enrichment/policy-change/comparison.ts';
import type { Effect } from '#inside/enrichment/policy-change/effects.ts';
import type { KeptReason } from '#inside/ownership/may-write.ts';

function effect({ kept = {}, ...rest }: Partial<Omit<Effect, 'kept'>> & Kept = {}): Effect {
  const reasons = new Map(Object.entries(kept) as [string, KeptReason][]);
  return { writes: {}, overPeople: [], unfit: [], ...rest, kept: reasons };
}

interface Kept {
  readonly kept?: Record<string, KeptReason>;
}

function compared(before: Effect, after: Effect) {
  const comparison = createWriteComparison();
  comparison.add({ name: { objectType: 'contacts', id: '1' }, before, after });
  return comparison.result();
}

const NONE = {
  ...{ added: 0, changed: 0, lost: 0, protectedBefore: 0, protectedAfter: 0 },
  ...{ overPeople: 0, unfitBefore: 0, unfitAfter: 0 },
};

describe('what two policies make of an answer', () => {
  it.each<[string, Effect, Effect, object]>([
    ['nothing else', effect({ writes: { city: 'Bonn' } }), effect({ writes: { city: 'Bonn' } }), {}],
    ['a value more', effect(), effect({ writes: { city: 'Bonn' } }), { added: 1 }],
    [
      'another value',
      effect({ writes: { city: 'Bonn' } }),
      effect({ writes: { city: 'Köln' } }),
      { changed: 1 },
    ],
    ['a write less', effect({ writes: { city: 'Bonn' } }), effect(), { lost: 1 }],
    ['a value that stands and is left', effect({ kept: { city: 'same' } }), effect(), { lost: 1 }],
    [
      'a value that is no longer written but stays right',
      effect({ writes: { city: 'Bonn' } }),
      effect({ kept: { city: 'same' } }),
      {},
    ],
    [
      "a person's value that is given up",
      effect({ kept: { city: 'person-wrote' } }),
      effect({ writes: { city: 'Bonn' }, overPeople: ['city'] }),
      { added: 1, protectedBefore: 1, overPeople: 1 },
    ],
    ['what fits nothing', effect({ unfit: ['city'] }), effect(), { unfitBefore: 1 }],
  ])('%s', (_, before, after, counts) => {
    expect(compared(before, after).totals).toEqual({ ...NONE, ...counts });
  });

  it('says by which reason nothing is written, and what an apply would write', () => {
    const refused = effect({ refused: 'the answer is about another person or company' });
    expect(compared(refused, effect({ writes: { city: 'Bonn', state: 'NRW' } }))).toMatchObject({
      refused: { before: { 'the answer is about another person or company': 1 }, after: {} },
      apply: { records: 1, values: 2 },
    });
  });

  it('names the ten records that differ most, however many there are', () => {
    const comparison = createWriteComparison();
    for (let nth = 0; nth < 100; nth += 1) {
      const names = Array.from({ length: 1 + (nth % 20) }, (_, at) => [`p${at}`, 'x']);
      const after = effect({ writes: Object.fromEntries(names) });
      comparison.add({ name: { objectType: 'contacts', id: String(nth) }, before: effect(), after });
    }
    const { affected, affectedRecords } = comparison.result();
    expect(affectedRecords).toBe(100);
    expect(affected.map(({ properties }) => properties.length)).toEqual([
      20, 20, 20, 20, 20, 19, 19, 19, 19, 19,
    ]);
  });
});
