import { LEDGER_TABLE } from '#shared/credit-ledger';
import { ITEM_TABLE as T } from '#shared/versioned-items';

export type StoredItem = Readonly<Record<string, unknown>>;

/** What stands in a place, and what stood there before: some replica has only that. */
export interface StoredPlace {
  readonly now: StoredItem;
  readonly before: StoredItem | undefined;
}

/** A part of a partition: the orders in it, both included, from where on, and in which direction. */
export interface Window {
  readonly partition: string;
  readonly from: number;
  readonly to: number;
  readonly isUp: boolean;
  /** The item after which the reading continues, or the part of it that gives its place. */
  readonly after?: StoredItem | undefined;
}

/** The items of one table by their keys, and in the order of their partitions. */
export interface Places {
  get(place: string): StoredPlace | undefined;
  put(item: StoredItem): void;
  remove(place: string): void;
  /** By their orders, of one order by their keys. To be read at once: it changes with the next put. */
  between(window: Window): Iterable<StoredPlace>;
  all(): readonly StoredItem[];
}

/** The partition of the log is its key, that of all others is the one of the index; not every item has one. */
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

/** How many of the members come no later. */
function firstAfter(members: readonly StoredPlace[], spot: Spot): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesAfter((members[middle] as StoredPlace).now, spot)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The last one that comes before; it need not be followed by one at the spot, which may have moved meanwhile. */
function lastBefore(members: readonly StoredPlace[], spot: Spot): number {
  const last = firstAfter(members, spot) - 1;
  return isAt(members[last]?.now, spot) ? last - 1 : last;
}

/** Sorts before and behind all keys. */
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
