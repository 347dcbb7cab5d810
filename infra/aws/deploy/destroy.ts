import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';
import { dataStackName } from '../names.ts';
import { settleAccess } from './access.ts';
import { type Command, contextArgs, readCommand, runCdk, runCommand } from './cdk-command.ts';
import { findStack } from './deployed-stack.ts';
import { agreeToDestroy, destructionLines } from './destruction.ts';
import { messagesWaiting } from './messages-waiting.ts';
import { removeData } from './remove-data.ts';
import { existingTables } from './tables-left.ts';
import { type Ask, isTerminal } from './terminal.ts';

/** Removes the stack that can be created again. With `--with-data`, it also removes all stored data. */
export async function destroy(args: readonly string[], ask: Ask): Promise<void> {
  const command = readCommand(args, ['yes', 'with-data']);
  await settleAccess(process.env, ask);
  const { settings } = command;
  const { stackName } = settings;
  const withData = command.flags.has('with-data');
  const compute = await findStack(stackName);
  const data = await findStack(dataStackName(stackName));
  const tables = await existingTables(new DynamoDBClient(AWS_TIMEOUTS), settings);
  const isKept = data !== undefined || tables.length > 0;
  if (!compute && !(withData && isKept)) {
    if (!isKept) throw new ConfigurationError('no-stack', { stackName });
    throw new ConfigurationError('no-stack-but-data', { stackName, data: dataStackName(stackName) });
  }
  const waiting = await messagesWaiting(stackName);
  console.log(destructionLines({ stackName, stack: compute ?? data, waiting, withData }).join('\n'));
  const yes = command.flags.has('yes');
  await agreeToDestroy({ stackName, yes, withData, ask: withData || isTerminal() ? ask : undefined });
  if (compute) await destroyStack(command, stackName);
  if (withData) {
    await removeData({ settings, destroyStack: (name) => destroyStack(command, name) });
    return console.log(`Only logs of ${stackName} are left, until their retention ends.`);
  }
  console.log(`
Kept: the stack ${dataStackName(stackName)} with the tables and the webhook's address, and the secrets. npm run deploy continues with them, a minute from now at the earliest: for so long SQS does not give the queues' names again.
The questions hold answers about people. To delete everything for good: npm run destroy -- --with-data`);
}

async function destroyStack(command: Command, name: string): Promise<void> {
  await runCdk(['destroy', name, '--exclusively', '--force', ...contextArgs(command)]);
  if (await findStack(name)) throw new ConfigurationError('stack-remains', { stackName: name });
}

if (import.meta.main) await runCommand(destroy);
