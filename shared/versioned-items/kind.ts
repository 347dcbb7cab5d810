import type { DeepReadonly } from '#shared/kernel';
import { FORMAT, type RaisedFormat, readable } from './format.ts';
import type { IndexPartition, IndexPosition, ItemKey } from './store.ts';
import type { TableName } from './table.ts';

/** The settings on which the expiry of items depends. */
export interface RetentionPolicy {
  /** Days for which the write journal and the findings are kept. */
  readonly journalDays: number;
  readonly privacy: {
    /** Days for which a disclosure record is kept after the last data of its person are gone. */
    readonly keepDisclosures: number;
  };
}

interface StoredSchema<V> {
  /** Parses a body: a damaged item must not be taken for a good one. */
  parse(stored: unknown): V;
}

/** One row of the table of stored kinds. */
interface KindRow<V, T extends TableName, Id, P extends string> {
  /** Plain words, unique: documents and checks name the kind by it. */
  readonly name: string;
  readonly table: T;
  readonly schema: StoredSchema<V>;
  /**
   * Absent for `FORMAT`. Raise it for a new field that older code must keep in step with the others: older code then
   * refuses the item. It stands in `RAISED_FORMATS`, too. A field that older code may ignore needs nothing: the store
   * keeps it.
   */
  readonly raised?: RaisedFormat;
  /** The key within the account. Kinds of one table never share a key. */
  readonly key: (id: Id) => string;
  /** The place in the table's index; nothing where the item has none now. */
  readonly index?: (
    value: NoInfer<DeepReadonly<V>>,
  ) => { readonly partition: P; readonly order: number } | undefined;
  readonly expiry: {
    /** For how long it is kept, for people. */
    readonly kept: string;
    /** When the item is of no more use, epoch milliseconds; `undefined` for never. */
    readonly at?: (value: NoInfer<DeepReadonly<V>>, policy: RetentionPolicy) => number | undefined;
  };
  /** `false`, or what a forgetting removes, for people. */
  readonly holdsPeople: false | string;
  /** By field: what bounds a list that its schema does not bound, and what happens at the bound. */
  readonly bound: Readonly<Record<string, string>>;
}

/** A stored kind: whatever is said of such items elsewhere is derived from it. */
export interface StoredKind<V, T extends TableName = TableName, Id = never, P extends string = string>
  extends Pick<KindRow<V, T, Id, P>, 'name' | 'table' | 'schema' | 'holdsPeople' | 'bound'> {
  readonly expiry: {
    readonly kept: string;
    readonly at?: (value: V, policy: RetentionPolicy) => number | undefined;
  };
  readonly format: number;
  /** A stored body in the present format, not yet parsed. @throws UpstreamError if this version may not read it */
  readonly present: (body: unknown, format: unknown) => unknown;
  readonly key: (id: Id) => ItemKey;
  readonly place: (value: V) => IndexPosition | undefined;
  readonly isIndexed: boolean;
  /** A partition of the index, to list what is in it. */
  readonly partition: (name: P) => IndexPartition;
  /** The top-level fields that this version knows; absent where the schema does not tell. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** Makes a row of the table. Keys and partitions come from here only, which their types hold. */
export function kind<V, const T extends TableName, Id = void, P extends string = never>(
  row: KindRow<V, T, Id, P>,
): StoredKind<DeepReadonly<V>, T, Id, P> {
  const { key, index, raised } = row;
  const schema = row.schema as StoredSchema<DeepReadonly<V>>;
  return {
    ...row,
    schema,
    format: raised?.format ?? FORMAT,
    present: (body, format) => readable(body, format, raised),
    key: (id) => key(id) as ItemKey,
    place: (value) => index?.(value),
    isIndexed: index !== undefined,
    partition: (name) => name as string as IndexPartition,
    fields: isTelling(schema) ? new Set(fieldsOf(schema)) : undefined,
  };
}

/** The part of a zod schema that tells its fields. */
interface TellingSchema {
  readonly _zod: {
    readonly def: {
      readonly shape?: Readonly<Record<string, unknown>>;
      readonly innerType?: TellingSchema;
      readonly options?: readonly TellingSchema[];
    };
  };
}

function isTelling(schema: object): schema is TellingSchema {
  return '_zod' in schema;
}

function fieldsOf({ _zod: { def } }: TellingSchema): readonly string[] {
  const inner = [...(def.innerType ? [def.innerType] : []), ...(def.options ?? [])];
  return [...Object.keys(def.shape ?? {}), ...inner.flatMap(fieldsOf)];
}
