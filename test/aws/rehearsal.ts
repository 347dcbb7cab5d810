import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { signedCall } from '../../infra/aws/deploy/signed-call.ts';
import { PROJECT_ROOT } from '../../infra/aws/project-root.ts';
import { AWS_STEPS } from '../../infra/local/rehearsal/aws/aws-steps.ts';
import { AWS_ASSUMPTIONS } from '../../infra/local/rehearsal/aws-assumptions.ts';
import { type Checklist, eventually, holds, PATIENCE_S, same } from './checklist.ts';
import type { Scene } from './scene.ts';

const ACCOUNT = '000000000000';
const CDK = join(PROJECT_ROOT, 'node_modules/aws-cdk/bin/cdk');
const MAIN = join(PROJECT_ROOT, 'infra/cli/main.ts');
/** Long enough for a phase to start its work, and short enough that the short phases have not ended. */
const INTO_PHASE_MS = 6_000;
const SHORT_PHASES_MS: Readonly<Record<string, number>> = {
  'request-limits': 0,
  permissions: 0,
  alarm: 2_000,
  removal: 2_000,
};
/** The message of a killed worker alone takes six minutes. */
const WHOLE_MS = 30 * 60_000;

type Place = Pick<Scene, 'workshop' | 'standIns'>;

const ALL_PHASES = AWS_STEPS;
type Phase = Pick<(typeof ALL_PHASES)[number], 'name' | 'about'>;
/** While CloudFormation creates, while it changes a stack that is there, and while all is removed. */
const STOPPED_IN = new Set(['deployment', 'releases', 'removal']);

/**
 * Runs `rehearse aws` completely, kills it in each phase, and stops it in some. Nothing of it may remain, and nothing else
 * may change.
 * @param phases kills and stops it only in these; `whole` is the complete run
 */
export async function checkRehearsal(
  checklist: Checklist,
  place: Place,
  phases: readonly string[] = [],
): Promise<void> {
  const commands = rehearsalCommands(place);
  const bootstrapped = await commands.run([CDK, 'bootstrap']);
  holds(bootstrapped.code === 0, bootstrapped.output);
  const before = await inventory();
  const nothingIsLeft = async () => same('What AWS holds', await inventory(), before);
  const isChosen = (name: string) => phases.length === 0 || phases.includes(name);
  if (isChosen('whole'))
    await checklist.check('rehearse aws passes whole against the stand-in and leaves nothing', async () => {
      const { code, output, results } = await commands.run(commands.rehearse);
      holds(code === 0, `It ended with ${code}: ${output.trim().slice(-3_000)}`);
      const counts = checkReport(results, place);
      await nothingIsLeft();
      holds(!existsSync(commands.journal), 'The journal is still there.');
      return `${counts.holds} hold, ${counts.notSeen} not seen`;
    });
  for (const phase of ALL_PHASES.filter(({ name }) => isChosen(name))) {
    await checklist.check(`killed in the phase ${phase.name}, it is removed by rehearse clean`, async () => {
      const { child } = await intoPhase(commands, phase, before);
      // Kills only the rehearsal. Its child commands have to end by themselves.
      child.kill('SIGKILL');
      const { code, output } = await commands.run([MAIN, 'rehearse', 'clean']);
      holds(code === 0 && /^The stack crm-rehearsal-\w+ was removed\.$/m.test(output), output);
      await nothingIsLeft();
      holds(!existsSync(commands.journal), 'The journal is still there.');
      return undefined;
    });
    if (STOPPED_IN.has(phase.name))
      await checklist.check(`ended by Ctrl-C in the phase ${phase.name}, it removes its stack`, async () => {
        const { child, ended } = await intoPhase(commands, phase, before);
        child.kill('SIGINT');
        const { code, results, said } = await ended;
        holds(code === 1, `It ended with ${code}: ${said.slice(-1_000)}`);
        same('The reason', JSON.parse(results).error.code, 'stopped');
        holds(said.includes('The stack is being removed'), 'It does not say at once what it waits for.');
        await nothingIsLeft();
        return undefined;
      });
  }
}

function rehearsalCommands({ workshop, standIns }: Place) {
  const env = { ...workshop.env, DATA_DIR: join(workshop.folder, 'rehearsed') };
  const services = ['--hubspot', standIns.hubSpotUrl, '--data-service', standIns.dataServiceUrl];
  const words = ['rehearse', 'aws', '--account', ACCOUNT, '--yes', '--json', ...services];
  const rehearse = [MAIN, ...words];
  return {
    rehearse,
    journal: join(env.DATA_DIR, 'rehearsal/aws.json'),
    run: (command: readonly string[]) =>
      workshop.processes.run(['node', ...command], { cwd: PROJECT_ROOT, env, withinMs: WHOLE_MS }),
    startStep: (step: string) =>
      workshop.processes.start([process.execPath, ...rehearse, '--step', step], { cwd: PROJECT_ROOT, env }),
  };
}

/** @returns its counts @throws Error where it is not whole, or tells too much */
function checkReport(results: string, { standIns }: Place): Readonly<Record<string, number>> {
  const report = JSON.parse(results);
  const seen = Object.fromEntries(report.results.map((row: Row) => [row.assumption, row.verdict]));
  const wanted = AWS_ASSUMPTIONS.filter(({ step }) => typeof step === 'string').map(({ id }) => id);
  same('The assumptions', Object.keys(seen).sort(), [...wanted].sort());
  same('What differs', report.counts.differs, 0);
  same('Against', report.against, 'the stand-in');
  same('What could not be seen', wanted.filter((id) => seen[id] === 'not seen').sort(), NOT_SEEN);
  for (const secret of [ACCOUNT, 'crm-rehearsal-', standIns.hubSpotUrl, ...Object.values(standIns.keys)])
    holds(!results.includes(secret), 'The report holds a name, an account id or a key.');
  return report.counts;
}

/** Starts a rehearsal of this phase, and waits until it is in the middle of it and has something to leave behind. */
async function intoPhase(
  { startStep }: ReturnType<typeof rehearsalCommands>,
  { name, about }: Phase,
  before: Inventory,
) {
  const child = startStep(name === 'removal' ? 'permissions' : name);
  let [said, results] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    results += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(`: ${about}`)) resolve();
    });
    void closed.then(() => reject(new Error(`It ended before the phase: ${said.slice(-1_000)}`)));
  });
  await eventually('The first thing of the stack', async () => isThere(before), { withinS: PATIENCE_S });
  await new Promise((resolve) => setTimeout(resolve, SHORT_PHASES_MS[name] ?? INTO_PHASE_MS));
  holds(child.exitCode === null, `It ended before the signal: ${said.slice(-1_000)}`);
  return { child, ended: closed.then((code) => ({ code, results, said })) };
}

async function isThere(before: Inventory) {
  return isDeepStrictEqual(await inventory(), before) ? { seen: 'nothing yet' } : { done: undefined };
}

type Inventory = Awaited<ReturnType<typeof inventory>>;

interface Row {
  readonly assumption: string;
  readonly verdict: string;
}

/** Points that the stand-in cannot simulate. */
const NOT_SEEN = ['alarm-message', 'checked signatures', 'request limits'];

/** Names of all resources in the stand-in for AWS, of the kinds that a deployment creates. */
async function inventory() {
  const stacks: string[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient() }, {}))
    for (const { StackName = '', StackStatus } of Stacks)
      if (StackStatus !== 'DELETE_COMPLETE') stacks.push(StackName);
  const { TableNames = [] } = await new DynamoDBClient().send(new ListTablesCommand({}));
  const { SecretList = [] } = await new SecretsManagerClient().send(new ListSecretsCommand({}));
  const { QueueUrls = [] } = await new SQSClient().send(new ListQueuesCommand({}));
  const functions = JSON.parse(
    await signedCall({ service: 'lambda', method: 'GET', path: '/2015-03-31/functions' }),
  ).Functions.map(({ FunctionName }: { FunctionName: string }) => FunctionName);
  const logs = JSON.parse(
    await signedCall({
      service: 'logs',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Logs_20140328.DescribeLogGroups',
      },
      body: '{}',
    }),
  ).logGroups.map(({ logGroupName }: { logGroupName: string }) => logGroupName);
  const secrets = SecretList.map(({ Name }) => Name);
  const lists = { stacks, tables: TableNames, secrets, queues: QueueUrls, functions, logs };
  return Object.fromEntries(Object.entries(lists).map(([kind, names]) => [kind, [...names].sort()]));
}
