import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import type { Random } from '#shared/kernel';
import type { IndexedItems, IndexPosition } from '#shared/versioned-items';

/** Faults of some calls to a store. */
export interface StoreFault {
  /** `timeout`: the call may have had its effect. The other two had none. */
  readonly kind: 'throttled' | 'failed' | 'timeout';
  /** Probability of the fault, 0 to 1. */
  readonly rate: number;
  /** Most calls with the fault. */
  readonly times: number;
  /** The only store function with the fault; all by default. */
  readonly call?: string;
  /** The only store with the fault; all by default. */
  readonly store?: 'questions';
}

/** The final error of the store's library. */
export class StoreError extends Error {
  override name = 'StoreError';
}

export type StoreTrouble = ReturnType<typeof createStoreTrouble>;

/** Makes stores fail, and lets an index lag behind its items. Inactive until a test sets it. */
export function createStoreTrouble({ random, now }: { random: Random; now: () => number }) {
  let faults: readonly StoreFault[] = [];
  let struck: number[] = [];
  let lagMs = 0;
  const meet = (name: unknown, of: unknown): StoreFault['kind'] | undefined => {
    for (const [index, { kind, rate, times, call = name, store = of }] of faults.entries()) {
      if (call !== name || store !== of) continue;
      if ((struck[index] ?? 0) >= times || random() >= rate) continue;
      struck[index] = (struck[index] ?? 0) + 1;
      return kind;
    }
    return undefined;
  };
  return {
    /** Replaces all former faults from now on. */
    set: (wanted: { readonly faults: readonly StoreFault[]; readonly lagMs: number }) => {
      ({ faults, lagMs } = wanted);
      struck = [];
    },
    /** Wraps a port with the faults. All its functions have to be asynchronous. */
    guard: <T extends object>(port: T, store?: string | symbol): T =>
      new Proxy(port, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return async (...given: unknown[]) => {
            const kind = meet(name, store);
            if (kind === undefined) return Reflect.apply(member, target, given);
            if (kind === 'timeout' && random() < 0.5) await Reflect.apply(member, target, given);
            throw new StoreError(`The store has ${kind} on purpose.`);
          };
        },
      }),
    /** Reads of an item are strongly consistent. The index shows the item's state of some time ago. */
    lag: <V>(
      items: IndexedItems<V>,
      indexPosition: (value: V) => IndexPosition | undefined,
    ): IndexedItems<V> => {
      const index = createMemoryItems<V>({ indexPosition });
      const coming: { readonly atMs: number; readonly change: Parameters<typeof items.write>[0] }[] = [];
      const caughtUp = async () => {
        while (coming[0] && coming[0].atMs + lagMs <= now()) {
          const { change } = coming.shift() ?? coming[0];
          await index.write(change);
        }
        return index;
      };
      return {
        read: items.read,
        write: async (change) => {
          const result = await items.write(change);
          if (result === 'written') coming.push({ atMs: now(), change });
          return result;
        },
        list: async (query) => (await caughtUp()).list(query),
        count: async (partition) => (await caughtUp()).count(partition),
        page: async (query) => (await caughtUp()).page(query),
      };
    },
  };
}
