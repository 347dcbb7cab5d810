import type { Clock, NewId } from '#shared/kernel';
import type { IndexPartition, ItemKey } from './kind.ts';
import { check, type KindInStore, type Known, type Place, put, type Store } from './transactions.ts';

/** Items of one kind that change one at a time. A write names the version that its decision is based on. */
export interface VersionedItems<T, K extends string = ItemKey> {
  /** Reads an item, strongly consistent; `undefined` if it does not exist. */
  read(key: K): Promise<Known<T> | undefined>;
  /** @returns the item as it is now known, or `conflict` if another write came first. Then nothing changes. */
  write(write: ItemWrite<T, K>): Promise<Known<T> | 'conflict'>;
}

export interface PlacedItems<T, K extends string = ItemKey> extends VersionedItems<T, K> {
  /** Where an item is, for a transaction. */
  place(key: K): Place<T>;
  /** Reads an item inside a work of the store. The work's writes are stored only if it has not changed until then. */
  readChecked(key: K): Promise<Known<T> | undefined>;
}

export interface ItemWrite<T, K extends string = ItemKey> extends Replaced {
  readonly key: K;
  readonly value: T;
}

/** The version that a write replaces. */
export interface Replaced {
  /** The version that was read; `undefined` for a missing item. */
  readonly expectedVersion: string | undefined;
  /** Fields that are written back together with the value. Otherwise they would be lost. */
  readonly unknown?: Known<unknown>['unknown'];
  /** Set in a privacy deletion. */
  readonly isForgetting?: boolean;
}

/** Replaces an item that was read. Fields of a later version stay, except in a privacy deletion. */
export function replacing(known: Known<unknown> | undefined, isForgetting = false): Replaced {
  const { version: expectedVersion, unknown } = known ?? {};
  return { expectedVersion, ...(unknown && !isForgetting && { unknown }), isForgetting };
}

export interface IndexQuery<P extends string = IndexPartition> {
  readonly partition: P;
  /** Lowest and highest order, both inclusive. */
  readonly from?: number;
  readonly upTo?: number;
  /** Maximum number of items. If it is absent, all items. */
  readonly limit?: number;
  /** Highest order first. */
  readonly newestFirst?: boolean;
}

interface PageQuery<P extends string = IndexPartition> {
  readonly partition: P;
  /** `next` of the previous page. An invalid cursor starts from the beginning. */
  readonly after?: string | undefined;
  /** Maximum number of items. If it is absent, as many items as the store returns in one request. */
  readonly limit?: number | undefined;
}

interface ItemPage<T> {
  readonly values: readonly T[];
  readonly next?: string | undefined;
}

/**
 * Items that can also be listed by their index position. The index may be older than the items: an item that has just
 * been placed may be missing, and one that has just moved away is left out.
 */
export interface IndexedItems<T, K extends string = ItemKey, P extends string = IndexPartition>
  extends PlacedItems<T, K> {
  /** Lists items, lowest order first, unless `newestFirst` is set. */
  list(query: IndexQuery<P>): Promise<readonly T[]>;
  /** @param atMost the count stops at this number, to save reads. */
  count(partition: P, atMost?: number): Promise<number>;
  /** Reads a page of a partition. To read the whole partition, repeat with `next` until it is absent. */
  page(query: PageQuery<P>): Promise<ItemPage<T>>;
}

export interface Storage {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Keys of a page whose size nobody has named. */
const KEYS_IN_PAGE = 500;

/** Opens the items of a kind that is not known beforehand, such as an extension's. */
export type OpenItems = <V>(kind: KindInStore<V>) => IndexedItems<V>;

/** Opens the items of one kind. */
export function openItems<V>({ store }: Pick<Storage, 'store'>, kind: KindInStore<V>): IndexedItems<V> {
  const placeOf = (key: string): Place<V> => ({ kind, key });
  const readKeys = async (keys: readonly string[], { partition, from = 0, upTo = Infinity }: IndexQuery) => {
    if (keys.length === 0) return [];
    const places = keys.map(placeOf);
    const items = await store.getMany(places);
    return places.flatMap((place) => {
      const value = items.get(place)?.value;
      const position = value === undefined ? undefined : kind.place(value);
      const isThere = position?.partition === partition && position.order >= from && position.order <= upTo;
      return isThere && value !== undefined ? [value] : [];
    });
  };
  const read = async (key: string) => (await store.getMany([placeOf(key)])).get(placeOf(key));
  return {
    place: placeOf,
    read,
    readChecked: async (key) => {
      const known = await read(key);
      await store.transact([check(placeOf(key), known)]);
      return known;
    },
    write: async ({ key, value, expectedVersion, unknown, isForgetting }) => {
      const extra = unknown && { unknown };
      const known = expectedVersion === undefined ? undefined : { value, version: expectedVersion, ...extra };
      const result = await store.transact([put(placeOf(key), value, known, isForgetting)]);
      return result.kind === 'conflict' ? 'conflict' : { value, version: result.version, ...extra };
    },
    list: async (query) => {
      const { limit = Infinity } = query;
      const found: V[] = [];
      let after: { readonly order: number; readonly key: string } | undefined;
      do {
        const wanted = limit - found.length;
        const page = await store.index(kind, {
          ...query,
          after,
          limit: Number.isFinite(wanted) ? wanted : undefined,
        });
        found.push(...(await readKeys(page.keys, query)));
        after = page.next;
      } while (after && found.length < limit);
      return found;
    },
    count: (partition, atMost) => store.count(kind, partition, atMost),
    page: async ({ partition, after, limit }) => {
      const values: V[] = [];
      let left = limit ?? KEYS_IN_PAGE;
      let next = after === undefined ? undefined : readCursor(after);
      do {
        const page = await store.index(kind, { partition, after: next, limit: left });
        values.push(...(await readKeys(page.keys, { partition })));
        left -= page.keys.length;
        next = page.next;
      } while (next && left > 0);
      return { values, ...(next && { next: pageCursor(next) }) };
    },
  };
}

/** The end of a page in a partition of the index: the last item's order and key. */
interface PagePlace {
  readonly order: number;
  readonly key: string;
}

/** Form of a cursor. Our keys have at most 300 characters. */
const FORM = /^(\d{1,16})\/(.{1,300})$/s;

function pageCursor({ order, key }: PagePlace): string {
  return `${order}/${key}`;
}

/**
 * Parses a cursor; `undefined` for another text. Even a made-up cursor can only reach the partition in which it is
 * used.
 */
function readCursor(text: string): PagePlace | undefined {
  const [, order, key] = FORM.exec(text) ?? [];
  if (order === undefined || key === undefined || !Number.isSafeInteger(Number(order))) return undefined;
  return { order: Number(order), key };
}
