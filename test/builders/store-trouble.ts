import type { Random } from '#shared/kernel';
import { type IndexedItems, type IndexPosition, type ItemKey, replacing } from '#shared/store';
import { createMemoryItems } from './memory-items.ts';

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
      const index = createMemoryItems<V>({ indexPosition }) as IndexedItems<V>;
      const coming: { readonly atMs: number; readonly key: ItemKey; readonly value: V }[] = [];
      let caughtUp: Promise<unknown> = Promise.resolve();
      const catchUp = async () => {
        for (let next = coming[0]; next && next.atMs + lagMs <= now(); next = coming[0]) {
          coming.shift();
          await index.write({ ...next, ...replacing(await index.read(next.key)) });
        }
      };
      // One after the other, in the order of the writes.
      const current = async () => {
        caughtUp = caughtUp.then(catchUp);
        await caughtUp;
        return index;
      };
      return {
        read: items.read,
        write: async (change) => {
          const result = await items.write(change);
          if (result !== 'conflict') coming.push({ atMs: now(), key: change.key, value: change.value });
          return result;
        },
        list: async (query) => (await current()).list(query),
        count: async (partition) => (await current()).count(partition),
        page: async (query) => (await current()).page(query),
      };
    },
  };
}
