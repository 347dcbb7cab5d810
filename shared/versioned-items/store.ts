export interface Versioned<T> {
  readonly value: T;
  /** 1 for the first write, one more for each after it. */
  readonly version: number;
}

/**
 * Items that change only by conditional single-item writes. What was read is what is changed:
 * a write names the version it was decided on and fails when another write came between.
 */
export interface VersionedItems<T> {
  /** Strongly consistent; `undefined` where there is no item. */
  read(key: string): Promise<Versioned<T> | undefined>;
  /**
   * @param expectedVersion the version that was read, 0 where there was none.
   * @returns `conflict` when the stored version is another; nothing is changed then.
   */
  write(change: { key: string; value: T; expectedVersion: number }): Promise<'written' | 'conflict'>;
}

/** Where an item stands in the store's one index: a partition and a place in its order. */
export interface IndexPosition {
  readonly partition: string;
  /** Non-negative integer, for instance epoch milliseconds. */
  readonly order: number;
}

export interface IndexQuery {
  readonly partition: string;
  /** Lowest and highest order, both inclusive. */
  readonly from?: number;
  readonly upTo?: number;
  /** All of them without it. */
  readonly limit?: number;
  /** Highest order first. */
  readonly newestFirst?: boolean;
}

export interface PageQuery {
  readonly partition: string;
  /** `next` of the page before. One that this store does not understand begins anew. */
  readonly after?: string | undefined;
  /** As many as the store gives at once without it. */
  readonly limit?: number | undefined;
}

export interface ItemPage<T> {
  readonly values: readonly T[];
  readonly next?: string | undefined;
}

/** Versioned items that can also be listed by their index position. The index may lag behind the items. */
export interface IndexedItems<T> extends VersionedItems<T> {
  /** Lowest order first, unless told otherwise. */
  list(query: IndexQuery): Promise<readonly T[]>;
  /** @param atMost enough is known then: whoever looks often need not count on. */
  count(partition: string, atMost?: number): Promise<number>;
  /** Some items of a partition: to go through all of it, ask again with `next` until there is none. */
  page(query: PageQuery): Promise<ItemPage<T>>;
}
