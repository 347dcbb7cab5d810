import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE_NAMES } from '#shared/store';
import { ConfigurationError } from '../configuration.ts';
import { dataStackName, tableName } from '../names.ts';
import type { Settings } from '../schemas.ts';
import { describeStack, resourcesOfStack } from './deployed-stack.ts';

/** Lists the existing tables of an installation by name, whether a stack owns them or not. */
export async function existingTables(
  client: DynamoDBClient,
  settings: Installation,
): Promise<readonly string[]> {
  const own = TABLE_NAMES.map((table) => tableName(settings.stackName, table));
  const names: string[] = [];
  for (const name of new Set([...own, ...restoredTables(settings)]))
    if (await tableExists(client, name)) names.push(name);
  return names;
}

type Installation = Pick<Settings, 'stackName' | 'ledgerTable' | 'proofTable'>;

/** Restored tables that the settings name in place of the stack's own tables. */
export function restoredTables({ ledgerTable, proofTable }: Installation): readonly string[] {
  return [ledgerTable, proofTable].filter((name) => name !== undefined);
}

async function tableExists(client: DynamoDBClient, TableName: string): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/**
 * Removes empty tables that a failed creation of the data stack left. They are protected, so CloudFormation cannot
 * delete them. A table that holds data is kept.
 * @returns the names of the removed tables
 * @throws ConfigurationError if a table without a stack holds data. Nothing is changed in this case
 */
export async function removeEmptyStrays(
  client: DynamoDBClient,
  { settings, tables }: { readonly settings: Installation; readonly tables: readonly string[] },
): Promise<readonly string[]> {
  const stack = dataStackName(settings.stackName);
  const owned = (await describeStack(stack)) ? await resourcesOfStack(stack) : new Set<string>();
  const restored = restoredTables(settings);
  const strays = tables.filter((name) => !owned.has(name) && !restored.includes(name));
  const full: string[] = [];
  for (const name of strays) if (!(await isEmpty(client, name))) full.push(name);
  if (full.length > 0)
    throw new ConfigurationError('tables-without-stack', { tables: full.join(', '), stack });
  for (const name of strays) await deleteTable(client, name);
  return strays;
}

async function isEmpty(client: DynamoDBClient, TableName: string): Promise<boolean> {
  // Reads an item, because the item count of DescribeTable is hours old.
  const { Items = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }),
  );
  return Items.length === 0 && LastEvaluatedKey === undefined;
}

/** Longer than DynamoDB needs to change a table's settings. */
const CHANGED_WITHIN_S = 300;

/** Removes the table's protection and deletes it permanently. */
export async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client, maxWaitTime: CHANGED_WITHIN_S }, { TableName });
  await client.send(new DeleteTableCommand({ TableName }));
}
