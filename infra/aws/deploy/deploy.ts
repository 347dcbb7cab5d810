import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfigurationError } from '../configuration.ts';
import { prepareInstallationSecret } from '../installation-secret.ts';
import { keptName, LASTING_OUTPUT } from '../names.ts';
import type { Kept } from '../schemas.ts';
import { agreeOnRegion, type Command, readCommand, runCdk } from './cdk-command.ts';
import { type DeployedStack, describeStack, findStack, stacksWithOutput } from './deployed-stack.ts';
import { deploymentReport, preparationLines } from './deployment-report.ts';
import { type Account, leftBehind } from './kept-resources.ts';
import { adoptTable, describeTable } from './kept-tables.ts';
import { refuseForgotten, refuseSecondStack } from './lasting-settings.ts';
import { secretDocuments } from './secret-documents.ts';
import { fillSecret } from './secret-values.ts';

/** The stack of `cdk bootstrap`, which holds what every deployment needs: a place for the functions' code. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** From nothing, or from what an earlier stack left behind, to a webhook URL. */
async function deploy(): Promise<void> {
  agreeOnRegion(process.env);
  const command = readCommand(process.argv.slice(2), ['replace-secrets']);
  const { settings } = command;
  const { stackName } = settings;
  if (new URL(settings.dataServiceBaseUrl).hostname.endsWith('.example')) {
    throw new ConfigurationError(
      'Put the address of the data service into cdk.json, as "dataServiceBaseUrl", or give -c dataServiceBaseUrl=https://...',
    );
  }
  if ((await findStack(stackName))?.status === 'DELETE_FAILED')
    throw new ConfigurationError(`The stack ${stackName} is half deleted: npm run destroy once more first.`);
  const before = await describeStack(stackName);
  refuseForgotten(before?.outputs, command);
  if (!before) refuseSecondStack(await stacksWithOutput(LASTING_OUTPUT), command);
  const account = { dynamo: new DynamoDBClient(), documents: secretDocuments(keptName(stackName, 'secret')) };
  const adopt = await prepare(account, command, before);
  await runStack(command, { before, adopt });
  const after = await describeStack(stackName);
  if (!after) throw new ConfigurationError(`The stack ${stackName} is not there after its deployment.`);
  const document = account.documents[settings.secretSource];
  const replace = command.flags.has('replace-secrets');
  const filling = await fillSecret(document, { environment: process.env, replace });
  console.log(deploymentReport({ command, stack: after, place: document.place, filling }).join('\n'));
}

/** Brings what is kept into the state in which a stack can take it over. @returns what it is to adopt */
async function prepare(
  account: Account,
  { settings }: Command,
  before: DeployedStack | undefined,
): Promise<readonly Kept[]> {
  const { stackName, secretSource } = settings;
  const questionsTable = keptName(stackName, 'questions');
  const hasQuestions = (await describeTable(account.dynamo, questionsTable)) !== undefined;
  const secret = await prepareInstallationSecret({
    documents: account.documents,
    source: secretSource,
    usedSource: before?.outputs['SecretSource'],
    questionsTable: hasQuestions ? questionsTable : undefined,
  });
  const adopt = await leftBehind(account, settings, before);
  const problems: string[] = [];
  for (const kept of adopt) {
    if (kept !== 'secret') problems.push(...(await adoptTable(account.dynamo, { stackName, kept })));
  }
  const place = account.documents[secretSource].place;
  const names = adopt.map((kept) => keptName(stackName, kept));
  for (const line of preparationLines({ names, secret, place, problems })) console.log(line);
  return adopt;
}

async function runStack(
  { settings, overrides }: Command,
  { before, adopt }: { before: DeployedStack | undefined; adopt: readonly Kept[] },
): Promise<void> {
  const context = [...overrides, `adopt=${adopt.join(',')}`].flatMap((text) => ['-c', text]);
  await runCdk(['synth', '--quiet', ...context]);
  // What was made once is used by both: no second synthesis.
  const made = ['--app', 'cdk.out'];
  if (!(await describeStack(BOOTSTRAP_STACK))) await runCdk(['bootstrap', ...made]);
  const installedAt = before?.parameters['InstalledAt'] ?? new Date().toISOString();
  const parameters = ['--parameters', `InstalledAt=${installedAt}`];
  await runCdk(['deploy', settings.stackName, ...made, '--require-approval', 'never', ...parameters]);
}

try {
  await deploy();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof ConfigurationError ? error.message : `${error.name}: ${error.message}`);
  process.exitCode = 1;
}
