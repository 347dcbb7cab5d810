import { type Clock, type NewId, type Random, UpstreamError } from '#shared/kernel';
import {
  check,
  type IndexPartition,
  type ItemKey,
  type KindInStore,
  type Known,
  type Place,
  put,
  type Store,
} from './transactions.ts';

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

interface Race {
  /** Kind of the item, for the error: `record`, `question` ... */
  readonly kind: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Jitter for the backoff, if many writers change one item. */
  readonly random?: Random | undefined;
  /** Backoff after the first lost race, milliseconds. Use a longer one for items with many writers. */
  readonly backoffMs?: number | undefined;
}

export interface Changed<K extends string = ItemKey> extends Race {
  readonly key: K;
  /** Set if the item is usually missing. The first attempt then does not read. */
  readonly isMostlyNew?: boolean | undefined;
  /** Set if the change is part of a privacy deletion. Fields that this version does not know are then also removed. */
  readonly isForgetting?: boolean | undefined;
}

/**
 * Reads an item, decides, and writes the decision on the condition that the item has not changed. If it has changed,
 * decides again. A decision without a `value` writes nothing. Such a decision is only accepted if the item was read.
 * @param written the caller's last writes. The first attempt uses these instead of a read. This is safe, because the
 * conditional write fails if the item has changed.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, after too many lost races.
 */
export function change<V, D extends { readonly value?: V | undefined }, K extends string = ItemKey>(
  items: VersionedItems<V, K>,
  {
    key,
    isMostlyNew,
    isForgetting,
    written,
    ...race
  }: Changed<NoInfer<K>> & { readonly written?: Map<NoInfer<K>, Known<NoInfer<V>>> | undefined },
  decide: (known: V | undefined) => D | Promise<D>,
): Promise<D> {
  const tryOn = async (stored: Known<V> | undefined, isRead: boolean): Promise<D | 'lost' | 'unread'> => {
    const decision = await decide(stored?.value);
    const { value } = decision;
    if (value === undefined) return isRead ? decision : 'unread';
    written?.delete(key);
    const result = await items.write({ key, value, ...replacing(stored, isForgetting) });
    if (result === 'conflict') return 'lost';
    written?.set(key, result);
    return decision;
  };
  return untilWon(race, async (lost) => {
    const lastWritten = written?.get(key);
    const isTriedUnread = lost === 0 && (lastWritten !== undefined || isMostlyNew);
    const unreadOutcome = isTriedUnread ? await tryOn(lastWritten, false) : 'unread';
    const outcome = unreadOutcome === 'unread' ? await tryOn(await items.read(key), true) : unreadOutcome;
    return typeof outcome === 'string' ? undefined : outcome;
  });
}

/** After this many lost races, the store is probably faulty. Each lost race is another writer's success. */
const MAX_LOST_RACES = 200;

/** First backoff, milliseconds. It doubles with each lost race, up to the longest backoff. */
const BACKOFF_MS = 2;

const LONGEST_BACKOFF_MS = 200;

/**
 * Repeats an attempt until it wins the race.
 * @param attempt returns `undefined` for a lost race. `lost` is the number of lost races so far.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, after too many lost races.
 */
export async function untilWon<R>(
  { kind, clock, random = () => 1, backoffMs = BACKOFF_MS }: Race,
  attempt: (lost: number) => Promise<R | undefined>,
): Promise<R> {
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const result = await attempt(lost);
    if (result !== undefined) return result;
    await clock.sleep(random() * Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** lost));
  }
  throw new UpstreamError({
    code: 'ITEM_CONTENDED',
    message: `The ${kind} changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}

type Decision<V> = { readonly value?: V | undefined };

type Decide<V, D extends Decision<V>> = (known: V | undefined) => D;

interface Waiting<V> {
  readonly decide: Decide<V, Decision<V>>;
  readonly done: PromiseWithResolvers<unknown>;
}

interface ChangedTogether<K extends string = ItemKey> extends Changed<K> {
  /** Pause after a write of this process. The next write includes all decisions that are made during the pause. */
  readonly pauseMs: () => number;
}

/**
 * Like `change`, for a process that changes one item often. Decisions that are made during a write are collected, in
 * order, for the next write. Each decision is based on the result of the previous one. If a write fails, all its
 * decisions fail.
 */
export function createChangeTogether<V, K extends string = ItemKey>(
  items: VersionedItems<V, K>,
  { pauseMs, ...changed }: ChangedTogether<NoInfer<K>>,
): <D extends Decision<V>>(decide: Decide<V, D>) => Promise<D> {
  let waiting: Waiting<V>[] = [];
  let isWriting = false;
  const work = async () => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await settle(items, changed, group);
      const ms = pauseMs();
      if (ms > 0) await changed.clock.sleep(ms);
    }
    isWriting = false;
  };
  return <D extends Decision<V>>(decide: Decide<V, D>) => {
    const done = Promise.withResolvers<unknown>();
    waiting.push({ decide, done });
    void work();
    return done.promise as Promise<D>;
  };
}

async function settle<V, K extends string>(
  items: VersionedItems<V, K>,
  changed: Changed<NoInfer<K>>,
  group: readonly Waiting<V>[],
): Promise<void> {
  try {
    const { decisions } = await change(items, changed, (known) => {
      let value = known;
      const decisions = group.map(({ decide }) => {
        const decision = decide(value);
        value = decision.value ?? value;
        return decision;
      });
      return { decisions, value: value === known ? undefined : value };
    });
    group.forEach(({ done }, index) => void done.resolve(decisions[index]));
  } catch (error) {
    for (const { done } of group) done.reject(error);
  }
}
