import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { NewId } from '#shared/kernel';
import { FORMAT, readable } from './format.ts';
import { pageCursor, readCursor } from './page-cursor.ts';
import type { IndexedItems, IndexPosition, IndexQuery, ItemPage, PageQuery, Versioned } from './store.ts';
import { ITEM_TABLE as T } from './table.ts';

export interface DynamoItemsOptions<V> {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly newId: NewId;
  /** Parses what was stored: a damaged item must not be taken for a good one. */
  readonly parse: (stored: unknown) => V;
  readonly indexPosition?: (value: V) => IndexPosition | undefined;
  /** When the item is of no more use to anybody, epoch milliseconds. */
  readonly expiresAtMs?: (value: V) => number | undefined;
}

/**
 * One DynamoDB item a key, replaced by conditional puts. Each write carries an id of its own: when a put is
 * retried below us after its answer was lost, the failed condition is recognised as our own success.
 */
export function createDynamoItems<V>(options: DynamoItemsOptions<V>): IndexedItems<V> {
  const get = async (key: string) => {
    const { client, tableName: TableName } = options;
    return (
      await client.send(new GetCommand({ TableName, Key: { [T.partitionKey]: key }, ConsistentRead: true }))
    ).Item;
  };
  return {
    read: async (key): Promise<Versioned<V> | undefined> => {
      const item = await get(key);
      return item && { value: valueIn(options, item), version: Number(item[T.version]) };
    },
    write: async ({ key, value, expectedVersion }) => {
      const writeId = options.newId();
      try {
        await options.client.send(putOf(options, { key, value, expectedVersion, writeId }));
        return 'written';
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return (await get(key))?.[T.writeId] === writeId ? 'written' : 'conflict';
      }
    },
    list: (query) => listByIndex(options, query),
    count: (partition, atMost) => countByIndex(options, partition, atMost),
    page: (query) => pageOfIndex(options, query),
  };
}

function valueIn<V>({ parse }: DynamoItemsOptions<V>, item: Readonly<Record<string, unknown>>): V {
  return parse(readable(item[T.body], item[T.format]));
}

interface Change<V> {
  readonly key: string;
  readonly value: V;
  readonly expectedVersion: number;
  readonly writeId: string;
}

function putOf<V>(options: DynamoItemsOptions<V>, change: Change<V>): PutCommand {
  const position = options.indexPosition?.(change.value);
  const expiresAtMs = options.expiresAtMs?.(change.value);
  return new PutCommand({
    TableName: options.tableName,
    Item: {
      [T.partitionKey]: change.key,
      [T.version]: change.expectedVersion + 1,
      [T.writeId]: change.writeId,
      [T.body]: change.value,
      [T.format]: FORMAT,
      ...(position && { [T.indexPartition]: position.partition, [T.indexOrder]: position.order }),
      ...(expiresAtMs !== undefined && { [T.timeToLive]: Math.ceil(expiresAtMs / 1000) }),
    },
    ...(change.expectedVersion === 0
      ? {
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': T.partitionKey },
        }
      : {
          ConditionExpression: '#version = :expected',
          ExpressionAttributeNames: { '#version': T.version },
          ExpressionAttributeValues: { ':expected': change.expectedVersion },
        }),
  });
}

function indexRequest(
  tableName: string,
  { partition, from, upTo }: Omit<IndexQuery, 'limit' | 'newestFirst'>,
) {
  const isWhole = from === undefined && upTo === undefined;
  // Orders are not negative, so that one condition is enough for every window.
  const window = { ':from': from ?? 0, ':to': upTo ?? Number.MAX_SAFE_INTEGER };
  return {
    TableName: tableName,
    IndexName: T.indexName,
    KeyConditionExpression: isWhole ? '#p = :p' : '#p = :p AND #o BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#p': T.indexPartition, ...(!isWhole && { '#o': T.indexOrder }) },
    ExpressionAttributeValues: { ':p': partition, ...(!isWhole && window) },
  };
}

async function listByIndex<V>(options: DynamoItemsOptions<V>, query: IndexQuery): Promise<V[]> {
  const { limit, newestFirst, from = 0, upTo = from } = query;
  const found: V[] = [];
  // DynamoDB refuses a window that ends before it begins.
  if (upTo < from) return found;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await options.client.send(
      new QueryCommand({
        ...indexRequest(options.tableName, query),
        ...(limit !== undefined && { Limit: limit - found.length }),
        ...(newestFirst && { ScanIndexForward: false }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    found.push(...(page.Items ?? []).map((item) => valueIn(options, item)));
    start = page.LastEvaluatedKey;
  } while (start && (limit === undefined || found.length < limit));
  return found;
}

async function pageOfIndex<V>(
  options: DynamoItemsOptions<V>,
  { partition, after, limit }: PageQuery,
): Promise<ItemPage<V>> {
  const start = after === undefined ? undefined : readCursor(after);
  const page = await options.client.send(
    new QueryCommand({
      ...indexRequest(options.tableName, { partition }),
      ...(limit !== undefined && { Limit: limit }),
      ...(start && {
        ExclusiveStartKey: {
          [T.partitionKey]: start.key,
          [T.indexPartition]: partition,
          [T.indexOrder]: start.order,
        },
      }),
    }),
  );
  const values = (page.Items ?? []).map((item) => valueIn(options, item));
  const end = page.LastEvaluatedKey;
  const next = end && pageCursor({ order: Number(end[T.indexOrder]), key: String(end[T.partitionKey]) });
  return { values, ...(next !== undefined && { next }) };
}

async function countByIndex<V>(
  options: DynamoItemsOptions<V>,
  partition: string,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await options.client.send(
      new QueryCommand({
        ...indexRequest(options.tableName, { partition }),
        Select: 'COUNT',
        ...(atMost < Number.MAX_SAFE_INTEGER && { Limit: atMost - count }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start && count < atMost);
  return count;
}
