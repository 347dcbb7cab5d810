import { type Checklist, holds, same } from './checklist.ts';
import { configurationOf, liveVersion } from './lambda.ts';
import { actionsOf, SWITCH_BACK } from './permissions.ts';
import { startRecorder } from './recorder.ts';
import type { Scene } from './scene.ts';
import { contactIsEnriched } from './webhooks.ts';

const MOST_SECONDS = 60;

/** Deploys a change of all functions, goes back to the release before, and forward again. */
export async function checkSwitchBack(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, workshop } = scene;
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
    const recorder = await startRecorder(Number(workshop.env['GATEWAY_PORT']));
    const started = performance.now();
    const secrets = { AWS_ENDPOINT_URL: recorder.url };
    const { code, output } = await stack.attempt('back', { flags: ['--yes'], secrets });
    recorder.close();
    const seconds = (performance.now() - started) / 1_000;
    holds(code === 0, output);
    holds(seconds < MOST_SECONDS, `It took ${seconds} s.`);
    same('The aliases', await versions(), before);
    const called = new Set(
      recorder.calls.map(({ action }) => action).filter((action) => /^lambda:/.test(action)),
    );
    same('Its calls', [...called].sort(), actionsOf('deployer-policy.json', SWITCH_BACK));
    return `${seconds.toFixed(1)} s`;
  });
  await checklist.check('and the former version works: webhooks, queues and schedules call it', async () => {
    await contactIsEnriched(scene, 13);
    return undefined;
  });
}
