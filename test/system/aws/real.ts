import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askOnce, isTerminal, settleAccess } from '../../../infra/aws/deploy/command.ts';
import { BOOTSTRAP_STACK, findStack } from '../../../infra/aws/deploy/stacks.ts';
import { dataStackName, PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { checkKeysLater } from './birth.ts';
import { type Checklist, createChecklist, Ended, holds } from './checklist.ts';
import { checkVersions } from './deployments.ts';
import { estimate } from './estimate.ts';
import { checkKeysApart } from './keys.ts';
import { untilLogged } from './lambda.ts';
import { checkSpend } from './operator.ts';
import { createProcesses, type Processes } from './processes.ts';
import { BOOTSTRAP_TAG, removeAll } from './removal.ts';
import { askService } from './signed.ts';
import { CDK, contextArgs, createStack } from './stack.ts';
import { startStandIns } from './stand-ins.ts';
import { refusesUnsigned } from './webhooks.ts';

/** Begins the name of each installation of this test. `--remove` accepts no other name. */
const PREFIX = 'crm-aws-test-';
/** No name server knows these addresses. */
const NOWHERE = { dataServiceUrl: 'https://data-service.invalid', hubSpotUrl: 'https://hubspot.invalid' };
/** A deployment takes minutes in a real account. */
const COMMAND_MS = 1_800_000;
/** npm passes on the signal that the terminal has already sent. */
const REPEATED_MS = 1_000;
const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };
/** The exit code of a run that has not started. */
const NOT_STARTED = 2;

const FAR = 'functions in AWS cannot reach the stand-ins of HubSpot and the data service on this machine';
const SKIPPED: readonly (readonly [string, string])[] = [
  ['records are enriched, and the ledger equals the bill', FAR],
  ['setup, doctor, the commands of the runbook', FAR],
  ['schedules, dead letters, backfills, refreshes, another policy', FAR],
  ['a deployment after destroy, with the same books', FAR],
  ['a second installation on one HubSpot account', FAR],
  [
    'the smallest policies',
    'a proxy on this machine records the calls, and a real account wants them signed',
  ],
];

interface Run {
  /** Name of the installation. */
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly processes: Processes;
  readonly folder: string;
}

/**
 * Tests the deployment in the caller's account under a name of its own, and removes everything.
 * @returns the exit code: 0 passed, 1 failed or left something, 2 not started, 130 and 143 after a signal
 */
export async function testReal(args: readonly string[]): Promise<number> {
  const string = { type: 'string' } as const;
  const boolean = { type: 'boolean' } as const;
  const options = { real: boolean, yes: boolean, remove: string };
  const { remove, yes = false } = parseArgs({ args: [...args], options }).values;
  const name = remove ?? `${PREFIX}${randomBytes(4).toString('hex')}`;
  if (!name.startsWith(PREFIX)) return refused(`--remove wants the name of an installation of this test.`);
  // No key of the caller's shell may reach the test's installation.
  for (const key of Object.keys(process.env))
    if (/^(?:HUBSPOT|DATA_SERVICE|ALERT|CREDITS|WEBHOOK)_/.test(key)) delete process.env[key];
  const account = await ownAccount().catch((error: Error) => error);
  if (account instanceof Error) return refused(account.message);
  const processes = createProcesses();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.once('exit', () => {
    processes.killAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const run: Run = { name, account, region: process.env['AWS_REGION'] ?? '', processes, folder };
  if (remove !== undefined) return ended(run);
  const mustBootstrap = !(await findStack(BOOTSTRAP_STACK));
  await tell(run, mustBootstrap);
  if (!yes && !isTerminal()) return refused('There is no terminal to ask for agreement: add --yes to agree.');
  if (!yes && (await askOnce('Type yes to make it: ')).trim() !== 'yes') {
    refused('Not agreed.');
    return 1;
  }
  return play(run, mustBootstrap);
}

function refused(reason: string): number {
  console.error(`${reason} Nothing was made.`);
  return NOT_STARTED;
}

/** @throws Error that says what to set, if there are no valid credentials or no region */
async function ownAccount(): Promise<string> {
  await settleAccess(process.env, askOnce);
  const identity = { Action: 'GetCallerIdentity', Version: '2011-06-15' };
  const text = await askService('sts', identity).catch((error: Error) => {
    throw new Error(`AWS refuses the credentials: set AWS_PROFILE to valid ones. ${error.message}`);
  });
  const [, account] = /<Account>(\d+)<\/Account>/.exec(text) ?? [];
  holds(account !== undefined, `AWS names no account: ${text.slice(0, 300)}`);
  return account;
}

/** Prints the account, what is made, and the cost. */
async function tell(run: Run, mustBootstrap: boolean): Promise<void> {
  const { name, account, region, folder, processes } = run;
  const output = join(folder, 'estimate.out');
  const synth = ['synth', '--quiet', '--output', output, ...contextOf(run)];
  const ran = await processes.run([process.execPath, CDK, ...synth], { cwd: PROJECT_ROOT, env: process.env });
  holds(ran.code === 0, ran.output);
  const { resources, usd, usdAMonth, assumptions } = estimate(output);
  const counts = Object.entries(resources).map(([type, count]) => `${count} ${type.replace('AWS::', '')}`);
  const bootstrap = mustBootstrap
    ? `It also bootstraps the CDK (stack ${BOOTSTRAP_STACK}, a bucket, roles), and removes that at the end. Deploy nothing else there meanwhile.`
    : `The stack ${BOOTSTRAP_STACK} is there and stays, with the code of the functions in its bucket.`;
  console.log(
    [
      `In account ${account}, region ${region}, it makes the stacks ${dataStackName(name)} and ${name}:`,
      `  ${counts.join(', ')}`,
      bootstrap,
      `Estimate: ${usd.toFixed(2)} USD (${assumptions}).`,
      `All is removed at the end. If nothing were removed, it would cost ${usdAMonth.toFixed(0)} USD a month.`,
    ].join('\n'),
  );
}

function contextOf({ name }: Pick<Run, 'name'>): readonly string[] {
  return contextArgs({ ...NOWHERE, appId: 1 }, { stackName: name });
}

/** Runs the checks, and then removes everything, also after a failure or a signal. */
async function play(run: Run, mustBootstrap: boolean): Promise<number> {
  const { processes } = run;
  const interrupted = Promise.withResolvers<never>();
  let signal: NodeJS.Signals | undefined;
  let sinceMs = 0;
  let isRemoving = false;
  const onSignal = (given: NodeJS.Signals) => {
    if (signal !== undefined && performance.now() - sinceMs < REPEATED_MS) return;
    if (signal !== undefined) {
      console.log(`The removal was cut short. ${leftOver(run)}`);
      process.exit(EXIT_CODES[signal]);
    }
    [signal, sinceMs] = [given, performance.now()];
    console.log(`\n${given}: everything is removed now. A second signal leaves it there.`);
    if (isRemoving) return;
    void processes.endAll();
    interrupted.reject(new Ended(`The run was ended by ${given}.`));
  };
  for (const each of Object.keys(EXIT_CODES)) process.on(each, onSignal);
  // After a signal, no check starts another command, and none is reported.
  const guarded: Processes = {
    ...processes,
    run: async (command, options) => {
      if (signal !== undefined) throw new Ended(signal);
      return processes.run(command, { withinMs: COMMAND_MS, ...options });
    },
  };
  const say = (line: string) => void (signal === undefined && console.log(line));
  const checklist = createChecklist(say, () => {});
  let unforeseen = 0;
  try {
    const checks = checkAll(checklist, { ...run, processes: guarded }, mustBootstrap);
    await Promise.race([checks, interrupted.promise]);
  } catch (error) {
    if (!(error instanceof Ended)) unforeseen = 1;
    console.log(error instanceof Ended ? error.message : error);
  }
  isRemoving = true;
  const removed = await ended(run);
  for (const [what, why] of SKIPPED) console.log(`skipped ${what}: ${why}`);
  const failed = checklist.counts.failed + unforeseen;
  console.log(`\n${checklist.counts.passed} passed, ${failed} failed, ${SKIPPED.length} skipped`);
  return signal === undefined ? Math.max(removed, failed > 0 ? 1 : 0) : (EXIT_CODES[signal] ?? 1);
}

async function checkAll(checklist: Checklist, run: Run, mustBootstrap: boolean): Promise<void> {
  const { name, processes, folder } = run;
  const standIns = { ...(await startStandIns()), ...NOWHERE };
  const stack = createStack({ processes, folder, env: process.env }, standIns, name);
  const scene = { stack, standIns };
  if (mustBootstrap)
    await checklist.check('the account is bootstrapped', () => bootstrap(run), { isBasis: true });
  await checklist.check(
    'one command deploys both stacks from nothing, before there is any key',
    async () => {
      const { code, output } = await stack.attempt('deploy');
      holds(code === 0, `It ended with ${code}: ${output.trim().slice(-2_000)}`);
      return stack.output('WebhookUrl');
    },
    { isBasis: true },
  );
  await checkKeysLater(checklist, scene);
  await checklist.check('an unsigned webhook gets 401, and a signed one reaches the worker', async () => {
    await standIns.portal.change({ webhookUrl: await stack.output('WebhookUrl') });
    const contact = await standIns.portal.create('contacts', { email: 'nobody@company.invalid' });
    await refusesUnsigned(scene, contact);
    // The worker finds no HubSpot to ask.
    await untilLogged(stack.name, '"portal-unknown"', '"HTTP_NOT_SENT"');
    return undefined;
  });
  await checkSpend(checklist, scene);
  await checkKeysApart(checklist, scene);
  await checkVersions(checklist, scene);
}

/** Marks the stack as made by this run. */
async function bootstrap({ name, account, region, processes }: Run): Promise<undefined> {
  const args = ['bootstrap', `aws://${account}/${region}`, '--tags', `${BOOTSTRAP_TAG}=${name}`];
  const command = [process.execPath, CDK, ...args, ...contextOf({ name })] as const;
  const { code, output } = await processes.run(command, { cwd: PROJECT_ROOT, env: process.env });
  holds(code === 0, `It ended with ${code}: ${output.trim().slice(-2_000)}`);
}

/** Removes everything, and says what is left. @returns the exit code */
async function ended(run: Run): Promise<number> {
  const { name, processes } = run;
  console.log(`Removing ${name}.`);
  const left = await removeAll(name, processes).catch(async (error: Error) => [error.message]);
  if (left.length === 0) console.log(`Nothing of ${name} is left.`);
  else console.log([`FAILED  the removal. Left: ${left.join(', ')}.`, leftOver(run)].join('\n'));
  return left.length === 0 ? 0 : 1;
}

function leftOver({ name, account, region }: Run): string {
  return `What is left of ${name} is in account ${account}, region ${region}. To remove it: npm run test:aws -- --real --remove ${name}`;
}
