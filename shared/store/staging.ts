import { type Clock, inChunks } from '#shared/kernel';
import {
  type Known,
  type KnownItems,
  MAX_ITEMS,
  type Place,
  placeName,
  type Store,
  type StoreWrite,
  type TransactResult,
} from './transactions.ts';

interface Reader {
  readonly places: readonly Place<unknown>[];
  readonly read: PromiseWithResolvers<KnownItems>;
}

/** Turns of the event loop's microtasks. Parallel work often begins its reads some calls apart. */
const TURNS = 10;

/** Joins reads that are requested at the same time into one request. So a batch of records costs few requests. */
export function joinReads(store: Store): Store {
  let waiting: Reader[] = [];
  const send = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await undefined;
    const groups = groupsOf(waiting);
    waiting = [];
    for (const group of groups) readGroup(store, group);
  };
  return {
    ...store,
    getMany: (places) => {
      const read = Promise.withResolvers<KnownItems>();
      if (waiting.push({ places, read }) === 1) void send();
      return read.promise;
    },
  };
}

function groupsOf(readers: readonly Reader[]): Reader[][] {
  const groups: Reader[][] = [];
  let size = 0;
  for (const reader of readers) {
    size += reader.places.length;
    const group = groups.at(-1);
    if (group && size <= MAX_ITEMS) group.push(reader);
    else {
      groups.push([reader]);
      size = reader.places.length;
    }
  }
  return groups;
}

/** A failed request fails each read of its group. A caller tries again, so a busy store gets no more requests than that. */
function readGroup(store: Store, group: readonly Reader[]): void {
  const joined = store.getMany(group.flatMap(({ places }) => places));
  for (const { read } of group) read.resolve(joined);
}

/** The writes of work that is not stored yet, and what the work has read. */
export interface Staging {
  /** The version of every item that the work writes. */
  readonly version: string;
  read(places: readonly Place<unknown>[]): Promise<KnownItems>;
  /** @returns `conflict` if an item is not as the write expects it. Then nothing is collected. */
  write(writes: readonly StoreWrite[]): TransactResult;
  /** The collected writes in their order, each item once. */
  writes(): readonly StoreWrite[];
  /** Whether anything but checks was written; with a mark, since then. */
  hasWritten(since?: () => void): boolean;
  /** Whether the work has used an item that this process had read or written before. */
  hasUsedRecent(): boolean;
  /** Remembers the writes so far. @returns a function that drops all later ones */
  mark(): () => void;
}

/** What this process has read or written within the last moments. */
export interface Recent {
  find(name: string): Seen | undefined;
}

type Seen = () => Known<unknown> | undefined;

export const NOTHING: Recent = { find: () => undefined };

export function createStaging(
  store: Pick<Store, 'getMany'>,
  { version, recent }: { readonly version: string; readonly recent: Recent },
): Staging {
  const seen = new Map<string, Seen>();
  let written = new Map<string, StoreWrite>();
  let puts = 0;
  let usedRecent = false;
  const putsAt = new WeakMap<() => void, number>();

  /** The item as the work must see it: as it was read, changed by the work's own writes. */
  const now = (name: string): Known<unknown> | undefined => {
    const own = written.get(name);
    if (own?.kind === 'put')
      return { value: own.value, version, ...(own.unknown && { unknown: own.unknown }) };
    return own?.kind === 'remove' ? undefined : seen.get(name)?.();
  };
  const isKnown = (name: string) => seen.has(name) || (written.get(name)?.kind ?? 'check') !== 'check';
  return {
    version,
    read: async (places) => {
      const missing: Place<unknown>[] = [];
      for (const place of places) {
        const name = placeName(place);
        if (isKnown(name)) continue;
        const known = recent.find(name);
        if (known) {
          usedRecent = true;
          seen.set(name, known);
        } else missing.push(place);
      }
      for (const part of inChunks(missing, MAX_ITEMS)) {
        const items = await store.getMany(part);
        for (const place of part)
          if (!seen.has(placeName(place))) seen.set(placeName(place), () => items.get(place));
      }
      return { get: <V>(place: Place<V>) => now(placeName(place)) as Known<V> | undefined };
    },
    write: (writes) => {
      const isLost = writes.some(({ place, version: expected }) => {
        const name = placeName(place);
        return isKnown(name) && now(name)?.version !== expected;
      });
      if (isLost) return { kind: 'conflict' };
      for (const write of writes) {
        const name = placeName(write.place);
        const own = written.get(name);
        // What the store must still have is what the first write of this work expected.
        const first = own ? own.version : write.version;
        if (write.kind === 'check') {
          if (!own) written.set(name, write);
          continue;
        }
        puts += 1;
        const isForgetting = (own?.kind === 'put' && own.isForgetting) || undefined;
        written.set(name, {
          ...write,
          version: first,
          ...(write.kind === 'put' && isForgetting && { isForgetting }),
        });
      }
      return { kind: 'done', version };
    },
    writes: () => [...written.values()],
    hasWritten: (since) => puts > (since ? (putsAt.get(since) ?? 0) : 0),
    hasUsedRecent: () => usedRecent,
    mark: () => {
      const before = new Map(written);
      const putsBefore = puts;
      const undo = () => {
        written = before;
        puts = putsBefore;
      };
      putsAt.set(undo, putsBefore);
      return undo;
    },
  };
}

/** How long a first try may use what was read or written before, milliseconds. */
const RECENT_MS = 100;

/** Remembers items for some moments. Older ones leave the memory, because answers are large. */
export function createRecent(clock: Pick<Clock, 'monotonic'>) {
  /** Oldest first. */
  const items = new Map<string, { readonly atMs: number; readonly seen: Seen }>();
  const isRecent = (atMs: number) => clock.monotonic() < atMs + RECENT_MS;
  const keep = (name: string, seen: Seen) => {
    for (const [old, { atMs }] of items) {
      if (isRecent(atMs)) break;
      items.delete(old);
    }
    items.delete(name);
    items.set(name, { atMs: clock.monotonic(), seen });
  };
  return {
    find: (name: string) => {
      const known = items.get(name);
      return known && isRecent(known.atMs) ? known.seen : undefined;
    },
    saw: (places: readonly Place<unknown>[], read: KnownItems) => {
      for (const place of places) keep(placeName(place), () => read.get(place));
    },
    wrote: (writes: readonly StoreWrite[], version: string) => {
      for (const write of writes) {
        if (write.kind === 'check') continue;
        const known =
          write.kind === 'put'
            ? { value: write.value, version, ...(write.unknown && { unknown: write.unknown }) }
            : undefined;
        keep(placeName(write.place), () => known);
      }
    },
  };
}
