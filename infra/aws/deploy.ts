import { agreeOnRegion, readCommand, runCdk } from './cdk-command.ts';
import { ConfigurationError } from './configuration.ts';
import { type DeployedStack, describeStack } from './deployed-stack.ts';
import { leftBehind } from './kept-resources.ts';
import { keptName } from './names.ts';
import type { Kept, Settings } from './schemas.ts';
import { fillSecret } from './secret-values.ts';

/** The stack of `cdk bootstrap`, which holds what every deployment needs: a place for the functions' code. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** From nothing, or from what an earlier stack left behind, to a webhook URL. */
async function deploy(): Promise<void> {
  agreeOnRegion(process.env);
  const { settings, overrides } = readCommand(process.argv.slice(2));
  if (new URL(settings.dataServiceBaseUrl).hostname.endsWith('.example')) {
    throw new ConfigurationError(
      'Put the address of the data service into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
    );
  }
  const { stackName } = settings;
  const before = await describeStack(stackName);
  const adopt = await leftBehind(settings, before);
  if (adopt.length > 0) console.log(`Adopting what is kept: ${named(stackName, adopt)}.`);
  const context = [...overrides, `adopt=${adopt.join(',')}`].flatMap((text) => ['-c', text]);
  await runCdk(['synth', '--quiet', ...context]);
  // What was made once is used by both: no second synthesis.
  const made = ['--app', 'cdk.out'];
  if (!(await describeStack(BOOTSTRAP_STACK))) await runCdk(['bootstrap', ...made]);
  const installedAt = before?.parameters['InstalledAt'] ?? new Date().toISOString();
  const parameters = ['--parameters', `InstalledAt=${installedAt}`];
  await runCdk(['deploy', stackName, ...made, '--require-approval', 'never', ...parameters]);
  const after = await describeStack(stackName);
  if (!after) throw new ConfigurationError(`The stack ${stackName} is not there after its deployment.`);
  await announce(settings, after);
}

async function announce(settings: Settings, { outputs, parameters }: DeployedStack): Promise<void> {
  const { stackName, secretSource } = settings;
  const secretId = keptName(stackName, 'secret');
  const missing = await fillSecret({ secretSource, secretId }, process.env);
  const lines = [
    '',
    `Webhook URL: ${outputs['WebhookUrl']}`,
    '',
    'In HubSpot:',
    '  1. Write the webhook URL above, to the letter, into infra/hubspot-app (its README says where).',
    '  2. Upload that app and install it in the account.',
    `  3. npm run cli -- setup --stack ${stackName}     creates the properties`,
    `     npm run cli -- doctor --stack ${stackName}    says whether all is well`,
    '',
    ...secretLines(secretId, missing),
    `Records created before ${parameters['InstalledAt']} are left alone.`,
    `Spend and alarms: the dashboard ${outputs['DashboardName']} in CloudWatch.`,
  ];
  console.log(lines.join('\n'));
}

function secretLines(secretId: string, missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [`The secret ${secretId} is complete.`];
  return [
    `Nothing runs before the secret ${secretId} is complete. Deploy once more with`,
    `  ${missing.map((variable) => `${variable}=...`).join(' ')} npm run deploy`,
    'Values that are not given stay as they are.',
    '',
  ];
}

function named(stackName: string, kept: readonly Kept[]): string {
  return kept.map((name) => keptName(stackName, name)).join(', ');
}

try {
  await deploy();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigurationError ? error.message : `${error.name}: ${error.message}`);
  process.exitCode = 1;
}
