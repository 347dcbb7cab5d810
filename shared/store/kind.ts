import type { DeepReadonly } from '#shared/kernel';
import type { Scope, TableName } from './table.ts';

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
export interface RetentionPolicy {
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
    readonly at?: (value: NoInfer<DeepReadonly<V>>, policy: RetentionPolicy) => number | undefined;
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
    readonly at?: (value: V, policy: RetentionPolicy) => number | undefined;
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
