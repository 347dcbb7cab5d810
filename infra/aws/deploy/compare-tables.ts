import { createHash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { LEDGER_TABLE, readLog, verifyLog } from '#shared/credit-ledger';
import { createDynamoLedgerStore } from '#shared/credit-ledger/adapters';
import { createDigest } from '#shared/kernel/adapters';
import { ITEM_TABLE } from '#shared/versioned-items';
import { tableExists } from './tables-left.ts';

/** Numbers of items. */
export interface TableComparison {
  readonly restored: number;
  readonly present: number;
  readonly same: number;
  readonly differ: number;
  /** Items that only the present table has. */
  readonly notRestored: number;
  readonly onlyRestored: number;
}

/** @returns `undefined` if the present table does not exist */
export async function compareTables(
  client: DynamoDBClient,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<TableComparison | undefined> {
  if (!(await tableExists(client, source))) return undefined;
  const restored = await hashesOf(client, target);
  const present = await hashesOf(client, source);
  const shared = [...present].filter(([key]) => restored.has(key));
  const same = shared.filter(([key, hash]) => restored.get(key) === hash).length;
  return {
    restored: restored.size,
    present: present.size,
    same,
    differ: shared.length - same,
    notRestored: present.size - shared.length,
    onlyRestored: restored.size - shared.length,
  };
}

/** Reads hashes of all items, by item key. Hashes of a large table fit in memory. */
async function hashesOf(client: DynamoDBClient, TableName: string): Promise<ReadonlyMap<string, string>> {
  const prints = new Map<string, string>();
  const documents = DynamoDBDocumentClient.from(client);
  for await (const { Items = [] } of paginateScan({ client: documents }, { TableName, ConsistentRead: true }))
    for (const item of Items) {
      const key = JSON.stringify([item[ITEM_TABLE.partitionKey], item[LEDGER_TABLE.sortKey]]);
      prints.set(key, createHash('sha256').update(inOrder(item)).digest('base64'));
    }
  return prints;
}

/** Sorts attributes, because DynamoDB does not guarantee an order. */
function inOrder(item: unknown): string {
  return JSON.stringify(item, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Verifies the hash chain of a restored ledger. */
export async function verifyRestoredLedger(
  client: DynamoDBClient,
  tableName: string,
): Promise<readonly string[]> {
  const store = createDynamoLedgerStore({ client: DynamoDBDocumentClient.from(client), tableName });
  // The digest's secret is not used here, because entry hashes need no secret.
  const digest = createDigest('not used: only hashes by SHA-256');
  const { problems } = await verifyLog(readLog(store, 'default'), { digest });
  return problems.map(({ seq, problem }) => `entry ${seq}: ${problem}`);
}
