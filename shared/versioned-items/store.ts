declare const stored: unique symbol;
/** The key of an item in its account. Only a stored kind can make one; see `kind.ts`. */
export type ItemKey = string & { readonly [stored]: 'key' };
/** A partition of the index in an account. Only a stored kind can make one. */
export type IndexPartition = string & { readonly [stored]: 'partition' };

/** Top-level fields of a stored body that this version does not know, because a later version wrote them. */
export type UnknownFields = Readonly<Record<string, unknown>>;

export interface Versioned<T> {
  readonly value: T;
  /** Absent if the body has no unknown fields. */
  readonly unknown?: UnknownFields;
  /** 1 after the first write. Each further write adds 1. */
  readonly version: number;
}

/**
 * Items that change only by conditional single-item writes. A write names the version that its decision is based on, and
 * fails if another write has changed the item since.
 */
export interface VersionedItems<T, K extends string = ItemKey> {
  /** Reads an item, strongly consistent; `undefined` if it does not exist. */
  read(key: K): Promise<Versioned<T> | undefined>;
  /** @returns `conflict` if the stored version is different. Then nothing changes. */
  write(write: ItemWrite<T, K>): Promise<'written' | 'conflict'>;
}

export interface ItemWrite<T, K extends string = ItemKey> extends Replaced {
  readonly key: K;
  readonly value: T;
}

/** The version that a write replaces. */
export interface Replaced {
  /** The version that was read; 0 for a missing item. */
  readonly expectedVersion: number;
  /** Fields that are written back together with the value. Otherwise they would be lost. */
  readonly unknown?: UnknownFields;
}

/** Replaces an item that was read. Fields of a later version stay, except in a privacy deletion. */
export function replacing(known: Versioned<unknown> | undefined, isForgetting = false): Replaced {
  const { version: expectedVersion = 0, unknown } = known ?? {};
  return { expectedVersion, ...(unknown && !isForgetting && { unknown }) };
}

/** Replaces the item that this process has just written with `replaced`. */
export function replacingWritten(replaced: Replaced): Replaced {
  return { ...replaced, expectedVersion: replaced.expectedVersion + 1 };
}

/** An item's position in the table's index: a partition, and the order in this partition. */
export interface IndexPosition {
  readonly partition: string;
  /** Non-negative integer, for instance epoch milliseconds. */
  readonly order: number;
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

export interface PageQuery<P extends string = IndexPartition> {
  readonly partition: P;
  /** `next` of the previous page. An invalid cursor starts from the beginning. */
  readonly after?: string | undefined;
  /** Maximum number of items. If it is absent, as many items as the store returns in one request. */
  readonly limit?: number | undefined;
}

export interface ItemPage<T> {
  readonly values: readonly T[];
  readonly next?: string | undefined;
}

/** Versioned items that can also be listed by their index position. The index may be older than the items. */
export interface IndexedItems<T, K extends string = ItemKey, P extends string = IndexPartition>
  extends VersionedItems<T, K> {
  /** Lists items, lowest order first, unless `newestFirst` is set. */
  list(query: IndexQuery<P>): Promise<readonly T[]>;
  /** @param atMost the count stops at this number, to save reads. */
  count(partition: P, atMost?: number): Promise<number>;
  /** Reads a page of a partition. To read the whole partition, repeat with `next` until it is absent. */
  page(query: PageQuery<P>): Promise<ItemPage<T>>;
}
