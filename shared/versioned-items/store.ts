declare const stored: unique symbol;
/** The key of an item within its account. Only a stored kind makes one: see `kind.ts`. */
export type ItemKey = string & { readonly [stored]: 'key' };
/** A partition of the index within an account. Only a stored kind makes one. */
export type IndexPartition = string & { readonly [stored]: 'partition' };

/** Top-level fields of a stored body that this version does not know: a later version wrote them. */
export type UnknownFields = Readonly<Record<string, unknown>>;

export interface Versioned<T> {
  readonly value: T;
  /** Absent where there are none. */
  readonly unknown?: UnknownFields;
  /** 1 for the first write, one more for each after it. */
  readonly version: number;
}

/**
 * Items that change only by conditional single-item writes. What was read is what is changed:
 * a write names the version it was decided on and fails when another write came between.
 */
export interface VersionedItems<T, K extends string = ItemKey> {
  /** Strongly consistent; `undefined` where there is no item. */
  read(key: K): Promise<Versioned<T> | undefined>;
  /** @returns `conflict` when the stored version is another; nothing is changed then. */
  write(write: ItemWrite<T, K>): Promise<'written' | 'conflict'>;
}

export interface ItemWrite<T, K extends string = ItemKey> extends Replaced {
  readonly key: K;
  readonly value: T;
}

/** What a write replaces. */
export interface Replaced {
  /** The version that was read, 0 where there was none. */
  readonly expectedVersion: number;
  /** Written back beside the value; without it they are gone. */
  readonly unknown?: UnknownFields;
}

/** Replaces what was read. Fields that only a later version knows stay, unless a person is forgotten by it. */
export function replacing(known: Versioned<unknown> | undefined, isForgetting = false): Replaced {
  const { version: expectedVersion = 0, unknown } = known ?? {};
  return { expectedVersion, ...(unknown && !isForgetting && { unknown }) };
}

/** Replaces what was just written in place of `replaced`. */
export function replacingWritten(replaced: Replaced): Replaced {
  return { ...replaced, expectedVersion: replaced.expectedVersion + 1 };
}

/** Where an item stands in the store's one index: a partition and a place in its order. */
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
  /** All of them without it. */
  readonly limit?: number;
  /** Highest order first. */
  readonly newestFirst?: boolean;
}

export interface PageQuery<P extends string = IndexPartition> {
  readonly partition: P;
  /** `next` of the page before. One that this store does not understand starts from the beginning. */
  readonly after?: string | undefined;
  /** As many as the store gives at once without it. */
  readonly limit?: number | undefined;
}

export interface ItemPage<T> {
  readonly values: readonly T[];
  readonly next?: string | undefined;
}

/** Versioned items that can also be listed by their index position. The index may lag behind the items. */
export interface IndexedItems<T, K extends string = ItemKey, P extends string = IndexPartition>
  extends VersionedItems<T, K> {
  /** Lowest order first, unless told otherwise. */
  list(query: IndexQuery<P>): Promise<readonly T[]>;
  /** @param atMost a frequent reader need not count further. */
  count(partition: P, atMost?: number): Promise<number>;
  /** Some items of a partition: to go through all of it, ask again with `next` until there is none. */
  page(query: PageQuery<P>): Promise<ItemPage<T>>;
}
