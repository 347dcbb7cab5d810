import type { IndexedItems, IndexPosition, Versioned } from './store.ts';

/** Behaves as the DynamoDB adapter does, in this process: for tests and simulations. */
export function createMemoryItems<T>(
  options: { readonly indexPosition?: (value: T) => IndexPosition | undefined } = {},
): IndexedItems<T> {
  const items = new Map<string, Versioned<T>>();
  const placed = (partition: string) =>
    [...items.values()]
      .map(({ value }) => ({ value, position: options.indexPosition?.(value) }))
      .filter(({ position }) => position?.partition === partition);
  return {
    read: async (key) => structuredClone(items.get(key)),
    write: async ({ key, value, expectedVersion }) => {
      if ((items.get(key)?.version ?? 0) !== expectedVersion) return 'conflict';
      items.set(key, { value: structuredClone(value), version: expectedVersion + 1 });
      return 'written';
    },
    list: async ({ partition, from = 0, upTo = Number.MAX_SAFE_INTEGER, limit }) =>
      placed(partition)
        .filter(({ position }) => (position?.order ?? 0) >= from && (position?.order ?? 0) <= upTo)
        .sort((a, b) => (a.position?.order ?? 0) - (b.position?.order ?? 0))
        .slice(0, limit)
        .map(({ value }) => structuredClone(value)),
    count: async (partition) => placed(partition).length,
    page: async ({ partition }) => ({ values: placed(partition).map(({ value }) => structuredClone(value)) }),
  };
}
