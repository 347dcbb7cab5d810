import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { ConfigurationError } from '../../../aws/configuration.ts';
import { PROJECT_ROOT } from '../../../aws/project-root.ts';
import { StepStopped } from '../account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr, notSeen } from '../assumption.ts';
import { listOf } from '../json-parts.ts';
import { alarmHistory, firstAlarm, setAlarm } from './alarm-calls.ts';
import type { AwsStage, AwsStep } from './aws-stage.ts';
import { aliasRetries } from './live-version.ts';
import { removeStack } from './remove-stack.ts';
import { killedWorker, mainJob } from './worker-steps.ts';

export const AWS_STEPS: readonly AwsStep[] = [
  { name: 'deployment', about: 'the first deployment', isBasis: true, run: deployment },
  { name: 'main-job', about: 'a webhook that ends in an enriched contact', run: mainJob },
  { name: 'killed-worker', about: 'a worker that is killed in the middle of its work', run: killedWorker },
  { name: 'request-limits', about: 'too many requests at once', run: requestLimits },
  { name: 'releases', about: 'a second release, back and forward', run: releases },
  { name: 'alarm', about: 'an alarm that rings', run: alarm },
  { name: 'permissions', about: 'permissions used and documented', run: permissions },
  { name: 'removal', about: 'the removal of the stack', isBasis: true, run: removal },
];

/**
 * Flags of all deployments. `doctor` is skipped because it is a step of its own. The HubSpot app is skipped because
 * it is simulated. A second installation is allowed, because an earlier rehearsal leaves its mark in HubSpot's
 * stand-in.
 */
const DEPLOYED = { flags: ['--skip-doctor', '--skip-app', '--second-installation'] };

async function deployment({ stack, clock, signal, output, isReal, note }: AwsStage): Promise<void> {
  const startedMs = clock.monotonic();
  await stack.script('deploy', { ...DEPLOYED, signal });
  note('first-deployment', asAssumed(minutes(clock.monotonic() - startedMs)));
  const name = await output('ReconcileFunction');
  const retries = await unlessRefused(() => aliasRetries(name));
  const seen = retries === undefined ? differs('AWS names no number of retries') : zeroRetries(retries);
  note(
    'retries of scheduled calls',
    isReal || retries !== undefined ? seen : notSeen('the stand-in does not name retries of an alias'),
  );
}

function zeroRetries(retries: number): AssumptionVerdict {
  return metOr(retries === 0, `a scheduled call gets more than 0 retries: ${retries}`);
}

const BURST = 200;

async function requestLimits({ output, signal, isReal, note }: AwsStage): Promise<void> {
  const address = await output('WebhookUrl');
  const ask = async (path: string, init: RequestInit = {}) => {
    const ends = [AbortSignal.timeout(MINUTE_MS), ...(signal ? [signal] : [])];
    try {
      return (await fetch(`${address}${path}`, { ...init, signal: AbortSignal.any(ends) })).status;
    } catch {
      throw new StepStopped('the address of the webhook does not answer');
    }
  };
  if (!isReal) return note('request limits', notSeen('the stand-in limits no requests'));
  const asked = Array.from({ length: BURST }, () => ask('/records/contacts/1'));
  const [webhook, ...answers] = await Promise.all([ask('', { method: 'POST', body: '[]' }), ...asked]);
  const refused = answers.filter((status) => status === 429).length;
  const isApart = refused > 0 && webhook !== 429;
  note(
    'request limits',
    metOr(isApart, `${refused} of ${BURST} requests and a webhook of status ${webhook}`),
  );
}

const SWITCH_MOST_MS = MINUTE_MS;

async function releases({ stack, clock, signal, output, isReal, note }: AwsStage): Promise<void> {
  await output('WebhookUrl');
  await stack.script('deploy', { ...DEPLOYED, settings: ['tracing=true'], signal });
  const startedMs = clock.monotonic();
  const told = await stack.script('back', { flags: ['--yes'], signal });
  const backMs = clock.monotonic() - startedMs;
  const [, newer] = /--to (\S+)/.exec(told) ?? [];
  if (newer === undefined) throw new StepStopped('npm run back names no way forward');
  await stack.script('back', { flags: ['--yes', '--to', newer], signal });
  const isSoon = backMs <= SWITCH_MOST_MS;
  note('release-switch', isSoon ? asAssumed(seconds(backMs)) : differs(`back takes ${seconds(backMs)}`));
  note('checked signatures', isReal ? asAssumed() : notSeen('the stand-in checks no signature'));
}

async function alarm({ stack, clock, signal, output, isReal, note }: AwsStage): Promise<void> {
  await output('AlarmTopic');
  const name = await firstAlarm(stack.name);
  if (name === undefined) return note('alarm-message', differs('no alarm has the name of the stack'));
  try {
    await setAlarm(name, 'ALARM');
    await clock.sleep(5 * SECOND_MS, signal);
    const { changed, sent } = await alarmHistory(name);
    const unsent = 'the history of the alarm holds no message that it sent';
    const message = isReal ? differs(unsent) : notSeen(`in the stand-in ${unsent}`);
    note('alarm-message', sent ? asAssumed() : message);
    note('alarm-state', metOr(changed, 'the history of the alarm holds no change of its state'));
  } finally {
    await setAlarm(name, 'OK');
  }
}

/** Actions that need no permission: STS returns the caller's own identity to every caller. */
const FREE = new Set(['sts:GetCallerIdentity']);

async function permissions({ stack, output, note }: AwsStage): Promise<void> {
  await output('WebhookUrl');
  const policy: unknown = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'docs/operations/deployer-policy.json'), 'utf8'),
  );
  const given = new Set(listOf(policy, 'Statement').flatMap((statement) => actionsOf(statement['Action'])));
  const used = stack.calls().filter((action) => !FREE.has(action));
  if (used.length === 0)
    return note('documented-calls', notSeen('no deployment of this rehearsal was recorded'));
  const lacking = used.filter((action) => !given.has(action));
  const unused = given.size - used.filter((action) => given.has(action)).length;
  note(
    'documented-calls',
    lacking.length > 0
      ? differs(`deployer-policy.json lacks ${lacking.join(', ')}`)
      : asAssumed(`${used.length} actions used, ${unused} more given`),
  );
}

async function removal({ stack, clock, note }: AwsStage): Promise<void> {
  await removeStack(stack, clock);
  note('removal', asAssumed());
}

function actionsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** @returns `undefined` if AWS refuses the call */
async function unlessRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

function minutes(ms: number): string {
  return counted(Math.ceil(ms / MINUTE_MS), 'minute');
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / SECOND_MS)} s`;
}
