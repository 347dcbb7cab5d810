import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import {
  DescribeSecretCommand,
  ResourceNotFoundException as SecretNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { DeployedStack } from './deployed-stack.ts';
import { KEPT_LOGICAL_IDS, keptName } from './names.ts';
import { KEPT, type Kept, type Settings } from './schemas.ts';

/**
 * What an earlier stack left behind, and the one of now does not have: to be adopted by its name. CloudFormation
 * could import it too, but not in the same step in which it creates the rest, everywhere the stack is run.
 */
export async function leftBehind(
  { stackName, secretSource }: Pick<Settings, 'stackName' | 'secretSource'>,
  stack: Pick<DeployedStack, 'resources'> | undefined,
): Promise<readonly Kept[]> {
  const found: Kept[] = [];
  for (const kept of KEPT) {
    if (stack?.resources.has(KEPT_LOGICAL_IDS[kept])) continue;
    // A parameter of SSM is never in a stack.
    if (kept === 'secret' && secretSource === 'ssm') continue;
    const name = keptName(stackName, kept);
    if (kept === 'secret' ? await secretExists(name) : await tableExists(name)) found.push(kept);
  }
  return found;
}

async function tableExists(TableName: string): Promise<boolean> {
  try {
    await new DynamoDBClient().send(new DescribeTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

async function secretExists(SecretId: string): Promise<boolean> {
  try {
    await new SecretsManagerClient().send(new DescribeSecretCommand({ SecretId }));
    return true;
  } catch (error) {
    if (error instanceof SecretNotFoundException) return false;
    throw error;
  }
}
