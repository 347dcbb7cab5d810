import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { type Clock, MINUTE_MS, parseJson, SECOND_MS } from '#shared/kernel';
import { findStack } from '../../../aws/deploy/deployed-stack.ts';
import { removeSecrets, secretPlaces } from '../../../aws/deploy/prepare-secrets.ts';
import { signedCall } from '../../../aws/deploy/signed-call.ts';
import { existingTables } from '../../../aws/deploy/tables-left.ts';
import { dataStackName } from '../../../aws/names.ts';
import { StepStopped } from '../account.ts';
import { jsonText, listOf } from '../json-parts.ts';
import { LeftBehind } from '../play-steps.ts';
import { awsRefusal } from './aws-refusal.ts';
import type { OwnStack } from './aws-stage.ts';

const ATTEMPTS = 3;
const SETTLE_MS = 20 * MINUTE_MS;
const LOOK_MS = 3 * SECOND_MS;
/**
 * Prefixes that CloudFormation, Lambda and the stand-in put before the stack's name in the names of log groups.
 */
const LOG_PREFIXES = ['', '/aws/lambda/', '/aws/cloudformation/'];

/** Removes all resources of the stack. Ctrl-C does not interrupt the requests. @throws LeftBehind */
export async function removeStack(stack: OwnStack, clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const left = await removeOnce(stack, clock);
    if (left === undefined) return;
    if (attempt === ATTEMPTS) throw new LeftBehind(`The stack ${stack.name} remains (${left}).`);
  }
}

/** @returns the remaining resources or the reason, in words; `undefined` if all are removed */
async function removeOnce(stack: OwnStack, clock: Clock): Promise<string | undefined> {
  try {
    await settle(stack.name, clock);
    const isRun = await destroyed(stack);
    await removeSecrets(secretPlaces(stack.name));
    await removeLogs(stack.name);
    const left = await leftovers(stack.name);
    if (left.length > 0) return left.join(', ');
    return isRun ? undefined : 'npm run destroy fails';
  } catch (error) {
    const refusal = awsRefusal(error);
    if (refusal === undefined) throw error;
    return refusal.code;
  }
}

async function destroyed(stack: OwnStack): Promise<boolean> {
  const left = await leftovers(stack.name);
  if (!left.some((what) => what === 'stack' || what === 'table')) return true;
  try {
    await stack.script('destroy', { flags: ['--with-data'], input: `${stack.name}\n` });
    return true;
  } catch (error) {
    if (error instanceof StepStopped) return false;
    throw error;
  }
}

/** Waits until the stack no longer changes, because a changing stack cannot be deleted. */
async function settle(name: string, clock: Clock): Promise<void> {
  const untilMs = clock.monotonic() + SETTLE_MS;
  for (const each of [name, dataStackName(name)])
    for (;;) {
      const { status = '' } = (await findStack(each)) ?? {};
      if (!/_IN_PROGRESS$/.test(status) || status === 'REVIEW_IN_PROGRESS') break;
      if (clock.monotonic() > untilMs) return;
      await clock.sleep(LOOK_MS);
    }
}

/** Resources of the stack that still exist, by kind. */
async function leftovers(stackName: string): Promise<readonly string[]> {
  const stacks = await Promise.all([stackName, dataStackName(stackName)].map(findStack));
  const tables = await existingTables(new DynamoDBClient(AWS_TIMEOUTS), { stackName });
  const places = Object.values(secretPlaces(stackName)).flatMap((place) => Object.values(place));
  const secrets = await Promise.all(places.map((place) => place.exists()));
  return [
    ...stacks.flatMap((stack) => (stack ? ['stack'] : [])),
    ...tables.map(() => 'table'),
    ...secrets.flatMap((isThere) => (isThere ? ['secret'] : [])),
    ...(await logGroups(stackName)).map(() => 'log group'),
  ];
}

/** Removes the logs. `npm run destroy` keeps them, because an installation needs them. */
async function removeLogs(stackName: string): Promise<void> {
  for (const logGroupName of await logGroups(stackName)) await logs('DeleteLogGroup', { logGroupName });
}

async function logGroups(stackName: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const prefix of LOG_PREFIXES) {
    let nextToken: string | undefined;
    do {
      const page = await logs('DescribeLogGroups', {
        logGroupNamePrefix: prefix + stackName,
        ...(nextToken !== undefined && { nextToken }),
      });
      for (const group of listOf(page, 'logGroups')) names.push(jsonText(group, 'logGroupName') ?? '');
      nextToken = jsonText(page, 'nextToken');
    } while (nextToken !== undefined);
  }
  return names;
}

async function logs(action: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` };
  return parseJson(await signedCall({ service: 'logs', headers, body: JSON.stringify(body) }));
}
