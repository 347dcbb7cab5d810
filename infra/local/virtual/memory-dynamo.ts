import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { frozen, type Random } from '#shared/kernel';
import { ITEM_TABLE as T } from '#shared/versioned-items';
import { createPlaces, type Places, placeOf, type StoredItem, type Window } from './places.ts';

export interface MemoryDynamo {
  readonly client: DynamoDBDocumentClient;
  /** From now on, repeats this share of puts (0 to 1), as the SDK does after a lost answer. */
  loseAnswers(rate: number): void;
  /** Deletes the items that have expired at `nowMs`, epoch milliseconds. */
  expire(nowMs: number): void;
  /** Removes this field from every body that has it. */
  damage(part: string): void;
  /** All current items of a table. */
  items(tableName: string): readonly StoredItem[];
}

/**
 * Creates the part of DynamoDB that the adapters use, in this process. It has conditions, pages, eventually and
 * strongly consistent reads, and puts that the SDK repeats.
 * @param pageItems maximum number of items in a page.
 */
export function createMemoryDynamo(random: Random, { pageItems = 7 } = {}): MemoryDynamo {
  const tables = new Map<string, Places>();
  let lostRate = 0;
  const tableOf = (name = '') => {
    const known = tables.get(name) ?? createPlaces();
    tables.set(name, known);
    return known;
  };
  const put = (input: PutCommandInput) => {
    const table = tableOf(input.TableName);
    const item = frozen(structuredClone(input.Item ?? {}));
    if (!isMet(input, table.get(placeOf(item))?.now)) throw refusal();
    table.put(item);
  };
  const send = async (command: unknown): Promise<unknown> => {
    if (command instanceof PutCommand) {
      put(command.input);
      if (random() < lostRate) put(command.input);
      return {};
    }
    if (command instanceof GetCommand) {
      const { TableName, Key = {}, ConsistentRead } = command.input;
      const place = tableOf(TableName).get(placeOf(Key));
      return { Item: ConsistentRead ? place?.now : place?.before };
    }
    if (command instanceof DeleteCommand) {
      tableOf(command.input.TableName).remove(placeOf(command.input.Key ?? {}));
      return {};
    }
    if (command instanceof QueryCommand)
      return query(tableOf(command.input.TableName), command.input, pageItems);
    if (command instanceof ScanCommand) return scan(tableOf(command.input.TableName), command.input);
    throw new Error('The adapters send no such command.');
  };
  // These answers have no date header, so the store's clock falls back to the local clock.
  const middlewareStack = { add: () => undefined };
  // The SDK's pagination accepts only an instance of the class.
  const client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send, middlewareStack });
  return {
    client,
    loseAnswers: (rate) => {
      lostRate = rate;
    },
    expire: (nowMs) => {
      for (const table of tables.values())
        for (const item of table.all()) if (isOver(item, nowMs)) table.remove(placeOf(item));
    },
    damage: (part) => {
      for (const table of tables.values())
        for (const item of table.all()) {
          const body = item[T.body];
          if (typeof body !== 'object' || body === null || !(part in body)) continue;
          const rest = Object.entries(body).filter(([name]) => name !== part);
          table.put(frozen({ ...item, [T.body]: Object.fromEntries(rest) }));
        }
    },
    items: (tableName) => tableOf(tableName).all(),
  };
}

function isOver({ [T.timeToLive]: expiresAtS }: StoredItem, nowMs: number): boolean {
  return expiresAtS !== undefined && Number(expiresAtS) * 1_000 <= nowMs;
}

function refusal() {
  return new ConditionalCheckFailedException({ message: 'The condition failed.', $metadata: {} });
}

/** Evaluates a condition of the adapters, whose terms are joined by OR. */
function isMet(input: PutCommandInput, item: StoredItem | undefined): boolean {
  const { ConditionExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  if (ConditionExpression === undefined) return true;
  return ConditionExpression.split(' OR ').some((term) => {
    const name = ExpressionAttributeNames[/#\w+/.exec(term)?.[0] ?? ''] ?? '';
    if (term.startsWith('attribute_not_exists')) return item?.[name] === undefined;
    if (term.startsWith('attribute_exists')) return item?.[name] !== undefined;
    const value = ExpressionAttributeValues[/:\w+/.exec(term)?.[0] ?? ''];
    if (item?.[name] === undefined) return false;
    return term.includes('>=') ? Number(item[name]) >= Number(value) : item[name] === value;
  });
}

/** Queries the ledger table by entry numbers, and other tables by their index. */
function query(table: Places, input: QueryCommandInput, pageItems: number) {
  const { ConsistentRead, IndexName, Limit = pageItems, Select } = input;
  // Here an index is never stale. Other test code simulates the delay of an index.
  const isNewest = ConsistentRead || IndexName !== undefined;
  const found: StoredItem[] = [];
  let isMore = false;
  for (const place of table.between(windowOf(input))) {
    const item = isNewest ? place.now : place.before;
    if (!item) continue;
    isMore = found.length === Math.min(Limit, pageItems);
    if (isMore) break;
    found.push(item);
  }
  const last = found.at(-1);
  return {
    Count: found.length,
    ...(Select !== 'COUNT' && { Items: found }),
    ...(isMore && last && { LastEvaluatedKey: keyOf(last) }),
  };
}

/** Scans the attempts of an account, which is the only scan of the adapters. */
function scan(table: Places, { ExpressionAttributeValues: values = {} }: ScanCommandInput) {
  const account = String(values[':account']);
  const isWanted = ({ [T.partitionKey]: key, [T.body]: body }: StoredItem) =>
    String(key).startsWith(account) && Object(body).attempt !== undefined;
  return { Items: table.all().filter(isWanted) };
}

function windowOf(input: QueryCommandInput): Window {
  const { IndexName, ExpressionAttributeValues: values = {}, ScanIndexForward: isUp = true } = input;
  const { ':from': from = 0, ':to': to = Number.MAX_SAFE_INTEGER } = values;
  const partition = String(values[IndexName === undefined ? ':pk' : ':p']);
  return { partition, from, to, isUp, after: input.ExclusiveStartKey };
}

/** Page key of an item. It stays valid if the item moves before the next page is read. */
function keyOf({ pk, seq, [T.indexPartition]: partition, [T.indexOrder]: order }: StoredItem): StoredItem {
  return seq === undefined ? { pk, [T.indexPartition]: partition, [T.indexOrder]: order } : { pk, seq };
}
