import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readAlarmSubscriptions } from '#shared/alerts/adapters';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError, loadConfiguration } from '../configuration.ts';
import { dataStackName, usedTable } from '../names.ts';
import { settleAccess } from './access.ts';
import { writeApp } from './app-files.ts';
import { refuseExample, stackBefore } from './before.ts';
import { agreeToBootstrap } from './bootstrap.ts';
import { type Command, contextArgs, readCommand, runCdk, runCommand } from './cdk-command.ts';
import { checkKeys } from './check-keys.ts';
import { type DeployedStack, describeStack, findStack, unprotectStack } from './deployed-stack.ts';
import { type Deployment, deploymentReport, secretLines } from './deployment-report.ts';
import { examine } from './examine.ts';
import { prepareSecrets, secretDocuments } from './prepare-secrets.ts';
import { valueIn } from './secret-documents.ts';
import type { Filling } from './secret-values.ts';
import { existingTables, removeEmptyStrays, restoredTables } from './tables-left.ts';
import type { Ask } from './terminal.ts';

const FLAGS = ['replace-secrets', 'bootstrap', 'second-installation', 'take-over-tables', 'skip-doctor'];

/** Deploys both stacks, for the first time or again. At the end the webhook URL works. */
export async function deploy(args: readonly string[], ask: Ask): Promise<void> {
  const command = readCommand(args, FLAGS);
  refuseExample(command);
  const { whom } = await loadConfiguration(command.settings);
  await settleAccess(process.env, ask);
  const { stackName } = command.settings;
  for (const name of [stackName, dataStackName(stackName)]) await refuseUnready(name);
  const before = await stackBefore(command);
  const mustBootstrap = await agreeToBootstrap(command, ask);
  const tables = await tablesBefore(command);
  const secrets = await secretsOf(command, before, tables);
  for (const line of secretLines({ command, secrets })) console.log(line);
  await runCdk(['synth', '--quiet', ...contextArgs(command)]);
  if (mustBootstrap) await runCdk(['bootstrap', ...MADE]);
  const data = await deployData(command);
  const address = command.settings.publicUrl ?? data.outputs['WebhookUrl'];
  console.log(`\nWebhook URL: ${address}\n`);
  // Skips the app for a stand-in of AWS, because HubSpot cannot reach it.
  if (address !== undefined && process.env['AWS_ENDPOINT_URL'] === undefined)
    for (const line of writeApp({ address, whom })) console.log(`${line}\n`);
  await runCdk(['deploy', stackName, ...MADE, '--exclusively', ...UNASKED]);
  const { outputs } = await deployed(stackName);
  const alarmMail = await alarmMailOf(outputs);
  console.log(deploymentReport({ command, outputs, secrets, alarmMail }).join('\n'));
  const isSkipped = command.flags.has('skip-doctor');
  process.exitCode = await examine({ stackName, missing: secrets.missing, isSkipped });
}

/** Reads the subscriptions of the alarm topic. The stack is already deployed, so a refusal of AWS is only reported. */
async function alarmMailOf(outputs: DeployedStack['outputs']): Promise<Deployment['alarmMail']> {
  try {
    return await readAlarmSubscriptions(outputs['AlarmTopic'] ?? '', AWS_TIMEOUTS);
  } catch (error) {
    return { unread: error instanceof Error ? error.name : String(error) };
  }
}

async function refuseUnready(name: string): Promise<void> {
  const { status = '' } = (await findStack(name)) ?? {};
  if (status === 'DELETE_FAILED') throw new ConfigurationError('half-deleted', { stackName: name });
  // Until a change ends, CloudFormation can still create or delete resources of the stack.
  if (/_IN_PROGRESS$/.test(status) && status !== 'REVIEW_IN_PROGRESS')
    throw new ConfigurationError('stack-in-change', { stackName: name, status });
}

async function secretsOf(
  { settings, flags }: Command,
  before: DeployedStack | undefined,
  tables: readonly string[],
): Promise<Filling> {
  const { stackName, kmsKeyArn } = settings;
  const documents = secretDocuments(stackName, { ...AWS_TIMEOUTS, kmsKeyArn });
  const keyed = [usedTable(settings, 'state'), usedTable(settings, 'proof')];
  return prepareSecrets({
    documents,
    isDeployed: before !== undefined,
    keyedTable: keyed.find((name) => tables.includes(name)),
    environment: process.env,
    replace: flags.has('replace-secrets'),
    check: (written) =>
      checkKeys(written, {
        settings,
        installationSecret: () => valueIn(documents.installationSecret, 'installationSecret'),
        isSecondMeant: flags.has('second-installation'),
        warn: (line) => console.log(line),
      }),
  });
}

/** Uses the stacks that were already synthesised, so that there is no second synthesis. */
const MADE = ['--app', 'cdk.out'];
const UNASKED = ['--require-approval', 'never'];

/** Lists the existing tables. Removes empty tables that a failed creation left. @throws ConfigurationError */
async function tablesBefore({ settings, flags }: Command): Promise<readonly string[]> {
  const client = new DynamoDBClient(AWS_TIMEOUTS);
  const tables = await existingTables(client, settings);
  const lacking = restoredTables(settings).filter((name) => !tables.includes(name));
  if (lacking.length > 0) throw new ConfigurationError('no-table', { tables: lacking.join(', ') });
  if (flags.has('take-over-tables')) return tables;
  const removed = await removeEmptyStrays(client, { settings, tables });
  if (removed.length > 0)
    console.log(`Removed, because no stack owns them and they hold nothing: ${removed.join(', ')}.`);
  return tables.filter((name) => !removed.includes(name));
}

/** Deploys the data stack. It comes first, because the functions need its parameters. */
async function deployData({ settings, flags }: Command): Promise<DeployedStack> {
  const name = dataStackName(settings.stackName);
  const found = await findStack(name);
  // Before a retry, the CDK deletes a stack whose creation failed. Such a stack contains no data.
  if (found && /^(?:ROLLBACK_|CREATE_FAILED)/.test(found.status)) await unprotectStack(name);
  const installedAt = (await describeStack(name))?.parameters['InstalledAt'] ?? new Date().toISOString();
  const parameters = ['--parameters', `InstalledAt=${installedAt}`];
  const takenOver = flags.has('take-over-tables') ? ['--import-existing-resources'] : [];
  await runCdk(['deploy', name, ...MADE, ...UNASKED, ...parameters, ...takenOver]);
  return deployed(name);
}

async function deployed(name: string): Promise<DeployedStack> {
  const stack = await describeStack(name);
  if (!stack) throw new ConfigurationError('stack-not-made', { stackName: name });
  return stack;
}

if (import.meta.main) await runCommand(deploy);
