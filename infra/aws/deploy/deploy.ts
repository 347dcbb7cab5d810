import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readAlarmSubscriptions } from '#shared/alerts/adapters';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError, loadConfiguration } from '../configuration.ts';
import { dataStackName, tableName } from '../names.ts';
import { SECRET_SOURCES } from '../schemas.ts';
import { settleAccess } from './access.ts';
import { writeApp } from './app-files.ts';
import { refuseExample, stackBefore } from './before.ts';
import { type Command, contextArgs, readCommand, runCdk, runCommand } from './cdk-command.ts';
import { type DeployedStack, describeStack, findStack, unprotectStack } from './deployed-stack.ts';
import { type Deployment, deploymentReport, secretLines } from './deployment-report.ts';
import { prepareSecrets, type SecretsPrepared, secretPlaces } from './prepare-secrets.ts';
import { existingTables } from './tables-left.ts';
import { askOnce } from './terminal.ts';

/** The stack of `cdk bootstrap`, which holds what every deployment needs: a place for the functions' code. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** From nothing, or from what is there, to a webhook URL and functions behind it. */
async function deploy(): Promise<void> {
  const command = readCommand(process.argv.slice(2), ['replace-secrets']);
  refuseExample(command);
  const { whom } = await loadConfiguration(command.settings);
  await settleAccess(process.env, askOnce);
  const { stackName } = command.settings;
  for (const name of [stackName, dataStackName(stackName)]) await refuseHalfDeleted(name);
  const before = await stackBefore(command);
  const tables = await existingTables(new DynamoDBClient(AWS_TIMEOUTS), stackName);
  await refuseStrangers(command, tables);
  const secrets = await secretsOf(command, before, tables);
  for (const line of secretLines({ command, secrets })) console.log(line);
  await synthesise(command);
  const data = await deployData(command);
  const address = command.settings.publicUrl ?? data.outputs['WebhookUrl'];
  console.log(`\nWebhook URL: ${address}\n`);
  // HubSpot cannot reach a stand-in for AWS.
  if (address !== undefined && process.env['AWS_ENDPOINT_URL'] === undefined)
    for (const line of writeApp({ address, whom })) console.log(`${line}\n`);
  await runCdk(['deploy', stackName, ...MADE, '--exclusively', ...UNASKED]);
  const { outputs } = await deployed(stackName);
  const alarmMail = await alarmMailOf(outputs);
  console.log(deploymentReport({ command, outputs, secrets, alarmMail }).join('\n'));
}

/** The stack is deployed. If AWS refuses the read, the report says so. */
async function alarmMailOf(outputs: DeployedStack['outputs']): Promise<Deployment['alarmMail']> {
  try {
    return await readAlarmSubscriptions(outputs['AlarmTopic'] ?? '', AWS_TIMEOUTS);
  } catch (error) {
    return { unread: error instanceof Error ? error.name : String(error) };
  }
}

async function refuseHalfDeleted(name: string): Promise<void> {
  if ((await findStack(name))?.status === 'DELETE_FAILED')
    throw new ConfigurationError(`The stack ${name} is half deleted: npm run destroy once more first.`);
}

async function secretsOf(
  { settings, flags }: Command,
  before: DeployedStack | undefined,
  tables: readonly string[],
): Promise<SecretsPrepared> {
  const { stackName, secretSource } = settings;
  const keyed = [tableName(stackName, 'questions'), tableName(stackName, 'suppression')];
  const used = before?.outputs['SecretSource'];
  return prepareSecrets({
    places: secretPlaces(stackName),
    source: secretSource,
    usedSource: SECRET_SOURCES.find((source) => source === used),
    keyedTable: keyed.find((name) => tables.includes(name)),
    environment: process.env,
    replace: flags.has('replace-secrets'),
  });
}

/** What was made once is used by all: no second synthesis. */
const MADE = ['--app', 'cdk.out'];
const UNASKED = ['--require-approval', 'never'];

async function synthesise(command: Command): Promise<void> {
  await runCdk(['synth', '--quiet', ...contextArgs(command)]);
  if (!(await describeStack(BOOTSTRAP_STACK))) await runCdk(['bootstrap', ...MADE]);
}

/** Nobody's tables are taken over, or begun anew, unawares. @throws ConfigurationError */
async function refuseStrangers({ settings }: Command, tables: readonly string[]): Promise<void> {
  const name = dataStackName(settings.stackName);
  if (tables.length === 0 || (await describeStack(name))) return;
  throw new ConfigurationError(
    `There is no stack ${name}, but its tables are there: ${tables.join(', ')}. A creation that failed leaves tables behind: remove them with npm run destroy -- --with-data. If you need what they hold, choose another stack name: -c stackName=...`,
  );
}

/** First, because the functions look up what it tells. */
async function deployData({ settings }: Command): Promise<DeployedStack> {
  const name = dataStackName(settings.stackName);
  const found = await findStack(name);
  // The CDK deletes what could not be created before it begins anew; nothing was ever stored under it.
  if (found && /^(?:ROLLBACK_|CREATE_FAILED)/.test(found.status)) await unprotectStack(name);
  const installedAt = (await describeStack(name))?.parameters['InstalledAt'] ?? new Date().toISOString();
  const parameters = ['--parameters', `InstalledAt=${installedAt}`];
  await runCdk(['deploy', name, ...MADE, ...UNASKED, ...parameters]);
  return deployed(name);
}

async function deployed(name: string): Promise<DeployedStack> {
  const stack = await describeStack(name);
  if (!stack) throw new ConfigurationError(`The stack ${name} is not there after its deployment.`);
  return stack;
}

await runCommand(deploy);
