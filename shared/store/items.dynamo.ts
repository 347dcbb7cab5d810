import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  assert,
  type Clock,
  type NewId,
  type Random,
  type ReferenceClock,
  UpstreamError,
} from '#shared/kernel';
import { brotliPacking } from '#shared/kernel/adapters';
import {
  assertWithinLimits,
  bodyText,
  distinctPlaces,
  type ExpiryPolicy,
  FORMAT,
  type IndexPlace,
  type IndexRange,
  type KindInStore,
  type Known,
  knownFrom,
  knownItems,
  OWNERS,
  type Owners,
  type Place,
  placeName,
  readable,
  type Store,
  type StoreWrite,
  storedKey,
  ITEM_TABLE as T,
  type TableName,
} from './transactions.ts';

export interface DynamoStoreOptions {
  readonly client: DynamoDBDocumentClient;
  /** Names of the tables that this program may use. */
  readonly tables: Readonly<Partial<Record<TableName, string>>>;
  /** Whose items the store shows. If absent, those of an installation with one portal. */
  readonly owners?: Owners;
  readonly policy: ExpiryPolicy;
  readonly newId: NewId;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: Random;
  /** The store's clock, from the `Date` of its answers. */
  readonly storeClock: ReferenceClock;
}

type Attributes = Readonly<Record<string, unknown>>;

/**
 * Stores items in DynamoDB. One item is a plain put, more are a transaction. A random id is both the version of what is
 * written and the token of the request: the token lets the SDK repeat a lost answer for ten minutes, and the version
 * proves afterwards that the write was ours.
 */
export function createDynamoStore(options: DynamoStoreOptions): Store {
  const { client, tables, owners = OWNERS, newId, storeClock } = options;
  const tableName = (table: TableName): string => {
    const name = tables[table];
    assert(name !== undefined, `this program uses the table ${table}`);
    return name;
  };
  const stored = (kind: KindInStore<unknown>, key: string) => storedKey(owners, kind, key);
  const keyOf = ({ kind, key }: Place<unknown>) => ({ pk: stored(kind, key) });
  const itemOf = (
    { place, value, unknown }: Extract<StoreWrite, { kind: 'put' }>,
    version: string,
  ): Attributes => {
    const { kind } = place;
    const position = kind.place(value);
    const expiresAtMs = kind.expiry.at?.(value, options.policy);
    return {
      ...keyOf(place),
      version,
      format: FORMAT,
      body: unknown ? { ...unknown, ...Object(value) } : value,
      ...(position && { part: stored(kind, position.partition), ord: position.order }),
      ...(expiresAtMs !== undefined && { expiresAtS: Math.ceil(expiresAtMs / 1_000) }),
    };
  };

  const getMany = async (places: readonly Place<unknown>[]) => {
    const distinct = distinctPlaces(places);
    const byName = new Map(
      distinct.map((place) => [`${tableName(place.kind.table)} ${keyOf(place).pk}`, place]),
    );
    const found = new Map<string, () => Known<unknown>>();
    let wanted = Map.groupBy(distinct, ({ kind }) => tableName(kind.table));
    for (let lost = 0; wanted.size > 0; lost += 1) {
      if (lost > 0) await backOff(options, lost);
      const request = [...wanted].map(([table, those]) => [
        table,
        { Keys: those.map(keyOf), ConsistentRead: true },
      ]);
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetCommand({ RequestItems: Object.fromEntries(request) }),
      );
      for (const [table, items] of Object.entries(Responses))
        for (const item of items) {
          const place = byName.get(`${table} ${item['pk']}`);
          if (place) found.set(placeName(place), () => knownIn(place.kind, item));
        }
      wanted = new Map(
        Object.entries(UnprocessedKeys).map(([table, { Keys = [] }]) => [
          table,
          Keys.flatMap(({ pk }) => byName.get(`${table} ${pk}`) ?? []),
        ]),
      );
    }
    return knownItems(found);
  };

  const writeOne = async (write: StoreWrite, version: string): Promise<boolean> => {
    const condition = { ...conditionOf(write), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
    const TableName = tableName(write.place.kind.table);
    try {
      if (write.kind === 'put')
        await client.send(new PutCommand({ TableName, Item: itemOf(write, version), ...condition }));
      else await client.send(new DeleteCommand({ TableName, Key: keyOf(write.place), ...condition }));
      return true;
    } catch (error) {
      if (error instanceof TransactionConflictException) return false;
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The SDK repeated a request whose answer was lost: the item has our version, or was removed by us or another.
      return error.Item?.['version']?.S === version;
    }
  };

  const writeAll = async (writes: readonly StoreWrite[], version: string): Promise<boolean> => {
    const TransactItems = writes.map((write) => {
      const request = { TableName: tableName(write.place.kind.table), ...conditionOf(write) };
      const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
      if (write.kind === 'put')
        return {
          Put: { ...request, Item: itemOf(write, version), ReturnValuesOnConditionCheckFailure },
        };
      const keyed = { ...request, Key: keyOf(write.place), ReturnValuesOnConditionCheckFailure };
      return write.kind === 'remove' ? { Delete: keyed } : { ConditionCheck: keyed };
    });
    try {
      await client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: version }));
      return true;
    } catch (error) {
      // Another attempt of the SDK with this token is still under way: who decides again finds out how it ended.
      if (error instanceof TransactionInProgressException) return false;
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      if (reasons.some(({ Item }) => Item?.['version']?.S === version)) return true;
      if (reasons.every(({ Code = 'None' }) => LOST_RACE.has(Code))) return false;
      throw busyOr(
        error,
        reasons.map(({ Code = 'None' }) => Code),
      );
    }
  };

  return {
    owners,
    packing: brotliPacking,
    getMany,
    index: async (kind, range) => {
      const { from = 0, upTo = Number.MAX_SAFE_INTEGER, limit, after } = range;
      const partition = stored(kind, range.partition);
      const ownKey = (pk: unknown) => String(pk).slice(stored(kind, '').length);
      // DynamoDB refuses a window that ends before it begins.
      if (upTo < from) return { keys: [] };
      const { Items = [], LastEvaluatedKey: end } = await client.send(
        new QueryCommand({
          ...indexRequest(tableName(kind.table), { partition, from, upTo }),
          Limit: Math.min(limit ?? PAGE, PAGE),
          ScanIndexForward: range.newestFirst !== true,
          ...(after && {
            ExclusiveStartKey: { pk: stored(kind, after.key), part: partition, ord: after.order },
          }),
        }),
      );
      const next: IndexPlace | undefined = end && { order: Number(end['ord']), key: ownKey(end['pk']) };
      return { keys: Items.map(({ pk }) => ownKey(pk)), ...(next && { next }) };
    },
    count: async (kind, partition, atMost = Number.MAX_SAFE_INTEGER) => {
      let count = 0;
      let start: Attributes | undefined;
      do {
        const page: { Count?: number | undefined; LastEvaluatedKey?: Attributes | undefined } =
          await client.send(
            new QueryCommand({
              ...indexRequest(tableName(kind.table), {
                partition: stored(kind, partition),
                from: 0,
                upTo: Number.MAX_SAFE_INTEGER,
              }),
              Select: 'COUNT',
              ...(atMost < Number.MAX_SAFE_INTEGER && { Limit: atMost - count }),
              ...(start && { ExclusiveStartKey: start }),
            }),
          );
        count += page.Count ?? 0;
        start = page.LastEvaluatedKey;
      } while (start && count < atMost);
      return count;
    },
    transact: async (writes, version = newId()) => {
      assertWithinLimits(writes, writes.map(bodyText));
      const [only] = writes;
      const isPlain = only !== undefined && writes.length === 1 && only.kind !== 'check';
      const isDone = isPlain ? await writeOne(only, version) : await writeAll(writes, version);
      return isDone ? { kind: 'done', version } : { kind: 'conflict' };
    },
    async *scan(kind) {
      const request = {
        TableName: tableName(kind.table),
        ConsistentRead: true,
        FilterExpression: 'begins_with(#pk, :prefix)',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: { ':prefix': stored(kind, '') },
      };
      for await (const { Items = [] } of paginateScan({ client }, request))
        for (const { body, format } of Items) yield readable(body, format);
    },
    offsetMs: storeClock.offsetMs,
  };
}

/** Items of one page of an index, as many as `getMany` reads. */
const PAGE = 100;
/** Reasons of a cancelled transaction that say that another writer was first. */
const LOST_RACE: ReadonlySet<string> = new Set(['None', 'ConditionalCheckFailed', 'TransactionConflict']);
const NO_CAPACITY: ReadonlySet<string> = new Set([
  ...LOST_RACE,
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** Lack of capacity is an error that may be repeated; any other reason is a bug of ours. */
function busyOr(error: Error, reasons: readonly string[]): Error {
  return reasons.every((reason) => NO_CAPACITY.has(reason)) ? busy(error) : error;
}

function busy(cause?: Error): UpstreamError {
  return new UpstreamError({
    code: 'STORE_BUSY',
    message: 'DynamoDB has no capacity for this request now.',
    retryable: true,
    cause,
  });
}

function knownIn<V>(kind: KindInStore<V>, { body, format, version }: Attributes): Known<V> {
  return knownFrom(kind, readable(body, format), String(version));
}

function conditionOf({ version }: StoreWrite) {
  if (version === undefined)
    return { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } };
  return {
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  };
}

function indexRequest(TableName: string, { partition, from, upTo }: IndexRange) {
  return {
    TableName,
    IndexName: T.indexName,
    KeyConditionExpression: '#part = :part AND #ord BETWEEN :from AND :upTo',
    ExpressionAttributeNames: { '#part': 'part', '#ord': 'ord' },
    ExpressionAttributeValues: { ':part': partition, ':from': from, ':upTo': upTo },
  };
}

const FIRST_BACKOFF_MS = 10;
const LONGEST_BACKOFF_MS = 1_000;
const MAX_BACKOFFS = 12;

/** @throws UpstreamError `STORE_BUSY` after too many pauses. */
async function backOff({ clock, random }: DynamoStoreOptions, lost: number): Promise<void> {
  if (lost > MAX_BACKOFFS) throw busy();
  await clock.sleep(random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** lost));
}
