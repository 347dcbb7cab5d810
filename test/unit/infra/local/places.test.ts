import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPlaces,
  placeOf,
  type StoredItem,
  type Window,
} from '../../../../infra/local/virtual/places.ts';

const order = fc.integer({ min: 0, max: 5 });
const itemOf = fc.record({
  pk: fc.constantFrom('a', 'b', 'c', 'd'),
  indexPartition: fc.constantFrom('one', 'two', undefined),
  indexOrder: order,
});

/** What a table does that looks at everything each time. */
function naive(items: readonly StoredItem[], { partition, from, to, isUp, after }: Window): StoredItem[] {
  const byKey = new Map(items.map((item) => [item['pk'], item]));
  const rank = (item: StoredItem) => `${item['indexOrder']} ${item['pk']}`;
  const inside = [...byKey.values()]
    .filter((item) => item['indexPartition'] === partition)
    .filter((item) => Number(item['indexOrder']) >= from && Number(item['indexOrder']) <= to)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const found = isUp ? inside : inside.reverse();
  if (!after) return found;
  return found.filter((item) => (isUp ? rank(item) > rank(after) : rank(item) < rank(after)));
}

describe('the items of a table in memory', () => {
  it('are handed out as by a table that looks at everything, from wherever it goes on', () => {
    const window = fc.record({
      partition: fc.constantFrom('one', 'two'),
      from: order,
      to: order,
      isUp: fc.boolean(),
      after: fc.option(itemOf, { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(itemOf, { maxLength: 12 }),
        window,
        fc.constantFrom('a', 'e'),
        (put, wanted, gone) => {
          const within =
            !wanted.after || (wanted.after.indexOrder >= wanted.from && wanted.after.indexOrder <= wanted.to);
          fc.pre(wanted.from <= wanted.to && within);
          const places = createPlaces();
          for (const item of put) places.put(item);
          places.remove(placeOf({ pk: gone }));
          const items = put.filter(({ pk }) => pk !== gone);
          const found = [...places.between(wanted)].map(({ now }) => now);
          expect(found).toEqual(naive(items, wanted));
          const newest = new Map(items.map((item) => [item.pk, item]));
          expect(places.all()).toEqual([...newest.values()]);
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });
});
