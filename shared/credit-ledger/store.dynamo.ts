import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { FORMAT, inAccount, readable } from '#shared/versioned-items';
import { type LedgerEntry, ledgerEntrySchema } from './schemas.ts';
import type { LedgerStore } from './store.ts';
import { entryFields, withUnknown } from './stored-entry.ts';
import { ledgerEntryKind } from './stored-kinds.ts';
import { LEDGER_TABLE as T } from './table.ts';

/** Stores one item for each entry, on the condition that no item has the entry's number. */
export function createDynamoLedgerStore(options: {
  client: DynamoDBDocumentClient;
  tableName: string;
}): LedgerStore {
  const { client, tableName: TableName } = options;
  const read = (range: Range) => readRange(client, TableName, range);
  return {
    newest: async (account) => (await read({ account, ascending: false, fromSeq: 1, limit: 1 }))[0],
    append: async (entry) => {
      try {
        await client.send(
          new PutCommand({
            TableName,
            Item: { ...entryFields(entry), ...keyOf(entry), [T.format]: FORMAT },
            ConditionExpression: 'attribute_not_exists(#pk)',
            ExpressionAttributeNames: { '#pk': T.partitionKey },
          }),
        );
        return 'appended';
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return (await isSameEntry(client, { TableName, entry })) ? 'appended' : 'taken';
      }
    },
    entries: ({ account, fromSeq, limit }) => read({ account, ascending: true, fromSeq, limit }),
  };
}

interface Range {
  readonly account: string;
  readonly ascending: boolean;
  readonly fromSeq: number;
  readonly limit: number;
}

/** Reads page by page, because DynamoDB returns at most 1 MB at once. */
async function readRange(client: DynamoDBDocumentClient, TableName: string, range: Range) {
  const found: LedgerEntry[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: '#pk = :pk AND #seq >= :from',
        ExpressionAttributeNames: { '#pk': T.partitionKey, '#seq': T.sortKey },
        ExpressionAttributeValues: { ':pk': partition(range.account), ':from': range.fromSeq },
        ScanIndexForward: range.ascending,
        Limit: range.limit - found.length,
        ...(startKey && { ExclusiveStartKey: startKey }),
      }),
    );
    found.push(...(page.Items ?? []).map(toEntry));
    startKey = page.LastEvaluatedKey;
  } while (startKey && found.length < range.limit);
  return found;
}

function keyOf({ account, seq }: LedgerEntry) {
  return { [T.partitionKey]: partition(account), [T.sortKey]: seq };
}

function partition(account: string): string {
  return inAccount(account, ledgerEntryKind.key());
}

function toEntry(item: Record<string, unknown>): LedgerEntry {
  const { [T.partitionKey]: _, [T.format]: format, ...stored } = item;
  return ledgerEntrySchema.parse(withUnknown(readable(stored, format)));
}

/** Whether the stored entry is the one that we appended. The AWS SDK may have retried a put whose answer was lost. */
async function isSameEntry(
  client: DynamoDBDocumentClient,
  { TableName, entry }: { TableName: string; entry: LedgerEntry },
) {
  const { Item } = await client.send(new GetCommand({ TableName, Key: keyOf(entry), ConsistentRead: true }));
  return Item?.['hash'] === entry.hash;
}
