import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { NewId } from '#shared/kernel';
import { FORMAT, readable } from './format.ts';
import type { RetentionPolicy, StoredKind } from './kind.ts';
import { pageCursor, readCursor } from './page-cursor.ts';
import type {
  IndexedItems,
  IndexPartition,
  IndexQuery,
  ItemPage,
  ItemWrite,
  PageQuery,
  Versioned,
} from './store.ts';
import { inAccount, ITEM_TABLE as T } from './table.ts';

export interface DynamoItemsOptions<V> {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly newId: NewId;
  /** Prefix of every key and every partition of the index. */
  readonly account: string;
  readonly kind: Pick<StoredKind<V>, 'schema' | 'fields' | 'place' | 'expiry'>;
  readonly policy: RetentionPolicy;
}

/**
 * Stores one DynamoDB item for each key, by conditional puts. Each write has its own id. If the AWS SDK retries a put whose
 * answer was lost, the failed condition is recognised as our own success.
 */
export function createDynamoItems<V>(options: DynamoItemsOptions<V>): IndexedItems<V> {
  const get = async (key: string) => {
    const { client, tableName: TableName, account } = options;
    const Key = { [T.partitionKey]: inAccount(account, key) };
    return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  };
  return {
    read: async (key): Promise<Versioned<V> | undefined> => {
      const item = await get(key);
      return item && versionedIn(options, item);
    },
    write: async (change) => {
      const { key } = change;
      const writeId = options.newId();
      try {
        await options.client.send(putOf(options, { ...change, writeId }));
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

type StoredAttributes = Readonly<Record<string, unknown>>;

function valueIn<V>({ kind }: DynamoItemsOptions<V>, item: StoredAttributes): V {
  return kind.schema.parse(readable(item[T.body], item[T.format]));
}

function versionedIn<V>(options: DynamoItemsOptions<V>, item: StoredAttributes): Versioned<V> {
  const { fields, schema } = options.kind;
  const body = readable(item[T.body], item[T.format]);
  const unknown = fields ? Object.entries(Object(body)).filter(([name]) => !fields.has(name)) : [];
  return {
    value: schema.parse(body),
    version: Number(item[T.version]),
    ...(unknown.length > 0 && { unknown: Object.fromEntries(unknown) }),
  };
}

function putOf<V>(
  options: DynamoItemsOptions<V>,
  change: ItemWrite<V> & { readonly writeId: string },
): PutCommand {
  const { account, kind, policy } = options;
  const { value, unknown } = change;
  const position = kind.place(value);
  const expiresAtMs = kind.expiry.at?.(value, policy);
  return new PutCommand({
    TableName: options.tableName,
    Item: {
      [T.partitionKey]: inAccount(account, change.key),
      [T.version]: change.expectedVersion + 1,
      [T.writeId]: change.writeId,
      [T.body]: unknown ? { ...unknown, ...value } : value,
      [T.format]: FORMAT,
      ...(position && {
        [T.indexPartition]: inAccount(account, position.partition),
        [T.indexOrder]: position.order,
      }),
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
  { tableName, account }: Pick<DynamoItemsOptions<unknown>, 'tableName' | 'account'>,
  { partition, from, upTo }: Omit<IndexQuery, 'limit' | 'newestFirst'>,
) {
  const isWhole = from === undefined && upTo === undefined;
  // Orders are not negative, so one condition is enough for every window.
  const window = { ':from': from ?? 0, ':to': upTo ?? Number.MAX_SAFE_INTEGER };
  return {
    TableName: tableName,
    IndexName: T.indexName,
    KeyConditionExpression: isWhole ? '#p = :p' : '#p = :p AND #o BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#p': T.indexPartition, ...(!isWhole && { '#o': T.indexOrder }) },
    ExpressionAttributeValues: { ':p': inAccount(account, partition), ...(!isWhole && window) },
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
        ...indexRequest(options, query),
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
      ...indexRequest(options, { partition }),
      ...(limit !== undefined && { Limit: limit }),
      ...(start && {
        ExclusiveStartKey: {
          [T.partitionKey]: inAccount(options.account, start.key),
          [T.indexPartition]: inAccount(options.account, partition),
          [T.indexOrder]: start.order,
        },
      }),
    }),
  );
  const values = (page.Items ?? []).map((item) => valueIn(options, item));
  const end = page.LastEvaluatedKey;
  const next =
    end &&
    pageCursor({
      order: Number(end[T.indexOrder]),
      key: String(end[T.partitionKey]).slice(inAccount(options.account, '').length),
    });
  return { values, ...(next !== undefined && { next }) };
}

async function countByIndex<V>(
  options: DynamoItemsOptions<V>,
  partition: IndexPartition,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await options.client.send(
      new QueryCommand({
        ...indexRequest(options, { partition }),
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
