import { type DeepReadonly, UpstreamError } from '#shared/kernel';

declare const stored: unique symbol;

/** The key of an item among those of its kind and owner. Only a stored kind can make one; see `kind.ts`. */
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
