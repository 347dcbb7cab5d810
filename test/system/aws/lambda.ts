import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { TABLE_NAMES } from '#shared/store';
import { LIVE_ALIAS, tableName } from '../../../infra/aws/names.ts';
import { eventually, holds, PATIENCE_S } from './checklist.ts';
import { STACK } from './stack.ts';

/** The part of Lambda's HTTP API that the tests need. */
const FUNCTIONS = '/2015-03-31/functions';

/** Calls a function and waits for its result. @throws Error with the function's error */
export async function invoke(name: string, event: unknown): Promise<unknown> {
  const response = await lambda(`${FUNCTIONS}/${name}/invocations`, JSON.stringify(event));
  const text = await response.text();
  const failure = response.headers.get('x-amz-function-error');
  holds(failure === null, `${name} failed: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The fields of a function's configuration that the tests use. */
export interface FunctionConfiguration {
  readonly Role: string;
  readonly TracingConfig?: { readonly Mode: string };
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
}

export async function configurationOf(name: string): Promise<FunctionConfiguration> {
  const response = await lambda(`${FUNCTIONS}/${name}/configuration`);
  return JSON.parse(await response.text());
}

/** The version to which the function's alias points. */
export async function liveVersion(name: string): Promise<string> {
  const response = await lambda(`${FUNCTIONS}/${name}/aliases/${LIVE_ALIAS}`);
  return JSON.parse(await response.text()).FunctionVersion;
}

async function lambda(path: string, body?: string): Promise<Response> {
  const init = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}${path}`, init);
  holds(
    response.ok,
    `Lambda answered ${response.status} to ${path}: ${response.ok ? '' : await response.text()}`,
  );
  return response;
}

/** Every line of every log group in CloudWatch Logs. */
export async function logLines(): Promise<readonly string[]> {
  const { logGroups = [] } = await ask<{ logGroups?: { logGroupName: string }[] }>('DescribeLogGroups', {});
  const events = await Promise.all(
    logGroups.map(({ logGroupName }) =>
      ask<{ events?: { message: string }[] }>('FilterLogEvents', { logGroupName, limit: 10_000 }),
    ),
  );
  return events.flatMap(({ events: found = [] }) => found.map(({ message }) => message));
}

/** Waits for a log line with all these parts. A function's lines arrive when its call has ended. */
export async function untilLogged(...services: readonly string[]): Promise<void> {
  await eventually(
    `A log line with ${services.join(' and ')}`,
    async () => {
      const lines = await logLines();
      const isThere = lines.some((line) => services.every((part) => line.includes(part)));
      return isThere ? { done: true } : { seen: `${lines.length} others` };
    },
    { withinS: PATIENCE_S },
  );
}

/** CloudWatch Logs has no client here, because the test needs only two calls. */
async function ask<T>(action: string, parameters: unknown): Promise<T> {
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${action}`,
    },
    body: JSON.stringify(parameters),
  });
  holds(response.ok, `CloudWatch Logs answered ${response.status} to ${action}.`);
  return JSON.parse(await response.text());
}

/** Creation time of each table, in milliseconds. A replaced table is younger; a deleted one has none. */
export async function tablesMade(): Promise<Readonly<Record<string, number | undefined>>> {
  const client = new DynamoDBClient();
  const made = async (TableName: string) => {
    try {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return Table?.CreationDateTime?.getTime();
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
  const names = TABLE_NAMES.map((table) => tableName(STACK, table));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await made(name)] as const)));
}
