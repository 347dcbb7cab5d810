import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { DescribeParametersCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Checklist, eventually, holds, same } from './checklist.ts';
import { logGroups } from './lambda.ts';
import { type RecordedCall, startRecorder } from './recorder.ts';
import { askLogs } from './signed.ts';
import { CDK, contextArgs } from './stack.ts';
import type { Workshop } from './workshop.ts';

const MAIN = 'test/system/aws/main.ts';
const RUN_MS = 900_000;

/** Runs the switch `--real`, with the stand-in for AWS in the place of a real account. */
export async function checkReal(checklist: Checklist, workshop: Workshop): Promise<void> {
  const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => startRun(workshop, args, more);
  const refuses = async (code: number, args: readonly string[], more: NodeJS.ProcessEnv, wanted: RegExp) => {
    const ran = await start(args, more).ended;
    same('Its end', ran.code, code);
    holds(wanted.test(ran.output), ran.output);
    same('The account', await inventory(), []);
    return ran.output;
  };
  await checklist.check('--real without access names the variable to set, and makes nothing', async () => {
    await refuses(2, ['--yes'], { AWS_REGION: undefined }, /AWS_REGION/);
    await refuses(2, ['--yes'], { AWS_ACCESS_KEY_ID: undefined }, /AWS_PROFILE/);
    const isIdentity = ({ action }: RecordedCall) => action === 'sts:GetCallerIdentity';
    const recorder = await startRecorder(portOf(workshop), isIdentity);
    await refuses(2, ['--yes'], { AWS_ENDPOINT_URL: recorder.url }, /AWS_PROFILE/);
    recorder.close();
    return undefined;
  });
  await checklist.check('without agreement it estimates the cost, and makes nothing', async () => {
    const output = await refuses(2, [], {}, /--yes/);
    holds(/account 0{12}, region us-east-1/.test(output), output);
    const [, usd, usdAMonth] = /: (\d+\.\d\d) USD .* cost (\d+) USD a month/s.exec(output) ?? [];
    holds(Number(usd) > 0.01 && Number(usd) < 1, output);
    holds(Number(usdAMonth) >= 9 && Number(usdAMonth) <= 19, output);
    holds(/3 DynamoDB::GlobalTable/.test(output), output);
    return `${usd} USD`;
  });
  await checklist.check('another word than yes on a terminal makes nothing', async () => {
    const script = 'import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    const command = ['python3', '-c', script, process.execPath, MAIN, '--real'] as const;
    const { code, output } = await workshop.processes.run(command, {
      cwd: PROJECT_ROOT,
      env: workshop.env,
      input: 'no\n',
    });
    same('Its end', code, 1);
    holds(/Not agreed/.test(output), output);
    same('The account', await inventory(), []);
    return undefined;
  });
  await makeForeign();
  const foreign = await inventory();
  await checklist.check('--remove removes no installation of another name', async () => {
    const { code, output } = await start(['--remove', 'crm-enrichment']).ended;
    same('Its end', code, 2);
    same('The account', await inventory(), foreign);
    return output.trim();
  });
  await checklist.check(
    'with agreement it passes, and leaves only what was there before (not played: --real)',
    async () => {
      const { code, output } = await start(['--yes']).ended;
      holds(code === 0 && /\d+ passed, 0 failed, [1-9]\d* skipped/.test(output), output);
      same('The account', await inventory(), foreign);
      return /\d+ passed, .*/.exec(output)?.[0];
    },
  );
  const env = { cwd: PROJECT_ROOT, env: workshop.env };
  const settings = { dataServiceUrl: 'https://a.invalid', hubSpotUrl: 'https://a.invalid', appId: 1 };
  const context = contextArgs(settings, { stackName: 'crm-enrichment' });
  await workshop.processes.run([process.execPath, CDK, 'bootstrap', ...context], env);
  const before = await inventory();
  holds(before.includes('stack CDKToolkit'), `Nothing was bootstrapped: ${before.join(', ')}`);
  await checklist.check('after a failed step, it leaves only what was there before', async () => {
    const recorder = await startRecorder(portOf(workshop), secondStack());
    const { code, output } = await start(['--yes'], { AWS_ENDPOINT_URL: recorder.url }).ended;
    recorder.close();
    same('Its end', code, 1);
    holds(/^FAILED {2}one command deploys/m.test(output), output);
    same('The account', await inventory(), before);
    return undefined;
  });
  await checklist.check('after a signal, it leaves only what was there before', async () => {
    const run = start(['--yes']);
    await someTable();
    run.kill('SIGTERM');
    const { code, output } = await run.ended;
    holds(code === 143, output);
    same('The account', await inventory(), before);
    return undefined;
  });
  await checkSecondSignal(checklist, workshop, before);
}

async function checkSecondSignal(
  checklist: Checklist,
  workshop: Workshop,
  before: readonly string[],
): Promise<void> {
  let name = '';
  await checklist.check('after a second signal, it names the command that removes the rest', async () => {
    const run = startRun(workshop, ['--yes']);
    await someTable();
    run.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    run.kill('SIGINT');
    const { code, output } = await run.ended;
    same('Its end', code, 130);
    name = /npm run test:aws -- --real --remove (\S+)/.exec(output)?.[1] ?? '';
    holds(name !== '', output);
    holds((await inventory()).length > before.length, 'Nothing was left.');
    return name;
  });
  await checklist.check('a removal that fails says what is left, and the next one completes it', async () => {
    const isTable = ({ action }: RecordedCall) => action === 'dynamodb:DeleteTable';
    const recorder = await startRecorder(portOf(workshop), isTable);
    const access = { AWS_ENDPOINT_URL: recorder.url };
    const failed = await startRun(workshop, ['--remove', name], access).ended;
    recorder.close();
    same('Its end', failed.code, 1);
    for (const left of [`table ${name}-ledger`, `stack ${name}-data`])
      holds(failed.output.includes(left), failed.output);
    const { code, output } = await startRun(workshop, ['--remove', name]).ended;
    holds(code === 0, output);
    same('The account', await inventory(), before);
    return undefined;
  });
}

function startRun({ processes, env }: Workshop, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const child = processes.start([process.execPath, MAIN, '--real', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...env, ...more },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

function portOf({ env }: Workshop): number {
  return Number(env['GATEWAY_PORT']);
}

/** Selects the change of the second stack, so that its deployment fails. */
function secondStack(): (call: RecordedCall) => boolean {
  let changes = 0;
  return ({ action }) => action === 'cloudformation:ExecuteChangeSet' && ++changes > 1;
}

/** Waits until the run has created a table. */
async function someTable(): Promise<void> {
  await eventually(
    'A table of the run',
    async () => {
      const made = (await inventory()).find((each) => /^table crm-aws-test-.*-ledger$/.test(each));
      return made === undefined ? { seen: made } : { done: made };
    },
    { withinS: RUN_MS / 1_000 },
  );
}

/** Things of another installation with the usual name. */
async function makeForeign(): Promise<void> {
  await new SSMClient().send(
    new PutParameterCommand({ Name: '/crm-enrichment/of-another', Value: 'own', Type: 'String' }),
  );
  await askLogs('CreateLogGroup', { logGroupName: 'crm-enrichment-of-another' });
}

/** Everything in the account that a run could leave. */
async function inventory(): Promise<readonly string[]> {
  const stacks: string[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient() }, {}))
    for (const { StackName, StackStatus } of Stacks)
      if (StackStatus !== 'DELETE_COMPLETE') stacks.push(`stack ${StackName}`);
  const { TableNames = [] } = await new DynamoDBClient().send(new ListTablesCommand({}));
  const { Parameters = [] } = await new SSMClient().send(new DescribeParametersCommand({ MaxResults: 50 }));
  const { Buckets = [] } = await new S3Client().send(new ListBucketsCommand({}));
  return [
    ...stacks,
    ...TableNames.map((name) => `table ${name}`),
    ...Parameters.map(({ Name }) => `parameter ${Name}`),
    ...Buckets.map(({ Name }) => `bucket ${Name}`),
    ...(await logGroups()).map((name) => `log group ${name}`),
  ].sort();
}
