import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { startRecorder } from './recorder.ts';
import type { Scene } from './scene.ts';
import type { Attempt } from './stack.ts';

/** Signs the calls of the deploying person or role. The CDK's roles have their own keys. */
const DEPLOYER = 'test';
/** STS lets every caller ask for its own identity. */
const FREE = new Set(['sts:GetCallerIdentity']);

/** Permissions of `npm run back`. */
export const SWITCH_BACK = 'SwitchBack';

/** Statements of the documented policies that a deployment of a complete installation does not use. */
const FOR_OTHER_DAYS = new Set(['AfterAFailedCreation', SWITCH_BACK]);

/** Compares the documented minimal policies with the calls of real deployments. */
export async function checkPermissions(checklist: Checklist, { stack, workshop }: Scene): Promise<void> {
  const port = Number(workshop.env['GATEWAY_PORT']);
  const callsOf = async (secrets: NodeJS.ProcessEnv, wish: Pick<Attempt, 'flags' | 'withDoctor'> = {}) => {
    const recorder = await startRecorder(port);
    const env = { ...secrets, AWS_ENDPOINT_URL: recorder.url };
    const { code, output } = await stack.attempt('deploy', { secrets: env, ...wish });
    recorder.close();
    holds(code === 0, output.trim().slice(-2_000));
    const own = recorder.calls.filter(({ accessKeyId }) => accessKeyId === DEPLOYER);
    const actions = [...new Set(own.map(({ action }) => action))].filter((action) => !FREE.has(action));
    return { actions: actions.sort(), all: recorder.calls.length };
  };
  await checklist.check(
    "a CI role's deployment makes the calls of its documented policy, and reads no secret (not played: refusals by IAM)",
    async () => {
      const { actions, all } = await callsOf({});
      same('The calls', actions, actionsOf('ci-policy.json'));
      holds(!actions.some((action) => /GetParameter/.test(action)), 'It reads a secret.');
      return `${actions.length} actions of its own in ${all} calls`;
    },
  );
  await checklist.check(
    "a person's deployment with keys, checked by doctor, makes the calls of its documented policy",
    async () => {
      const secrets = { ...stack.given, ALERT_WEBHOOK_URL: `https://hooks.slack.com/services/${Date.now()}` };
      const { actions } = await callsOf(secrets, { flags: ['--replace-secrets'], withDoctor: true });
      same('The calls', actions, actionsOf('deployer-policy.json'));
      return `${actions.length} actions`;
    },
  );
}

interface Statement {
  readonly Sid: string;
  readonly Action: readonly string[];
}

/** @param sid selects one statement; if absent, the everyday ones */
export function actionsOf(file: string, sid?: string): readonly string[] {
  const text = readFileSync(join(PROJECT_ROOT, 'docs/operations', file), 'utf8');
  const { Statement }: { Statement: readonly Statement[] } = JSON.parse(text);
  const daily = Statement.filter(({ Sid }) => (sid === undefined ? !FOR_OTHER_DAYS.has(Sid) : Sid === sid));
  return [...new Set(daily.flatMap(({ Action }) => Action))].sort();
}
