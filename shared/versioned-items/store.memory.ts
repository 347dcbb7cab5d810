import { frozen } from '#shared/kernel';
import { type PagePlace, pageCursor, readCursor } from './page-cursor.ts';
import type { IndexedItems, IndexPosition, Versioned } from './store.ts';

/** Behaves like the DynamoDB adapter, in memory, for tests and simulations. */
export function createMemoryItems<T>(
  options: { readonly indexPosition?: (value: T) => IndexPosition | undefined } = {},
): IndexedItems<T, string, string> {
  const items = new Map<string, Versioned<T>>();
  const index = createIndex();
  return {
    read: async (key) => items.get(key),
    write: async ({ key, value, expectedVersion, unknown }) => {
      if ((items.get(key)?.version ?? 0) !== expectedVersion) return 'conflict';
      const next = { value, version: expectedVersion + 1, ...(unknown && { unknown }) };
      items.set(key, frozen(structuredClone(next)));
      index.place(key, options.indexPosition?.(value));
      return 'written';
    },
    list: async ({ partition, from = 0, upTo = Number.MAX_SAFE_INTEGER, limit, newestFirst }) => {
      const inWindow = index.of(partition).filter(({ order }) => order >= from && order <= upTo);
      const inOrder = newestFirst ? inWindow.toReversed() : inWindow;
      return inOrder.slice(0, limit).flatMap(({ key }) => items.get(key)?.value ?? []);
    },
    count: async (partition, atMost = Number.MAX_SAFE_INTEGER) =>
      Math.min(index.of(partition).length, atMost),
    page: async ({ partition, after, limit }) => {
      const last = after === undefined ? undefined : readCursor(after);
      const rest = index
        .of(partition)
        .toSorted(compare)
        .filter((entry) => !last || compare(entry, last) > 0);
      const pageEntries = rest.slice(0, limit);
      const end = pageEntries.length < rest.length ? pageEntries.at(-1) : undefined;
      const values = pageEntries.flatMap(({ key }) => items.get(key)?.value ?? []);
      return { values, ...(end && { next: pageCursor(end) }) };
    },
  };
}

type Entry = PagePlace;

/** Sorts by order, then by key, so that a page can end between items with the same order. */
function compare(a: Entry, b: Entry): number {
  return a.order - b.order || (a.key < b.key ? -1 : Number(a.key > b.key));
}

/** Sorts a partition on its next read, not with every write. */
function createIndex() {
  const positions = new Map<string, IndexPosition>();
  const partitions = new Map<string, Map<string, Entry>>();
  const sorted = new Map<string, readonly Entry[]>();
  return {
    place: (key: string, position: IndexPosition | undefined): void => {
      const before = positions.get(key);
      if (before) {
        partitions.get(before.partition)?.delete(key);
        sorted.delete(before.partition);
      }
      if (!position) return void positions.delete(key);
      const { partition, order } = position;
      positions.set(key, position);
      const members = partitions.get(partition) ?? new Map<string, Entry>();
      partitions.set(partition, members.set(key, { key, order }));
      sorted.delete(partition);
    },
    of: (partition: string): readonly Entry[] => {
      const known = sorted.get(partition);
      if (known) return known;
      const entries = [...(partitions.get(partition)?.values() ?? [])].sort((a, b) => a.order - b.order);
      sorted.set(partition, entries);
      return entries;
    },
  };
}
