import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { filled } from '../../text-row.ts';
import { ConfigurationError } from '../configuration-faults.ts';
import { dataStackName } from '../names.ts';
import {
  type Ask,
  type Command,
  contextArgs,
  isTerminal,
  readCommand,
  runCdk,
  runCommand,
  settleAccess,
} from './command.ts';
import { existingSecrets, removeSecrets, secretDocuments } from './secrets.ts';
import {
  deleteTable,
  existingTables,
  type FoundStack,
  findStack,
  messagesWaiting,
  unprotectStack,
} from './stacks.ts';

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
  if (!compute) {
    // A first deployment writes the secrets before it creates a stack.
    const secrets = await existingSecrets(secretDocuments(stackName));
    const isKept = data !== undefined || tables.length > 0 || secrets.length > 0;
    if (!isKept) throw new ConfigurationError('no-stack', { stackName });
    if (!withData) throw new ConfigurationError('no-stack-but-data', { stackName });
  }
  const waiting = await messagesWaiting(stackName);
  console.log(destructionLines({ stackName, stack: compute ?? data, waiting, withData }).join('\n'));
  const yes = command.flags.has('yes');
  await agreeToDestroy({ stackName, yes, withData, ask: withData || isTerminal() ? ask : undefined });
  if (compute) await destroyStack(command, stackName);
  if (withData) {
    await removeData(command);
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

export const DESTRUCTION_TEXTS = {
  deleted: '{where} stack {stackName} ({status}) will be deleted{withData}:',
  functions: '  - the functions, alarms and the dashboard; logs stay until their retention ends',
  queues:
    '  - the queues, with {waiting} messages: their work is lost, including privacy deletions and merges',
  stays:
    "What stays: {data} with ledger, answers, records and journal, the webhook's address, the time of installation, and the keys.",
  'deploy-soon': 'Without functions, HubSpot repeats each delivery for a day: deploy again within that day.',
};

export const LOST_WITH_DATA = {
  ledger: '  - the ledger: afterwards, spend can be neither shown nor proved',
  answers: '  - all paid answers: to get them again, you pay again',
  suppressions: '  - the suppression list: forgotten people would be looked up again',
  records:
    '  - the state of each record, and the write journal: afterwards, no write can be undone or explained',
  keys: '  - the keys, and the webhook address: HubSpot needs the next address',
  'no-way-back': 'Only logs stay, until their retention ends, and there is no way back.',
  export: 'Export the ledger first, if you may need it: npm run -s cli -- ledger export --stack {stackName}',
};

/** Lists the place, everything that is deleted, and everything that stays. */
export function destructionLines({
  stackName,
  stack,
  waiting,
  withData,
}: {
  stackName: string;
  stack: FoundStack | undefined;
  waiting: number;
  withData: boolean;
}): readonly string[] {
  const where = stack ? `In account ${stack.accountId}, region ${stack.region}, the` : 'The';
  const data = dataStackName(stackName);
  const status = stack?.status ?? 'gone already';
  const named = { stackName, status, data };
  return [
    filled(DESTRUCTION_TEXTS.deleted, { ...named, where, withData: withData ? `, and ${data} with it` : '' }),
    DESTRUCTION_TEXTS.functions,
    filled(DESTRUCTION_TEXTS.queues, { waiting }),
    ...(withData
      ? Object.values(LOST_WITH_DATA).map((row) => filled(row, named))
      : [filled(DESTRUCTION_TEXTS.stays, named), DESTRUCTION_TEXTS['deploy-soon']]),
  ];
}

/**
 * Asks the person to type the stack's name. If the data is deleted too, `--yes` does not replace this.
 * @param wish.ask absent without a terminal
 * @throws ConfigurationError if the person does not agree
 */
export async function agreeToDestroy(wish: {
  readonly stackName: string;
  readonly yes: boolean;
  readonly withData: boolean;
  readonly ask: Ask | undefined;
}): Promise<void> {
  const { stackName, yes, withData, ask } = wish;
  if (yes && !withData) return;
  if (!ask) throw new ConfigurationError('no-terminal', {});
  const answer = await ask(`Type the name of the stack to delete it: `);
  if (answer.trim() !== stackName) throw new ConfigurationError('other-name', {});
}

/**
 * Deletes the data stack, the tables that it leaves, and the secrets. Deletes the stack last, so that a second run
 * after an interruption finds everything.
 */
async function removeData(command: Command): Promise<void> {
  const { settings } = command;
  const dynamo = new DynamoDBClient(AWS_TIMEOUTS);
  for (const name of await existingTables(dynamo, settings)) await deleteTable(dynamo, name);
  await removeSecrets(secretDocuments(settings.stackName));
  const name = dataStackName(settings.stackName);
  if (!(await findStack(name))) return;
  await unprotectStack(name);
  await destroyStack(command, name);
}

if (import.meta.main) await runCommand(destroy);
