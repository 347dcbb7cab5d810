import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { secretName } from '#shared/secrets';
import { existingSecrets, secretDocuments } from '../../../infra/aws/deploy/secrets.ts';
import { BOOTSTRAP_STACK, existingTables, findStack, isInChange } from '../../../infra/aws/deploy/stacks.ts';
import { dataStackName, PROJECT_ROOT, secretPrefix } from '../../../infra/aws/names.ts';
import { eventually, holds } from './checklist.ts';
import { logGroups } from './lambda.ts';
import type { Processes } from './processes.ts';
import { askLogs } from './signed.ts';

/** Marks what a run has bootstrapped. Its value is the name of the run's installation. */
export const BOOTSTRAP_TAG = 'crm-enrichment-test';
/** Longest wait for a change of a stack. */
const CHANGED_WITHIN_S = 1_800;

/** Removes an installation of this test, its log groups, and what the run has bootstrapped. @returns what is left */
export async function removeAll(name: string, processes: Processes): Promise<readonly string[]> {
  const attempt = async (what: string, step: () => Promise<unknown>) => {
    await step().catch((error: Error) => console.log(`Not removed: ${what}. ${error.message}`));
  };
  await attempt('the stacks and tables', async () => {
    await settled([name, dataStackName(name), BOOTSTRAP_STACK]);
    if ((await installed(name)).length > 0) await destroy(name, processes);
  });
  await attempt('the log groups', async () => {
    for (const logGroupName of await logGroups(name)) await askLogs('DeleteLogGroup', { logGroupName });
  });
  // Its roles delete the stacks, so it stays as long as they do.
  if ((await installed(name)).length === 0)
    await attempt('what was bootstrapped', () => removeBootstrap(name));
  return whatIsLeft(name);
}

async function whatIsLeft(name: string): Promise<readonly string[]> {
  const logs = await logGroups(name);
  const bootstrap = await bootstrapOf(name);
  return [
    ...(await installed(name)),
    ...logs.map((group) => `log group ${group}`),
    ...(bootstrap ? [`stack ${BOOTSTRAP_STACK}, bucket ${bootstrap.bucket}`] : []),
  ];
}

/** What `npm run destroy -- --with-data` removes. */
async function installed(name: string): Promise<readonly string[]> {
  const stacks: string[] = [];
  for (const each of [name, dataStackName(name)]) if (await findStack(each)) stacks.push(`stack ${each}`);
  const tables = await existingTables(new DynamoDBClient(), { stackName: name });
  const secrets = await existingSecrets(secretDocuments(name));
  return [
    ...stacks,
    ...tables.map((table) => `table ${table}`),
    ...secrets.map((key) => `parameter ${secretName(secretPrefix(name), key)}`),
  ];
}

/** Waits for the end of the changes that a killed command has started. */
async function settled(names: readonly string[]): Promise<void> {
  for (const name of names)
    await eventually(
      `The end of a change of ${name}`,
      async () => {
        const stack = await findStack(name);
        return stack && isInChange(stack) ? { seen: stack.status } : { done: undefined };
      },
      { withinS: CHANGED_WITHIN_S },
    );
}

async function destroy(name: string, processes: Processes): Promise<void> {
  const args = ['infra/aws/deploy/destroy.ts', '--with-data', '-c', `stackName=${name}`];
  const { code, output } = await processes.run([process.execPath, ...args], {
    cwd: PROJECT_ROOT,
    env: process.env,
    input: `${name}\n`,
    withinMs: CHANGED_WITHIN_S * 1_000,
  });
  holds(code === 0, `destroy ended with ${code}: ${output.trim().slice(-2_000)}`);
}

/** The stack of `cdk bootstrap`, if this run has created it. A failed creation may have no bucket. */
async function bootstrapOf(name: string): Promise<{ readonly bucket: string | undefined } | undefined> {
  if (!(await findStack(BOOTSTRAP_STACK))) return undefined;
  const described = new DescribeStacksCommand({ StackName: BOOTSTRAP_STACK });
  const { Stacks: [stack] = [] } = await new CloudFormationClient().send(described);
  const isOwn = stack?.Tags?.some(({ Key, Value }) => Key === BOOTSTRAP_TAG && Value === name) ?? false;
  return isOwn
    ? { bucket: stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BucketName')?.OutputValue }
    : undefined;
}

/** Removes the bucket first, because its name is known from the stack only, and the stack leaves it. */
async function removeBootstrap(name: string): Promise<void> {
  const found = await bootstrapOf(name);
  if (!found) return;
  if (found.bucket !== undefined) await removeBucket(found.bucket);
  const client = new CloudFormationClient();
  await client.send(new DeleteStackCommand({ StackName: BOOTSTRAP_STACK }));
  const wait = { client, maxWaitTime: CHANGED_WITHIN_S };
  await waitUntilStackDeleteComplete(wait, { StackName: BOOTSTRAP_STACK });
}

async function removeBucket(Bucket: string): Promise<void> {
  const client = new S3Client();
  const listed = async () => {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket }),
    );
    return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  };
  try {
    for (let Objects = await listed(); Objects.length > 0; Objects = await listed())
      await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    await client.send(new DeleteBucketCommand({ Bucket }));
  } catch (error) {
    // An interrupted removal has deleted it before.
    if (!(error instanceof Error && error.name === 'NoSuchBucket')) throw error;
  }
}
