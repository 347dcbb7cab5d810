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
import { REMOVAL } from '../../infra/local/rehearsal/aws/rehearse-aws.ts';
import { AWS_ASSUMPTIONS } from '../../infra/local/rehearsal/aws-assumptions.ts';
import { type Checklist, eventually, holds, PATIENCE_S, same } from './checklist.ts';
import type { Scene } from './scene.ts';

const ACCOUNT = '000000000000';
const CDK = join(PROJECT_ROOT, 'node_modules/aws-cdk/bin/cdk');
const MAIN = join(PROJECT_ROOT, 'infra/cli/main.ts');
/** Long enough for a phase to start its work. */
const INTO_PHASE_MS = 6_000;
/** The message of a killed worker alone takes six minutes. */
const WHOLE_MS = 30 * 60_000;

type Place = Pick<Scene, 'workshop' | 'standIns'>;

const ALL_PHASES = [...AWS_STEPS, { name: REMOVAL, about: 'the removal of the stack' }];

/**
 * Runs `rehearse aws` completely, and kills it in each phase. Nothing of it may remain, and nothing else may change.
 * @param phases kills it only in these; `whole` is the complete run
 */
export async function checkRehearsal(
  checklist: Checklist,
  place: Place,
  phases: readonly string[] = [],
): Promise<void> {
  const { workshop, standIns } = place;
  const env = { ...workshop.env, DATA_DIR: join(workshop.folder, 'rehearsed') };
  const journal = join(env.DATA_DIR, 'rehearsal/aws.json');
  const services = ['--hubspot', standIns.hubSpotUrl, '--data-service', standIns.dataServiceUrl];
  const rehearse = [
    process.execPath,
    MAIN,
    'rehearse',
    'aws',
    '--account',
    ACCOUNT,
    '--yes',
    '--json',
    ...services,
  ];
  const run = (words: readonly string[], more: readonly string[] = []) =>
    workshop.processes.run(['node', ...words, ...more], { cwd: PROJECT_ROOT, env, withinMs: WHOLE_MS });
  const bootstrapped = await run([CDK, 'bootstrap']);
  holds(bootstrapped.code === 0, bootstrapped.output);
  const before = await inventory();
  const nothingIsLeft = async () => {
    same('What AWS holds', await inventory(), before);
    holds(!existsSync(journal), 'The journal is still there.');
  };
  if (phases.length === 0 || phases.includes('whole'))
    await checklist.check('rehearse aws passes whole against the stand-in and leaves nothing', async () => {
      const { code, output, results } = await run(rehearse.slice(1));
      holds(code === 0, `It ended with ${code}: ${output.trim().slice(-3_000)}`);
      const report = JSON.parse(results);
      const seen = Object.fromEntries(report.results.map((row: Row) => [row.assumption, row.verdict]));
      const wanted = AWS_ASSUMPTIONS.filter(({ step }) => typeof step === 'string').map(({ id }) => id);
      same('The assumptions', Object.keys(seen).sort(), [...wanted].sort());
      same('What differs', report.counts.differs, 0);
      same('Against', report.against, 'the stand-in');
      const unseen = wanted.filter((id) => seen[id] === 'not seen').sort();
      same('What could not be seen', unseen, NOT_SEEN);
      for (const secret of [ACCOUNT, 'crm-rehearsal-', standIns.hubSpotUrl, ...Object.values(standIns.keys)])
        holds(!results.includes(secret), 'The report holds a name, an account id or a key.');
      await nothingIsLeft();
      return `${report.counts.holds} hold, ${report.counts.notSeen} not seen`;
    });
  for (const { name, about } of ALL_PHASES.filter(({ name }) => phases.length === 0 || phases.includes(name)))
    await checklist.check(`killed in the phase ${name}, it is removed by rehearse clean`, async () => {
      const step = name === REMOVAL ? 'permissions' : name;
      const command = [...rehearse, '--step', step] as unknown as [string, ...string[]];
      const child = workshop.processes.start(command, { cwd: PROJECT_ROOT, env });
      let said = '';
      const hasBegun = new Promise<void>((resolve, reject) => {
        child.stderr?.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.includes(`: ${about}`)) resolve();
        });
        child.once('close', () => reject(new Error(`It ended before the phase: ${said.slice(-1_000)}`)));
      });
      await hasBegun;
      await inTheMiddle(name, before);
      holds(child.exitCode === null, `It ended before it was killed: ${said.slice(-1_000)}`);
      // Kills only the rehearsal. Its child commands have to end by themselves.
      child.kill('SIGKILL');
      const { code, output } = await run([MAIN, 'rehearse', 'clean']);
      holds(code === 0 && /^The stack crm-rehearsal-\w+ was removed\.$/m.test(output), output);
      await nothingIsLeft();
      return undefined;
    });
}

/** Waits until the phase has created something. */
async function inTheMiddle(phase: string, before: Awaited<ReturnType<typeof inventory>>): Promise<void> {
  const look = async () => {
    const now = await inventory();
    return isDeepStrictEqual(now, before) ? { seen: 'nothing yet' } : { done: undefined };
  };
  if (phase === 'deployment') await eventually('The first thing of the stack', look, { withinS: PATIENCE_S });
  // These two phases end at once.
  if (['request-limits', 'permissions'].includes(phase)) return;
  await new Promise((resolve) => setTimeout(resolve, INTO_PHASE_MS));
}

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
