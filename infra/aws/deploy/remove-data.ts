import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { dataStackName } from '../names.ts';
import type { Settings } from '../schemas.ts';
import { findStack, unprotectStack } from './deployed-stack.ts';
import { removeSecrets, secretDocuments } from './prepare-secrets.ts';
import { deleteTable, existingTables } from './tables-left.ts';

/**
 * Deletes the data stack, the tables that it leaves, and the secrets. Deletes the stack last, so that a second run
 * after an interruption finds everything.
 */
export async function removeData(wish: {
  readonly settings: Settings;
  readonly destroyStack: (name: string) => Promise<void>;
}): Promise<void> {
  const { settings, destroyStack } = wish;
  const { stackName } = settings;
  const dynamo = new DynamoDBClient(AWS_TIMEOUTS);
  for (const name of await existingTables(dynamo, settings)) await deleteTable(dynamo, name);
  await removeSecrets(secretDocuments(stackName));
  const name = dataStackName(stackName);
  if (!(await findStack(name))) return;
  await unprotectStack(name);
  await destroyStack(name);
}
