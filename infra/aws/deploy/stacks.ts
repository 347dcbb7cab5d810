import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { LANES } from '#shared/crm';
import { AWS_TIMEOUTS } from '#shared/http';
import { TABLE_NAMES } from '#shared/store';
import { ConfigurationError } from '../configuration-faults.ts';
import { dataStackName, LANE_IDS, tableName } from '../names.ts';
import type { Settings } from '../schemas.ts';
import type { Ask, Command } from './command.ts';
import { refuseForgotten, refuseOtherFormat } from './installed.ts';

export interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A stack in any state. Even a stack whose creation or deletion failed blocks its name. */
export interface FoundStack {
  readonly status: string;
  readonly accountId: string;
  readonly region: string;
}

/** States of a stack whose creation failed or that is being deleted. Such a stack counts as missing. */
const GONE = /^(?:ROLLBACK|DELETE|REVIEW)_|^CREATE_FAILED$/;

/** Returns the stack of this name, or `undefined` if none is in use. */
export async function describeStack(stackName: string): Promise<DeployedStack | undefined> {
  const stack = await stackOf(new CloudFormationClient(AWS_TIMEOUTS), stackName);
  if (!stack || GONE.test(stack.StackStatus ?? '')) return undefined;
  const { Outputs = [], Parameters = [] } = stack;
  return {
    outputs: Object.fromEntries(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
    parameters: Object.fromEntries(
      Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
    ),
  };
}

/** Returns the stack of this name, even if its creation or deletion failed. */
export async function findStack(stackName: string): Promise<FoundStack | undefined> {
  const stack = await stackOf(new CloudFormationClient(AWS_TIMEOUTS), stackName);
  if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
  // arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>
  const [, , , region = '', accountId = ''] = (stack.StackId ?? '').split(':');
  return { status: stack.StackStatus ?? '', accountId, region };
}

/** Whether CloudFormation can still create or delete resources of the stack. */
export function isInChange({ status }: FoundStack): boolean {
  return /_IN_PROGRESS$/.test(status) && status !== 'REVIEW_IN_PROGRESS';
}

/** Removes the termination protection, so that the stack can be deleted. */
export async function unprotectStack(StackName: string): Promise<void> {
  const EnableTerminationProtection = false;
  const command = new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection });
  await new CloudFormationClient(AWS_TIMEOUTS).send(command);
}

async function resourcesOfStack(StackName: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const client = new CloudFormationClient(AWS_TIMEOUTS);
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { PhysicalResourceId, ResourceStatus = '' } of StackResourceSummaries)
      if (PhysicalResourceId !== undefined && !/^DELETE_/.test(ResourceStatus)) ids.add(PhysicalResourceId);
  }
  return ids;
}

async function stackOf(client: CloudFormationClient, StackName: string) {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    // CloudFormation has no specific error for a missing stack.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** Refuses the example address of the data service, before the command asks for a code. @throws ConfigurationError */
export function refuseExample({ settings: { dataServiceBaseUrl } }: Command): void {
  if (!new URL(dataServiceBaseUrl).hostname.endsWith('.example')) return;
  throw new ConfigurationError('example-address', {});
}

/**
 * Reads the functions' stack before a deployment, or before a comparison. Reads the settings to keep from the data
 * stack, which exists even without functions.
 * @throws ConfigurationError if the data have another format, or if settings differ from the installation's and the
 * command does not confirm the change
 */
export async function stackBefore(command: Command): Promise<DeployedStack | undefined> {
  const { stackName } = command.settings;
  const data = await describeStack(dataStackName(stackName));
  refuseOtherFormat(data?.outputs);
  refuseForgotten(data?.outputs, command);
  return describeStack(stackName);
}

/** The stack of `cdk bootstrap`. Every deployment needs it, because it stores the functions' code. */
export const BOOTSTRAP_STACK = 'CDKToolkit';

/**
 * Asks a person to agree to `cdk bootstrap`. The command creates a role with all rights. CloudFormation uses it for
 * all CDK deployments in this account and region.
 * @returns whether bootstrapping is needed
 * @throws ConfigurationError if the person does not agree
 */
export async function agreeToBootstrap({ flags }: Pick<Command, 'flags'>, ask: Ask): Promise<boolean> {
  if (await describeStack(BOOTSTRAP_STACK)) return false;
  if (flags.has('bootstrap')) return true;
  const answer = await ask(
    `This account and region have no stack ${BOOTSTRAP_STACK}. "cdk bootstrap" creates it: a bucket, a repository, and roles, one of them with all rights for CloudFormation. Type yes to bootstrap: `,
  );
  if (answer.trim() === 'yes') return true;
  throw new ConfigurationError('not-bootstrapped', {});
}

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
  { settings, tables }: { settings: Installation; tables: readonly string[] },
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

export async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client, maxWaitTime: CHANGED_WITHIN_S }, { TableName });
  await client.send(new DeleteTableCommand({ TableName }));
}

const COUNTED: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
];

/** Counts the messages in the queues of an installation, including dead letters. 0 if the stack does not exist. */
export async function messagesWaiting(stackName: string): Promise<number> {
  const { outputs = {} } = (await describeStack(stackName)) ?? {};
  const sqs = new SQSClient(AWS_TIMEOUTS);
  let waiting = 0;
  for (const lane of LANES) {
    for (const kind of ['QueueUrl', 'DeadLettersUrl']) {
      const QueueUrl = outputs[`${LANE_IDS[lane]}${kind}`];
      if (QueueUrl === undefined) continue;
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: COUNTED });
      const { Attributes = {} } = await sqs.send(command);
      for (const name of COUNTED) waiting += Number(Attributes[name] ?? 0);
    }
  }
  return waiting;
}
