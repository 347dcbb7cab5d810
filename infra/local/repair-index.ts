import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { ITEM_TABLE as T } from '#shared/versioned-items';

type Item = Readonly<Record<string, unknown>>;

/**
 * Repairs an index of dynalite. dynalite writes the index entry before the item, so after a kill between both writes
 * the index can be wrong. The item is always right. No other process is allowed to write during the repair.
 */
export async function repairIndex(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const items = new Map((await scan(client, { TableName })).map((item) => [item[T.partitionKey], item]));
  const entries = Map.groupBy(await scan(client, { TableName, IndexName: T.indexName }), keyOf);
  for (const key of new Set([...items.keys(), ...entries.keys()])) {
    const item = items.get(key);
    const found = entries.get(key) ?? [];
    const wrong = found.filter((entry) => !item || !isSamePlace(entry, item));
    const isThere = !item?.[T.indexPartition] || found.some((entry) => isCopy(entry, item));
    if (wrong.length === 0 && isThere) continue;
    // dynalite deletes an index entry only when its item moves. So the item is first moved to the wrong place and
    // then back.
    for (const entry of wrong)
      await client.send(new PutCommand({ TableName, Item: { ...(item ?? entry), ...placeOf(entry) } }));
    if (item) await client.send(new PutCommand({ TableName, Item: item }));
    else await client.send(new DeleteCommand({ TableName, Key: { [T.partitionKey]: key } }));
  }
}

async function scan(
  client: DynamoDBDocumentClient,
  what: { readonly TableName: string; readonly IndexName?: string },
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, what)) found.push(...Items);
  return found;
}

function keyOf(item: Item): unknown {
  return item[T.partitionKey];
}

function placeOf(item: Item): Item {
  return { [T.indexPartition]: item[T.indexPartition], [T.indexOrder]: item[T.indexOrder] };
}

function isSamePlace(one: Item, other: Item): boolean {
  return one[T.indexPartition] === other[T.indexPartition] && one[T.indexOrder] === other[T.indexOrder];
}

function isCopy(entry: Item, item: Item): boolean {
  return isSamePlace(entry, item) && entry[T.writeId] === item[T.writeId];
}
