import { assert, type DeepReadonly, type Packing, UpstreamError } from '#shared/kernel';

declare const stored: unique symbol;

/** The key of an item among those of its kind and owner. Only a stored kind can make one. */
export type ItemKey = string & { readonly [stored]: 'key' };

/** A partition of the index, likewise. Only a stored kind can make one. */
export type IndexPartition = string & { readonly [stored]: 'partition' };

/** An item's position in the table's index: a partition, and the order in this partition. */
export interface IndexPosition {
  readonly partition: string;
  /** Non-negative integer, for instance epoch milliseconds. */
  readonly order: number;
}

/** The settings on which the expiry of items depends. */
export interface ExpiryPolicy {
  /** Days for which the write journal and the findings are kept. */
  readonly journalDays: number;
  readonly privacy: {
    /** Days for which a disclosure record is kept after the person's last data are removed. */
    readonly keepDisclosures: number;
  };
}

interface StoredSchema<V> {
  /** Parses a body, so that a damaged item is detected. */
  parse(stored: unknown): V;
}

/** The definition of a stored kind. */
interface KindRow<V, Id, P extends string> {
  /** Plain words, unique. Documents and checks use it as the kind's name. */
  readonly name: string;
  /** First part of the kind's keys, unique. A function's permissions name it. */
  readonly prefix: string;
  readonly scope: Scope;
  readonly table: TableName;
  readonly schema: StoredSchema<V>;
  /** Tells the items of the kind apart; absent for a kind of one item. */
  readonly key?: (id: Id) => string;
  /** Returns the position in the table's index; `undefined` if the item is not indexed now. */
  readonly index?: (
    value: NoInfer<DeepReadonly<V>>,
  ) => { readonly partition: P; readonly order: number } | undefined;
  readonly expiry: {
    /** Text for people: how long the item is kept. */
    readonly kept: string;
    /** When the item may expire, epoch milliseconds; `undefined` for never. */
    readonly at?: (value: NoInfer<DeepReadonly<V>>, policy: ExpiryPolicy) => number | undefined;
  };
  /** `false`, or a text for people: the part that a privacy deletion removes. */
  readonly holdsPeople: false | string;
  /** By field: the limit of each list that the schema does not limit, and the behaviour at the limit. */
  readonly bound: Readonly<Record<string, string>>;
}

/** A stored kind. Stores, tables, checks and documents are derived from stored kinds. */
export interface StoredKind<V, Id = never, P extends string = string>
  extends Pick<
    KindRow<V, Id, P>,
    'name' | 'prefix' | 'scope' | 'table' | 'schema' | 'holdsPeople' | 'bound'
  > {
  readonly expiry: {
    readonly kept: string;
    readonly at?: (value: V, policy: ExpiryPolicy) => number | undefined;
  };
  readonly key: (id: Id) => ItemKey;
  readonly place: (value: V) => IndexPosition | undefined;
  readonly isIndexed: boolean;
  /** Returns a partition of the index, for reads. */
  readonly partition: (name: P) => IndexPartition;
  /** The top-level fields that this version knows; absent if the schema does not list them. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** Creates a stored kind. Only a stored kind can make keys and partitions, because their types enforce this. */
export function kind<V, Id = void, P extends string = never>(
  row: KindRow<V, Id, P>,
): StoredKind<DeepReadonly<V>, Id, P> {
  const { key, index } = row;
  const schema = row.schema as StoredSchema<DeepReadonly<V>>;
  return {
    ...row,
    schema,
    key: (id) => (key?.(id) ?? '') as ItemKey,
    place: (value) => index?.(value),
    isIndexed: index !== undefined,
    partition: (name) => name as string as IndexPartition,
    fields: listsFields(schema) ? new Set(fieldsOf(schema)) : undefined,
  };
}

/** The part of a zod schema that lists its fields. */
interface FieldListingSchema {
  readonly _zod: {
    readonly def: {
      readonly shape?: Readonly<Record<string, unknown>>;
      readonly innerType?: FieldListingSchema;
      readonly options?: readonly FieldListingSchema[];
    };
  };
}

function listsFields(schema: object): schema is FieldListingSchema {
  return '_zod' in schema;
}

function fieldsOf({ _zod: { def } }: FieldListingSchema): readonly string[] {
  const inner = [...(def.innerType ? [def.innerType] : []), ...(def.options ?? [])];
  return [...Object.keys(def.shape ?? {}), ...inner.flatMap(fieldsOf)];
}

/** Key, attribute and index names of a table of versioned items, shared with the stack that creates it. */
export const ITEM_TABLE = {
  partitionKey: 'pk',
  /** Random id of the write. */
  version: 'version',
  body: 'body',
  format: 'format',
  indexName: 'by-place',
  indexPartition: 'part',
  indexOrder: 'ord',
  /** Epoch seconds. DynamoDB deletes the item at this time or up to some days later. */
  timeToLive: 'expiresAtS',
} as const;

/** Who owns an item: the buyer, who pays, or one HubSpot portal. */
export type Scope = 'buyer' | 'portal';

/**
 * Names of the owners, without `#` and `/`. A portal has a name of ours, because its id is known after the first
 * request only.
 */
export type Owners = Readonly<Record<Scope, string>>;

/** The owners in an installation with one portal. */
export const OWNERS: Owners = { buyer: 'default', portal: 'portal-1' };

/** Returns the stored form of a key or a partition: the owner, the kind, and what tells items of the kind apart. */
export function storedKey(
  owners: Owners,
  { prefix, scope }: { readonly prefix: string; readonly scope: Scope },
  key: string,
): string {
  return `${owners[scope]}#${prefix}#${key}`;
}

interface TableDefinition {
  /** The table has an index. */
  readonly isIndexed?: true;
  /** Items expire by themselves. */
  readonly expires?: true;
  /**
   * Set if the table can be restored to any second of the last weeks. Only for tables without personal data, because
   * backups of other tables would contain forgotten people.
   */
  readonly isRecoverable?: true;
}

const DEFINITIONS = {
  /** The ledger. */
  ledger: { isRecoverable: true },
  /** The suppression list and the disclosure records. Apart, so that a restored ledger does not set them back. */
  proof: { expires: true, isRecoverable: true },
  /** All else. */
  state: { isIndexed: true, expires: true },
} as const satisfies Readonly<Record<string, TableDefinition>>;

export type TableName = keyof typeof DEFINITIONS;

/** The tables of an installation. */
export const TABLE_DEFINITIONS: Readonly<Record<TableName, TableDefinition>> = DEFINITIONS;

export const TABLE_NAMES = Object.keys(DEFINITIONS) as readonly TableName[];

/**
 * The format of all stored items and of a data folder. Raised only if other code cannot read what this code writes. A new
 * field is optional, and older code writes it back unchanged, so it needs no new format.
 */
export const FORMAT = 5;

/**
 * Returns the body of an item.
 * @throws UpstreamError if the item has another format, because a rewrite would damage it
 */
export function readable(body: unknown, format: unknown): unknown {
  if (format === FORMAT) return body;
  const found = format === undefined ? 'without a format' : `of format ${String(format)}`;
  const advice =
    Number(format) > FORMAT
      ? 'A newer version wrote them: deploy it again.'
      : 'An older version wrote them: use that version.';
  throw new UpstreamError({
    code: 'ITEM_FORMAT_UNKNOWN',
    message: `The tables hold items ${found}, and this version reads format ${FORMAT} only. ${advice}`,
    retryable: false,
  });
}

/** The parts of a stored kind that a store needs. Methods, so that kinds of different values fit one transaction. */
export interface KindInStore<V> {
  readonly prefix: string;
  readonly scope: Scope;
  readonly table: TableName;
  readonly schema: { parse(stored: unknown): V };
  readonly fields: ReadonlySet<string> | undefined;
  place(value: V): IndexPosition | undefined;
  readonly expiry: { at?(value: V, policy: ExpiryPolicy): number | undefined };
}

/** Where an item is: its kind, and its key among those of its kind and owner. */
export interface Place<V> {
  readonly kind: KindInStore<V>;
  readonly key: string;
}

/** An item as it was read or written. */
export interface Known<V> {
  readonly value: V;
  /** Random id of the write that stored the item. */
  readonly version: string;
  /** Top-level fields that a later version of the program wrote. They are written back. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/**
 * What a read showed. A missing item has no entry. An item is parsed for whoever gets it, so a damaged one fails them
 * alone.
 */
export interface KnownItems {
  get<V>(place: Place<V>): Known<V> | undefined;
}

/** One step of a transaction, on the condition that the item still has the version. `undefined`: it does not exist. */
export type StoreWrite = {
  readonly place: Place<unknown>;
  readonly version: string | undefined;
} & (
  | {
      readonly kind: 'put';
      readonly value: unknown;
      readonly unknown?: Known<unknown>['unknown'];
      /** Part of a privacy deletion: what the value replaces must leave the disk. */
      readonly isForgetting?: boolean;
    }
  | { readonly kind: 'remove' }
  | { readonly kind: 'check' }
);

export type TransactResult =
  | { readonly kind: 'done'; readonly version: string }
  /** Another writer was first. Nothing changed. */
  | { readonly kind: 'conflict' };

/** A part of an index: positions have a partition and an order in it. */
export interface IndexRange {
  readonly partition: string;
  /** Lowest and highest order, both inclusive. */
  readonly from?: number | undefined;
  readonly upTo?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: IndexPlace | undefined;
}

export interface IndexPlace {
  readonly order: number;
  readonly key: string;
}

/** Keys of one page, in the order of the index. */
export interface IndexPage {
  readonly keys: readonly string[];
  readonly next?: IndexPlace | undefined;
}

/**
 * Items that change by transactions. Two adapters keep the same contract: DynamoDB and SQLite.
 * @throws UpstreamError `STORE_BUSY`, retryable, if the store has no capacity now.
 */
export interface Store {
  /** Whose items the store shows. It puts the owner and the kind before each key and partition. */
  readonly owners: Owners;
  /** How the answers of the data service are kept in bodies. */
  readonly packing: Packing;
  /** Reads up to 100 items, strongly consistent. It is no snapshot: a transaction can commit between two of them. */
  getMany(places: readonly Place<unknown>[]): Promise<KnownItems>;
  /** Reads one page of an index. The index may be older than the items, so read the items again with `getMany`. */
  index(kind: KindInStore<unknown>, range: IndexRange): Promise<IndexPage>;
  /** @param atMost the count stops at this number. */
  count(kind: KindInStore<unknown>, partition: string, atMost?: number): Promise<number>;
  /**
   * Writes all or nothing: 1 to 100 items, each once. A repeated write whose answer was lost is `done`, because the items
   * then have its id as their version.
   * @param version of the items afterwards, unique; a new id by default.
   */
  transact(writes: readonly StoreWrite[], version?: string): Promise<TransactResult>;
  /** Reads the bodies of a kind's items. Reads the whole table, so only a check that a person starts uses this. */
  scan(kind: KindInStore<unknown>): AsyncIterable<unknown>;
  /** How far this machine's clock is ahead of the store's, milliseconds. */
  offsetMs(): number;
}

/** A store whose writes can be done together. */
export interface TogetherStore extends Store {
  /**
   * Does work whose writes become one transaction: all or none. Inside, a read shows what the work has written. If
   * another writer was first, the whole work is done again. So it must be safe to repeat, and may reach nothing but the
   * store. Works of one process that wait at the same time share a transaction. Work inside other work belongs to it.
   * More than 100 items are written in parts, in the order in which the work wrote them.
   * @param work can drop its writes so far, for instance before it returns a refusal.
   * @throws the error of the work, which then has written nothing; or UpstreamError `ITEM_CONTENDED`, retryable.
   */
  together: Together;
}

export type Together = <R>(work: (drop: () => void) => Promise<R>) => Promise<R>;

/** Puts a value in place of what is known. Fields of a later version stay, except in a privacy deletion. */
export function put<V>(
  place: Place<V>,
  value: V,
  known: Known<V> | undefined,
  isForgetting = false,
): StoreWrite {
  const unknown = isForgetting ? undefined : known?.unknown;
  return { kind: 'put', ...on(place, known), value, ...(unknown && { unknown }), isForgetting };
}

export function remove<V>(place: Place<V>, known: Known<V>): StoreWrite {
  return { kind: 'remove', ...on(place, known) };
}

/** Holds an item fast: the transaction fails if it has changed since it was read. */
export function check<V>(place: Place<V>, known: Known<V> | undefined): StoreWrite {
  return { kind: 'check', ...on(place, known) };
}

function on<V>(place: Place<V>, known: Known<V> | undefined) {
  return { place, version: known?.version };
}

/** Name of an item among all that a store shows. */
export function placeName({ kind, key }: Place<unknown>): string {
  return `${kind.table} ${kind.prefix}#${key}`;
}

/** @param stored by `placeName`: parses the item. */
export function knownItems(stored: ReadonlyMap<string, () => Known<unknown>>): KnownItems {
  return {
    get: <V>(place: Place<V>) => stored.get(placeName(place))?.() as Known<V> | undefined,
  };
}

/** The body of a put as JSON. Fields that are undefined are absent. */
export function bodyText(write: StoreWrite): string {
  if (write.kind !== 'put') return '';
  return JSON.stringify(write.unknown ? { ...write.unknown, ...Object(write.value) } : write.value);
}

/** Reads the value of a stored body, and keeps apart what only a later version knows. */
export function knownFrom<V>({ schema, fields }: KindInStore<V>, body: unknown, version: string): Known<V> {
  const unknown = fields ? Object.entries(Object(body)).filter(([name]) => !fields.has(name)) : [];
  return {
    value: schema.parse(body),
    version,
    ...(unknown.length > 0 && { unknown: Object.fromEntries(unknown) }),
  };
}

/** Limits of DynamoDB, from its quotas page. SQLite asserts them too, so that a test finds what AWS would refuse. */
export const MAX_ITEMS = 100;
const MAX_ITEM_BYTES = 400 * 1024;
export const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

/**
 * @param texts the bodies as JSON, whose size is close to what DynamoDB counts.
 * @throws UpstreamError `ITEM_TOO_LARGE`
 */
export function assertWithinLimits(writes: readonly StoreWrite[], texts: readonly string[]): void {
  assert(writes.length >= 1 && writes.length <= MAX_ITEMS, 'A transaction has 1 to 100 items.');
  const names = new Set(writes.map(({ place }) => placeName(place)));
  assert(names.size === writes.length, 'A transaction writes an item once.');
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const isTooLarge =
    sizes.some((bytes) => bytes > MAX_ITEM_BYTES) ||
    sizes.reduce((sum, bytes) => sum + bytes, 0) > MAX_TRANSACTION_BYTES;
  if (isTooLarge)
    throw new UpstreamError({
      code: 'ITEM_TOO_LARGE',
      message: 'A stored item is larger than 400 KB, or a transaction larger than 4 MB.',
      retryable: false,
    });
}

/** Drops repeated places. @throws AssertionError for more than 100. */
export function distinctPlaces(places: readonly Place<unknown>[]): Place<unknown>[] {
  const distinct = [...new Map(places.map((place) => [placeName(place), place])).values()];
  assert(distinct.length <= MAX_ITEMS, 'A read has at most 100 items.');
  return distinct;
}
