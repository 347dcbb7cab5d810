import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PolicyInput } from '#shared/field-policy';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { configurationOf, liveVersion, tablesMade } from './lambda.ts';
import { actionsOf, SWITCH_BACK } from './permissions.ts';
import { startRecorder } from './recorder.ts';
import type { Scene } from './scene.ts';
import { contactIsEnriched } from './webhooks.ts';

/** Fields of a large team. None is written, because only their number matters here. */
const MANY = Object.fromEntries(
  Array.from({ length: 260 }, (_, index) => [
    `team_field_${index}`,
    { from: 'title', convert: 'text', write: 'never', optional: true } as const,
  ]),
);

const CHANGED: PolicyInput = {
  version: 'changed-2',
  budgets: { perDay: 150, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
  fields: { contacts: MANY },
};

/** Deploys a changed policy to the same functions and tables. It is longer than a function's environment. */
export async function checkDeployments(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, workshop } = scene;
  await checklist.check('a policy of 20 KB updates the functions in place', async () => {
    const before = await stack.describe();
    const tables = await tablesMade();
    const policy = join(workshop.folder, 'policy.ts');
    const json = JSON.stringify(CHANGED);
    holds(json.length > 20_000, `It has ${json.length} bytes.`);
    await writeFile(policy, `export default ${json};\n`);
    await stack.deploy({ policy });
    same('The stack', await stack.describe(), before);
    same('The tables', await tablesMade(), tables);
    return `${json.length} bytes`;
  });
  await checklist.check('and the next record is explained by the new policy', async () => {
    const { objectType, id } = await contactIsEnriched(scene, 4);
    const { runs }: { runs: { policyVersion: string }[] } = await stack.cli('explain', `${objectType}/${id}`);
    same(
      'The policies of its runs',
      runs.map(({ policyVersion }) => policyVersion),
      ['changed-2'],
    );
  });
}

/** Deploys a newer version with a higher format over the data of this one. */
export async function checkRollBack(checklist: Checklist, { stack, workshop }: Scene): Promise<void> {
  const root = join(workshop.folder, 'newer');
  await checklist.check('a version with another format is not deployed over the data', async () => {
    await copyNewer(root);
    const before = await stack.describe();
    const { code, output } = await stack.attempt('deploy', { root });
    same('Its end', code, 1);
    holds(/wrote the data, .*nothing was changed\. Keep version/.test(output), output);
    same('The stack', await stack.describe(), before);
    return undefined;
  });
}

/** This project with a higher format, as a later release would have it. */
async function copyNewer(root: string): Promise<void> {
  await mkdir(root);
  for (const name of ['functions', 'infra', 'shared', 'cdk.json', 'package.json', 'tsconfig.json'])
    await cp(join(PROJECT_ROOT, name), join(root, name), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  await edit(join(root, 'package.json'), /"version": "[^"]+"/, '"version": "9.9.9"');
  await edit(join(root, 'shared/store/transactions.ts'), /FORMAT = \d+/, 'FORMAT = 99');
}

async function edit(path: string, from: RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  holds(from.test(text), `${path} lacks ${from}.`);
  await writeFile(path, text.replace(from, to));
}

const MOST_SECONDS = 60;

/** Deploys a change of all functions, goes back to the release before, and forward again. */
export async function checkSwitchBack(checklist: Checklist, scene: Scene): Promise<void> {
  const recorder = await startRecorder(Number(scene.workshop.env['GATEWAY_PORT']));
  await checkVersions(checklist, scene, { AWS_ENDPOINT_URL: recorder.url });
  recorder.close();
  await checklist.check('npm run back makes the calls of its documented policy', async () => {
    const called = new Set(
      recorder.calls.map(({ action }) => action).filter((action) => /^lambda:/.test(action)),
    );
    same('Its calls', [...called].sort(), actionsOf('deployer-policy.json', SWITCH_BACK));
    return undefined;
  });
  await checklist.check('and the former version works: webhooks, queues and schedules call it', async () => {
    await contactIsEnriched(scene, 13);
    return undefined;
  });
}

/** @param access environment of the command that goes back */
export async function checkVersions(
  checklist: Checklist,
  { stack }: Pick<Scene, 'stack'>,
  access: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { outputs } = await stack.describe();
  const names = Object.keys(outputs).flatMap((key) => (key.endsWith('Function') ? [outputs[key] ?? ''] : []));
  const versions = async () =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await liveVersion(name)])));
  const before = await versions();
  await checklist.check('a deployment with tracing points every alias to a new version', async () => {
    await stack.deploy({ tracing: 'true' });
    const after = await versions();
    for (const name of names)
      holds(Number(after[name]) > Number(before[name]), `${name}: ${before[name]}, ${after[name]}`);
    const { TracingConfig } = await configurationOf(names[0] ?? '');
    same('Tracing', TracingConfig?.Mode, 'Active');
    return `${names.length} functions`;
  });
  await checklist.check('npm run back points all of them to the former version within a minute', async () => {
    const started = performance.now();
    const { code, output } = await stack.attempt('back', { flags: ['--yes'], secrets: access });
    const seconds = (performance.now() - started) / 1_000;
    holds(code === 0, output);
    holds(seconds < MOST_SECONDS, `It took ${seconds} s.`);
    same('The aliases', await versions(), before);
    return `${seconds.toFixed(1)} s`;
  });
}
