import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import {
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  type GetFunctionConfigurationCommandOutput,
  InvokeCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { TABLE_NAMES } from '#shared/store';
import { LIVE_ALIAS, tableName } from '../../../infra/aws/names.ts';
import { eventually, holds, PATIENCE_S } from './checklist.ts';
import { askLogs } from './signed.ts';
import { STACK } from './stack.ts';

/** Calls a function once and waits for its result. @throws Error with the function's error */
export async function invoke(FunctionName: string, event: unknown): Promise<unknown> {
  const client = new LambdaClient({ maxAttempts: 1 });
  const answer = await client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  const text = answer.Payload?.transformToString() ?? '';
  holds(answer.FunctionError === undefined, `${FunctionName} failed: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

export async function configurationOf(FunctionName: string): Promise<GetFunctionConfigurationCommandOutput> {
  return new LambdaClient().send(new GetFunctionConfigurationCommand({ FunctionName }));
}

/** The version to which the function's alias points. */
export async function liveVersion(FunctionName: string): Promise<string | undefined> {
  const command = new GetAliasCommand({ FunctionName, Name: LIVE_ALIAS });
  return (await new LambdaClient().send(command)).FunctionVersion;
}

/** The names of the log groups that contain the stack's name, or of all. */
export async function logGroups(stackName?: string): Promise<readonly string[]> {
  const wanted = stackName === undefined ? {} : { logGroupNamePattern: stackName };
  type Listed = { readonly logGroups?: readonly { readonly logGroupName: string }[] };
  const listed = await askLogs<Listed>('DescribeLogGroups', wanted);
  return (listed.logGroups ?? []).map(({ logGroupName }) => logGroupName);
}

/** Every line in the log groups of an installation, or of all. */
export async function logLines(stackName?: string): Promise<readonly string[]> {
  const names = await logGroups(stackName);
  const events = await Promise.all(
    names.map((logGroupName) =>
      askLogs<{ events?: { message: string }[] }>('FilterLogEvents', { logGroupName, limit: 10_000 }),
    ),
  );
  return events.flatMap(({ events: found = [] }) => found.map(({ message }) => message));
}

/** Waits for a log line of an installation with all these parts. A function's lines arrive when its call has ended. */
export async function untilLogged(stackName: string, ...services: readonly string[]): Promise<void> {
  await eventually(
    `A log line with ${services.join(' and ')}`,
    async () => {
      const lines = await logLines(stackName);
      const isThere = lines.some((line) => services.every((part) => line.includes(part)));
      return isThere ? { done: true } : { seen: `${lines.length} others` };
    },
    { withinS: PATIENCE_S },
  );
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
