import { LEDGER_TABLE } from '#shared/credit-ledger';
import { ITEM_TABLE as T } from '#shared/versioned-items';

export type StoredItem = Readonly<Record<string, unknown>>;

/** The item at a place, and its previous version. An eventually consistent read returns the previous version. */
export interface StoredPlace {
  readonly now: StoredItem;
  readonly before: StoredItem | undefined;
}

/** A range of a partition. The lowest and highest order are inclusive. */
export interface Window {
  readonly partition: string;
  readonly from: number;
  readonly to: number;
  readonly isUp: boolean;
  /** Last item of the previous page, or its key. */
  readonly after?: StoredItem | undefined;
}

/** Items of one table by key, and by partition and order. */
export interface Places {
  get(place: string): StoredPlace | undefined;
  put(item: StoredItem): void;
  remove(place: string): void;
  /** Sorted by order, then by key. Read the result at once, because the next put changes it. */
  between(window: Window): Iterable<StoredPlace>;
  all(): readonly StoredItem[];
}

/**
 * Creates a table. The partition of a ledger item is its key. Other items have the partition of their index, or none.
 */
export function createPlaces(): Places {
  const places = new Map<string, StoredPlace>();
  const partitions = new Map<string, StoredPlace[]>();
  const leave = (place: StoredPlace) => {
    const members = partitions.get(partitionOf(place.now) ?? '');
    if (members) members.splice(firstAfter(members, spotOf(place.now)) - 1, 1);
  };
  const enter = (place: StoredPlace) => {
    const name = partitionOf(place.now);
    if (name === undefined) return;
    const members = partitions.get(name) ?? [];
    partitions.set(name, members);
    members.splice(firstAfter(members, spotOf(place.now)), 0, place);
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
    remove: (place) => {
      const known = places.get(place);
      if (known) leave(known);
      places.delete(place);
    },
    between: (window) => inOrder(partitions.get(window.partition) ?? [], window),
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

interface Spot {
  readonly order: number;
  readonly key: string;
}

function spotOf(item: StoredItem): Spot {
  return { order: Number(item[LEDGER_TABLE.sortKey] ?? item[T.indexOrder]), key: placeOf(item) };
}

function comesAfter(item: StoredItem, { order, key }: Spot): boolean {
  const own = spotOf(item);
  return own.order === order ? own.key > key : own.order > order;
}

function isAt(item: StoredItem | undefined, { order, key }: Spot): boolean {
  if (!item) return false;
  const own = spotOf(item);
  return own.order === order && own.key === key;
}

/** Number of members at or before the spot. */
function firstAfter(members: readonly StoredPlace[], spot: Spot): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesAfter((members[middle] as StoredPlace).now, spot)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the last member before the spot. There can be no member at the spot, because its item can have moved. */
function lastBefore(members: readonly StoredPlace[], spot: Spot): number {
  const last = firstAfter(members, spot) - 1;
  return isAt(members[last]?.now, spot) ? last - 1 : last;
}

/** Keys that sort before and after all others. */
const [FIRST, LAST] = ['', '\uffff'];

function* inOrder(
  members: readonly StoredPlace[],
  { from, to, isUp, after }: Window,
): Generator<StoredPlace> {
  const start = isUp && after ? spotOf(after) : { order: from, key: FIRST };
  const end = firstAfter(members, { order: to, key: LAST });
  if (isUp) {
    for (let index = firstAfter(members, start); index < end; index += 1) yield members[index] as StoredPlace;
    return;
  }
  const last = after ? lastBefore(members, spotOf(after)) : end - 1;
  const first = firstAfter(members, start);
  for (let index = last; index >= first; index -= 1) yield members[index] as StoredPlace;
}
