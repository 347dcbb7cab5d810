import { describe, expect, it } from 'vitest';
import { createWriteComparison } from '#inside/enrichment/policy-change/comparison.ts';
import type { Effect } from '#inside/enrichment/policy-change/effects.ts';
import type { KeptReason } from '#shared/ownership';

function effect({ kept = {}, ...rest }: Partial<Omit<Effect, 'kept'>> & Kept = {}): Effect {
  const reasons = new Map(Object.entries(kept) as [string, KeptReason][]);
  return { writes: {}, overPeople: [], ...rest, kept: reasons };
}

interface Kept {
  readonly kept?: Record<string, KeptReason>;
}

function compared(before: Effect, after: Effect) {
  const comparison = createWriteComparison();
  comparison.add({ objectType: 'contacts', before, after });
  return comparison.result();
}

const NONE = {
  added: 0,
  changed: 0,
  lost: 0,
  protectedBefore: 0,
  protectedAfter: 0,
  overPeople: 0,
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
  ])('%s', (_, before, after, counts) => {
    expect(compared(before, after).totals).toEqual({ ...NONE, ...counts });
  });

  it('counts the records and values that an apply would write', () => {
    const after = effect({ writes: { city: 'Bonn', state: 'NRW' } });
    expect(compared(effect(), after).apply).toEqual({ records: 1, values: 2 });
    expect(compared(after, effect()).apply).toEqual({ records: 0, values: 0 });
  });
});
