import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

/** Whether there is such a table, of whatever stack. */
export async function tableExists(client: DynamoDBClient, TableName: string): Promise<boolean> {
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
