import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { filled as shown } from '../../text-row.ts';
import { loadConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-faults.ts';
import { dataStackName, PROJECT_ROOT, secretPrefix, usedTable } from '../names.ts';
import { writeApp } from './app-files.ts';
import { checkKeys } from './check-keys.ts';
import {
  type Ask,
  type Command,
  contextArgs,
  readCommand,
  runCdk,
  runCommand,
  runNode,
  settleAccess,
  typed,
} from './command.ts';
import { type Filling, prepareSecrets, secretDocuments, valueIn } from './secrets.ts';
import {
  agreeToBootstrap,
  type DeployedStack,
  describeStack,
  existingTables,
  findStack,
  isInChange,
  refuseExample,
  removeEmptyStrays,
  restoredTables,
  stackBefore,
  unprotectStack,
} from './stacks.ts';

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
  console.log(deploymentReport({ command, outputs, secrets }).join('\n'));
  const isSkipped = command.flags.has('skip-doctor');
  process.exitCode = await examine({ stackName, missing: secrets.missing, isSkipped });
}

async function refuseUnready(name: string): Promise<void> {
  const stack = await findStack(name);
  if (stack?.status === 'DELETE_FAILED') throw new ConfigurationError('half-deleted', { stackName: name });
  if (stack && isInChange(stack))
    throw new ConfigurationError('stack-in-change', { stackName: name, status: stack.status });
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

interface Deployment {
  readonly command: Pick<Command, 'settings' | 'overrides'>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly secrets: Filling;
}

export const REPORT_TEXTS = {
  put: 'Put into {place}: {keys}.',
  replaced: 'Replaced in {place}: {keys}.',
  kept: 'WARNING: {place} has another value than this shell for {keys}, and keeps it; to replace it:',
  'all-there': 'All keys are in {place}.',
  'not-read': 'Left as they were, and not read: {keys} in {place}.',
  'nothing-enriched': 'WARNING: nothing is enriched yet: not in {place}: {keys}.',
  'webhooks-refused': 'Until then webhooks are answered with 503; HubSpot repeats them for a day.',
  'deploy-again': 'Deploy once more with its keys, as explained below.',
  alarms: 'Alarms go to {alarmEmail} once it is confirmed, which doctor checks.',
  'no-alarms': 'WARNING: alarmEmail is not set: no one gets the alarms; deploy with',
  'own-app-unknown': 'WARNING: hubSpotAppId is not set: our writes are recognised by their fingerprint only.',
};

/** Reports the changes to the keys, before the deployment. Names variables, never values. */
export function secretLines({ command, secrets }: Omit<Deployment, 'outputs'>): readonly string[] {
  const { filled, replaced, ignored } = secrets;
  const place = placeOf(command);
  return linesOf([
    filled.length > 0 && shown(REPORT_TEXTS.put, { place, keys: filled }),
    replaced.length > 0 && shown(REPORT_TEXTS.replaced, { place, keys: replaced }),
    ignored.length > 0 && shown(REPORT_TEXTS.kept, { place, keys: ignored }),
    ignored.length > 0 && `  ${withFlag(typed('deploy', command), '--replace-secrets')}`,
  ]);
}

/** The lines whose condition holds. */
function linesOf(lines: readonly (string | false)[]): readonly string[] {
  return lines.filter((line) => line !== false);
}

/** Reports results and next steps after a deployment. Missing keys come last. */
export function deploymentReport({ command, outputs, secrets }: Deployment): readonly string[] {
  const { stackName, hubSpotAppId, alarmEmail } = command.settings;
  const isAppUnknown = hubSpotAppId === undefined;
  return linesOf([
    '',
    `Webhook URL: ${outputs['WebhookUrl']}`,
    '',
    'In HubSpot:',
    '  1. Upload infra/hubspot-app, whose files name the URL above, and install it in the account.',
    secrets.missing.length > 0 && `  2. ${REPORT_TEXTS['deploy-again']}`,
    `  3. npm run -s cli -- setup --stack ${stackName}     creates the properties`,
    `     npm run -s cli -- doctor --stack ${stackName}    checks the installation`,
    '',
    `Records created before ${outputs['InstalledAt']} are not enriched automatically.`,
    `Spend and alarms: the dashboard ${outputs['DashboardName']} in CloudWatch.`,
    ...(alarmEmail === undefined
      ? ['', REPORT_TEXTS['no-alarms'], `  ${withSetting(command, 'alarmEmail=...')}`]
      : [shown(REPORT_TEXTS.alarms, { alarmEmail })]),
    ...missingLines(command, secrets),
    isAppUnknown && '',
    isAppUnknown && REPORT_TEXTS['own-app-unknown'],
    isAppUnknown && 'Once the app is uploaded, put its id into cdk.json, or deploy with',
    isAppUnknown && `  ${withSetting(command, 'hubSpotAppId=...')}`,
  ]);
}

function missingLines(
  command: Deployment['command'],
  { missing, unread }: Pick<Filling, 'missing' | 'unread'>,
): readonly string[] {
  const place = placeOf(command);
  if (missing.length === 0)
    return unread.length === 0
      ? [shown(REPORT_TEXTS['all-there'], { place })]
      : [shown(REPORT_TEXTS['not-read'], { place, keys: unread })];
  return [
    '',
    shown(REPORT_TEXTS['nothing-enriched'], { place, keys: missing }),
    ...(missing.includes('HUBSPOT_CLIENT_SECRET') ? [REPORT_TEXTS['webhooks-refused']] : []),
    'Values that are there stay as they are. Once the app is uploaded, deploy once more with',
    `  ${missing.map((variable) => `${variable}=...`).join(' ')} ${typed('deploy', command)}`,
  ];
}

function placeOf({ settings: { stackName } }: Pick<Command, 'settings'>): string {
  return `the parameters of SSM under ${secretPrefix(stackName)}/`;
}

function withSetting({ overrides }: Pick<Command, 'overrides'>, setting: string): string {
  return typed('deploy', { overrides: [...overrides, setting] });
}

function withFlag(command: string, flag: string): string {
  return command.includes(' -- ') ? `${command} ${flag}` : `${command} -- ${flag}`;
}

/** Exit code of a successful deployment in which `doctor` found a fault. */
export const DEPLOYED_WITH_FAULTS = 5;

/**
 * Runs `doctor` on the deployed stack. It finds wrong webhook URLs, missing properties and missing permissions. The
 * stack stays in use even if `doctor` finds a fault.
 * @param missing variables of keys that are not stored yet. Without these keys, nothing can be checked
 * @returns the exit code of the deployment
 */
export async function examine(
  {
    stackName,
    missing,
    isSkipped,
  }: Readonly<{ stackName: string; missing: readonly string[]; isSkipped: boolean }>,
  run: (script: string, args: readonly string[]) => Promise<number | null> = runNode,
): Promise<number> {
  const command = `npm run -s cli -- doctor --stack ${stackName}`;
  if (isSkipped || missing.length > 0) {
    const reason = isSkipped ? '--skip-doctor' : 'keys are missing';
    console.log(`\nThe deployment was not checked (${reason}). To check it:\n  ${command}`);
    return 0;
  }
  console.log(`\nChecking what was deployed (${command}):\n`);
  const code = await run(join(PROJECT_ROOT, 'infra/cli/main.ts'), ['doctor', '--stack', stackName]);
  if (code === 0) return 0;
  console.log(
    `\nThe stack ${stackName} is deployed and stays. doctor found faults, see above; this command ends with exit code ${DEPLOYED_WITH_FAULTS}.`,
  );
  return DEPLOYED_WITH_FAULTS;
}

if (import.meta.main) await runCommand(deploy);
