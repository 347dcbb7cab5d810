import { describe, expect, it } from 'vitest';
import { seededRandom } from '#shared/kernel';
import { change, type ItemKey, type Known, kind, openItems, type VersionedItems } from '#shared/store';
import { createManualClock } from '../harness/manual-clock.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { type NewerItem, newerItemSchema, olderItemSchema } from './schemas.ts';

function kindOf<V>(schema: { parse(stored: unknown): V }) {
  return kind({
    name: 'an item of two versions',
    prefix: 'item',
    scope: 'portal',
    table: 'state',
    schema,
    key: () => 'item',
    ...{ expiry: { kept: 'for good' }, holdsPeople: false, bound: { list: 'A test.' } },
  });
}

/** Two processes of the older version and two of the newer one, over one table. */
function openProcesses() {
  const clock = createManualClock({ startMs: 1_000, autoAdvance: true });
  const settings = { store: openMemoryStore() };
  const process = <V>(items: VersionedItems<V>, key: ItemKey) => {
    const written = new Map<ItemKey, Known<V>>();
    return (value: (known: V | undefined) => V) =>
      change(items, { key, kind: 'item', clock, written }, (known) => ({ value: value(known) }));
  };
  const [oldKind, newKind] = [kindOf(olderItemSchema), kindOf(newerItemSchema)];
  const [oldItems, newItems] = [openItems(settings, oldKind), openItems(settings, newKind)];
  return {
    older: [process(oldItems, oldKind.key()), process(oldItems, oldKind.key())],
    newer: [process(newItems, newKind.key()), process(newItems, newKind.key())],
    read: async () => (await newItems.read(newKind.key()))?.value,
  };
}

describe('older code over items of newer code', () => {
  it.each(Array.from({ length: 25 }, (_, seed) => seed + 1))(
    'loses no field that it does not know, whatever the order of writes: seed %s',
    async (seed) => {
      const random = seededRandom(seed);
      const processes = openProcesses();
      const place = random() < 0.5 ? 0 : 1;
      let expected: NewerItem = { count: 0 };
      for (let step = 1; step <= 30; step += 1) {
        const nth = random() < 0.5 ? place : 1 - place;
        if (random() < 0.6) {
          const note = random() < 0.5 ? `note ${step}` : undefined;
          await processes.older[nth]?.(() => ({ count: step, note }));
          expected = { ...expected, count: step, note };
        } else {
          const [later, list] = [random() < 0.7 ? step : undefined, random() < 0.5 ? [step] : undefined];
          await processes.newer[nth]?.((known) => ({ count: 0, ...known, later, list }));
          expected = { ...expected, later, list };
        }
        expect(await processes.read()).toEqual(expected);
      }
    },
  );
});
