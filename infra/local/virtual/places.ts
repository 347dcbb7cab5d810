import { LEDGER_TABLE } from '#shared/credit-ledger/table.ts';
import { ITEM_TABLE as T } from '#shared/versioned-items/table.ts';

export type StoredItem = Readonly<Record<string, unknown>>;

/** What stands in a place, and what stood there before: some replica has only that. */
export interface Place {
  readonly now: StoredItem;
  readonly before: StoredItem | undefined;
}

/** The items of one table by their keys, and in the order of their partitions. */
export interface Places {
  get(place: string): Place | undefined;
  put(item: StoredItem): void;
  /** By its order, of one order by their keys. Not to be kept: it changes with the next put. */
  partition(name: string): readonly Place[];
  all(): readonly StoredItem[];
}

/** The partition of the log is its key, that of all others is the one of the index; not every item has one. */
export function createPlaces(): Places {
  const places = new Map<string, Place>();
  const partitions = new Map<string, Place[]>();
  const leave = (place: Place) => {
    const members = partitions.get(partitionOf(place.now) ?? '');
    const index = members?.indexOf(place) ?? -1;
    if (index >= 0) members?.splice(index, 1);
  };
  const enter = (place: Place) => {
    const name = partitionOf(place.now);
    if (name === undefined) return;
    const members = partitions.get(name) ?? [];
    partitions.set(name, members);
    members.splice(firstAfter(members, place.now), 0, place);
  };
  return {
    get: (place) => places.get(place),
    put: (item) => {
      const known = places.get(placeOf(item));
      const place = { now: item, before: known?.now };
      if (known) leave(known);
      enter(place);
      places.set(placeOf(item), place);
    },
    partition: (name) => partitions.get(name) ?? [],
    all: () => [...places.values()].map(({ now }) => now),
  };
}

export function placeOf(item: StoredItem): string {
  return `${item[T.partitionKey]}\n${item[LEDGER_TABLE.sortKey] ?? ''}`;
}

function partitionOf(item: StoredItem): string | undefined {
  const name = item[LEDGER_TABLE.sortKey] === undefined ? item[T.indexPartition] : item[T.partitionKey];
  return name === undefined ? undefined : String(name);
}

/** Whether it comes later in their partition. @param other an item, or so much of it as tells its place. */
export function comesAfter(item: StoredItem, other: StoredItem): boolean {
  const [own, others] = [orderOf(item), orderOf(other)];
  return own === others ? placeOf(item) > placeOf(other) : own > others;
}

function orderOf(item: StoredItem): number {
  return Number(item[LEDGER_TABLE.sortKey] ?? item[T.indexOrder]);
}

function firstAfter(members: readonly Place[], item: StoredItem): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesAfter((members[middle] as Place).now, item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
