import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Random } from '#shared/kernel/random.ts';
import { ITEM_TABLE as T } from '#shared/versioned-items/table.ts';

type Item = Readonly<Record<string, unknown>>;
/** What stands in a place, and what stood there before: some replica has only that. */
interface Place {
  readonly key: Item;
  now: Item;
  before: Item | undefined;
}

/** Answers of a query are cut into pages of so many. */
const PAGE_ITEMS = 7;

export interface MemoryDynamo {
  readonly client: DynamoDBDocumentClient;
  /** From now on so many of the puts are done twice, because the first answer was lost below the adapter; 0 to 1. */
  loseAnswers(rate: number): void;
}

/**
 * As much of DynamoDB as the adapters use, in this process, without a wire: conditions, pages, reads that only are of the
 * newest state where that is asked for, and puts that the SDK repeats.
 */
export function createMemoryDynamo(random: Random): MemoryDynamo {
  const tables = new Map<string, Map<string, Place>>();
  let lostRate = 0;
  const tableOf = (name = '') => {
    const known = tables.get(name) ?? new Map<string, Place>();
    tables.set(name, known);
    return known;
  };
  const put = (input: PutCommandInput) => {
    const table = tableOf(input.TableName);
    const item = structuredClone(input.Item ?? {});
    const place = table.get(placeOf(item));
    if (!isMet(input, place?.now)) throw refusal();
    table.set(placeOf(item), { key: item, now: item, before: place?.now });
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
      return { Item: structuredClone(ConsistentRead ? place?.now : place?.before) };
    }
    if (command instanceof QueryCommand) return query(tableOf(command.input.TableName), command.input);
    throw new Error('The adapters send no such command.');
  };
  return {
    client: { send } as unknown as DynamoDBDocumentClient,
    loseAnswers: (rate) => {
      lostRate = rate;
    },
  };
}

function placeOf({ pk, seq }: Item): string {
  return `${pk}\n${seq ?? ''}`;
}

function refusal() {
  return new ConditionalCheckFailedException({ message: 'The condition failed.', $metadata: {} });
}

/** Conditions as the adapters write them, and alternatives of such. */
function isMet(input: PutCommandInput, item: Item | undefined): boolean {
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

/** Of the log's table by its numbers, of the others by their index. */
function query(table: ReadonlyMap<string, Place>, input: QueryCommandInput) {
  const { ConsistentRead, IndexName, ScanIndexForward = true, Select } = input;
  const { ExclusiveStartKey: after, Limit = PAGE_ITEMS } = input;
  // An index is never behind here: `lag` sees to that.
  const isNewest = ConsistentRead || IndexName !== undefined;
  const order = IndexName === undefined ? 'seq' : T.indexOrder;
  const found = [...table.values()]
    .map(({ now, before }) => (isNewest ? now : before))
    .filter((item) => item !== undefined)
    .filter((item) => isWanted(item, input))
    .sort((a, b) => (Number(a[order]) - Number(b[order])) * (ScanIndexForward ? 1 : -1));
  const start = after ? found.findIndex((item) => placeOf(item) === placeOf(after)) + 1 : 0;
  const page = found.slice(start, start + Math.min(Limit, PAGE_ITEMS));
  const last = page.at(-1);
  const isMore = last !== undefined && start + page.length < found.length;
  return {
    Count: page.length,
    ...(Select !== 'COUNT' && { Items: structuredClone(page) }),
    ...(isMore && { LastEvaluatedKey: keyOf(last) }),
  };
}

/** A key of the index names its place there too. */
function keyOf({ pk, seq, [T.indexPartition]: partition, [T.indexOrder]: order }: Item): Item {
  return { pk, seq, [T.indexPartition]: partition, [T.indexOrder]: order };
}

function isWanted(item: Item, { IndexName, ExpressionAttributeValues: values = {} }: QueryCommandInput) {
  if (IndexName === undefined) return item['pk'] === values[':pk'] && Number(item['seq']) >= values[':from'];
  const { ':from': from = 0, ':to': to = Number.MAX_SAFE_INTEGER } = values;
  const place = Number(item[T.indexOrder]);
  return item[T.indexPartition] === values[':p'] && place >= from && place <= to;
}
