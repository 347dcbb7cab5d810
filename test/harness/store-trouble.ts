import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type {
  IndexPage,
  IndexPlace,
  IndexRange,
  KindInStore,
  TransactResult,
} from '#inside/store/transactions.ts';
import { inChunks, type Random } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import { journalKind, recordKind, statusKind } from '#shared/records';
import type { IndexPosition, Store } from '#shared/store';
import { isOf, type StoreRequest, touches, watchedStore } from './watched-store.ts';

/** Faults of some requests to the store. */
export interface StoreFault {
  /** `timeout`: the request may have had its effect. The others had none. `contended`: other writers were always first. */
  readonly kind: 'throttled' | 'failed' | 'timeout' | 'contended';
  /** Probability of the fault, 0 to 1. */
  readonly rate: number;
  /** Most requests with the fault. */
  readonly times: number;
  /** The only times with the fault, all by default: the begin of each interval, counted from now on. */
  readonly bursts?: { readonly everyMs: number; readonly forMs: number };
  /** The only requests with the fault, all by default: those about questions, or those that append to the ledger. */
  readonly among?: keyof typeof AMONG;
}

const AMONG = {
  questions: (request: StoreRequest) => touches(request, questionKind),
  entries: (request: StoreRequest) => request.kind === 'transact' && touches(request, ledgerEntryKind),
};

/** The final error of the store's library. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The kinds whose index can lag. */
const LAGGING = [recordKind, journalKind, statusKind];

interface Coming {
  readonly atMs: number;
  readonly table: string;
  readonly prefix: string;
  readonly key: string;
  /** The position that the index still shows. */
  readonly shown: IndexPosition | undefined;
}

/** The answer to a transaction after another writer was first. */
const LOST_RACE: TransactResult = { kind: 'conflict' };

/** Makes a store fail, and lets its indexes lag behind its items. Inactive until a test sets it. */
export function createStoreTrouble({ random, now }: { random: Random; now: () => number }) {
  let faults: readonly StoreFault[] = [];
  let struck: number[] = [];
  let lagMs = 0;
  let sinceMs = 0;
  const meet = (request: StoreRequest): StoreFault['kind'] | undefined => {
    for (const [index, { kind, rate, times, among, bursts }] of faults.entries()) {
      if (bursts && (now() - sinceMs) % bursts.everyMs >= bursts.forMs) continue;
      if (among && !AMONG[among](request)) continue;
      if (kind === 'contended' && request.kind !== 'transact') continue;
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
      sinceMs = now();
    },
    /** The store, with the faults. */
    failing: (store: Store): Store =>
      watchedStore(store, async (request, send) => {
        const kind = meet(request);
        if (kind === undefined) return send();
        if (kind === 'contended') return LOST_RACE as Awaited<ReturnType<typeof send>>;
        if (kind === 'timeout' && random() < 0.5) await send();
        throw new StoreError(`The store has ${kind} on purpose.`);
      }),
    /** The store with indexes that show the items of some time ago. Reads of an item are strongly consistent. */
    lagging: (store: Store): Store => {
      let coming: readonly Coming[] = [];
      /** The items whose last change the index does not show yet, each at its oldest position. */
      const behind = (kind: KindInStore<unknown>) => {
        coming = coming.filter(({ atMs }) => atMs + lagMs > now());
        const ofTable = coming.filter(({ table, prefix }) => table === kind.table && prefix === kind.prefix);
        return new Map(ofTable.toReversed().map(({ key, shown }) => [key, shown]));
      };
      return {
        ...store,
        transact: async (writes, version) => {
          const places = writes.flatMap(({ kind, place }) =>
            lagMs > 0 && kind !== 'check' && LAGGING.some((lagging) => isOf(place, lagging)) ? [place] : [],
          );
          const before = places.length > 0 ? await store.getMany(places) : undefined;
          const result = await store.transact(writes, version);
          if (before && result.kind === 'done') {
            const changed = places.map((place): Coming => {
              const value = before.get(place)?.value;
              const shown = value === undefined ? undefined : place.kind.place(value);
              const { table, prefix } = place.kind;
              return { atMs: now(), table, prefix, key: place.key, shown };
            });
            coming = [...coming, ...changed];
          }
          return result;
        },
        index: async (kind, range) => {
          const late = behind(kind);
          return late.size === 0 ? store.index(kind, range) : lateIndex(store, kind, range, late);
        },
        count: async (kind, partition, atMost) => {
          const late = behind(kind);
          if (late.size === 0) return store.count(kind, partition, atMost);
          return (await lateIndex(store, kind, { partition, limit: atMost }, late)).keys.length;
        },
      };
    },
  };
}

/** A page of an index that shows the late items at their old positions. */
async function lateIndex(
  store: Store,
  kind: KindInStore<unknown>,
  { after, limit, ...range }: IndexRange,
  late: ReadonlyMap<string, IndexPosition | undefined>,
): Promise<IndexPage> {
  const { partition, from = 0, upTo = Number.MAX_SAFE_INTEGER, newestFirst } = range;
  const current = (await allKeys(store, kind, range)).filter((key) => !late.has(key));
  const places: IndexPlace[] = [];
  for (const keys of inChunks(current, 100)) {
    const known = await store.getMany(keys.map((key) => ({ kind, key })));
    for (const key of keys) {
      const position = kind.place(known.get({ kind, key })?.value);
      if (position) places.push({ order: position.order, key });
    }
  }
  for (const [key, shown] of late)
    if (shown?.partition === partition && shown.order >= from && shown.order <= upTo)
      places.push({ order: shown.order, key });
  places.sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
  if (newestFirst) places.reverse();
  const isAfter = ({ order, key }: IndexPlace) => {
    if (!after) return true;
    if (order !== after.order) return newestFirst ? order < after.order : order > after.order;
    return newestFirst ? key < after.key : key > after.key;
  };
  const left = places.filter(isAfter);
  const page = left.slice(0, limit);
  const next = left.length > page.length ? page.at(-1) : undefined;
  return { keys: page.map(({ key }) => key), ...(next && { next }) };
}

async function allKeys(store: Store, kind: KindInStore<unknown>, range: IndexRange): Promise<string[]> {
  const keys: string[] = [];
  let after: IndexPlace | undefined;
  do {
    const page: IndexPage = await store.index(kind, { ...range, after });
    keys.push(...page.keys);
    after = page.next;
  } while (after);
  return keys;
}
