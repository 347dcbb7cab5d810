import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE_NAMES } from '#shared/composition';
import { tableName } from '../names.ts';

/** The tables of an installation that are there, with a stack that owns them or without, by their names. */
export async function existingTables(client: DynamoDBClient, stackName: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const table of TABLE_NAMES) {
    const name = tableName(stackName, table);
    if (await tableExists(client, name)) names.push(name);
  }
  return names;
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

/** Longer than DynamoDB takes to change a table's settings. */
const CHANGED_WITHIN_S = 300;

/** Takes its protection off and deletes it, for good. */
export async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client, maxWaitTime: CHANGED_WITHIN_S }, { TableName });
  await client.send(new DeleteTableCommand({ TableName }));
}
