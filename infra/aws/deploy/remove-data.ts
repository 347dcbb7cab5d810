import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dataStackName, TABLE_NAMES, tableName } from '../names.ts';
import { unprotectStack } from './deployed-stack.ts';
import { removeSecrets, secretPlaces } from './prepare-secrets.ts';
import { deleteTable, tableExists } from './tables-left.ts';

/**
 * Deletes the data stack, the tables that it leaves, and the secrets. The stack goes last, so that what was stopped
 * midway is found again and can be gone through once more.
 */
export async function removeData(wish: {
  readonly stackName: string;
  readonly destroyStack: (name: string) => Promise<void>;
}): Promise<void> {
  const { stackName, destroyStack } = wish;
  const dynamo = new DynamoDBClient();
  for (const table of TABLE_NAMES) {
    const name = tableName(stackName, table);
    if (await tableExists(dynamo, name)) await deleteTable(dynamo, name);
  }
  await removeSecrets(secretPlaces(stackName));
  const name = dataStackName(stackName);
  await unprotectStack(name);
  await destroyStack(name);
}
