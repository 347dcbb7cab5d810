import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KEPT_LOGICAL_IDS, keptName } from '../names.ts';
import { KEPT, type Kept, type Settings } from '../schemas.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { describeTable } from './kept-tables.ts';
import type { SecretDocuments } from './secret-documents.ts';

export interface Account {
  readonly dynamo: DynamoDBClient;
  readonly documents: SecretDocuments;
}

/**
 * What an earlier stack left behind, and the one of now does not have: to be adopted by its name. CloudFormation
 * could import it too, but not in the same step in which it creates the rest, everywhere the stack is run.
 */
export async function leftBehind(
  account: Account,
  { stackName, secretSource }: Pick<Settings, 'stackName' | 'secretSource'>,
  stack: Pick<DeployedStack, 'resources'> | undefined,
): Promise<readonly Kept[]> {
  // A parameter of SSM is never in a stack.
  const looked = KEPT.filter(
    (kept) => !stack?.resources.has(KEPT_LOGICAL_IDS[kept]) && !(kept === 'secret' && secretSource === 'ssm'),
  );
  const found: Kept[] = [];
  for (const kept of looked) if (await exists(account, { stackName, kept })) found.push(kept);
  return found;
}

/** A sentence's worth of what stays when the stack goes, wherever its secret is. */
export async function keptPlaces(
  { dynamo, documents }: Account,
  { stackName }: Pick<Settings, 'stackName'>,
): Promise<readonly string[]> {
  const places: string[] = [];
  for (const kept of ['ledger', 'questions'] as const) {
    const name = keptName(stackName, kept);
    if (await describeTable(dynamo, name)) places.push(`the table ${name}`);
  }
  for (const document of Object.values(documents)) {
    if (await document.exists()) places.push(document.place);
  }
  return places;
}

async function exists(
  { dynamo, documents }: Account,
  { stackName, kept }: { stackName: string; kept: Kept },
): Promise<boolean> {
  if (kept === 'secret') return documents['secrets-manager'].exists();
  return (await describeTable(dynamo, keptName(stackName, kept))) !== undefined;
}
