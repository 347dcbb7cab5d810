import { type Checklist, holds } from './checklist.ts';
import { invoke, untilLogged } from './lambda.ts';
import type { Scene } from './scene.ts';

/** Creates a working installation from nothing: the URL first, the keys later. */
export async function checkBirth(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check(
    'one command bootstraps and deploys both stacks from nothing, before there is any key',
    async () => {
      const unasked = await stack.attempt('deploy');
      holds(/Type yes to bootstrap: Nothing was deployed/.test(unasked.output), unasked.output);
      const { code, output } = await stack.attempt('deploy', { flags: ['--bootstrap'] });
      holds(code === 0, `It ended with ${code}: ${output.trim().slice(-2_000)}`);
      const { WebhookUrl = '' } = (await stack.describe()).outputs;
      holds(output.includes(`\nWebhook URL: ${WebhookUrl}\n`), 'It does not print the webhook URL.');
      const warning = /^WARNING: .*DATA_SERVICE_API_KEY, HUBSPOT_ACCESS_TOKEN, HUBSPOT_CLIENT_SECRET/m;
      holds(warning.test(output), 'It does not say which keys are missing.');
      return WebhookUrl;
    },
    { isBasis: true },
  );
}

/** Goes on without keys, and then fills them in. */
export async function checkKeysLater(checklist: Checklist, { stack }: Pick<Scene, 'stack'>): Promise<void> {
  await checklist.check('scheduled runs without keys are no error, and who needs keys says so', async () => {
    await invoke(await stack.output('ReconcileFunction'), { schedule: 'Reconcile' });
    await invoke(await stack.output('RefreshStaleFunction'), { schedule: 'RefreshStale' });
    await untilLogged(stack.name, '"keys-missing"', 'hubSpotAccessToken is not filled in');
    return undefined;
  });
  await checklist.check(
    'a second deployment fills in the keys, and changes neither stack',
    async () => {
      const before = await stack.describe();
      const output = await stack.deploy();
      holds(/^Put into .*: DATA_SERVICE_API_KEY, HUBSPOT_/m.test(output), 'It does not fill in the keys.');
      const unchanged = output.match(/\(no changes\)/g)?.length ?? 0;
      holds(unchanged === 2, `The CDK says "(no changes)" ${unchanged} times: ${output.slice(-2_500)}`);
      const after = await stack.describe();
      holds(JSON.stringify(after) === JSON.stringify(before), 'The stack is another one.');
      return undefined;
    },
    { isBasis: true },
  );
  await checklist.check('and npm run diff finds nothing to change', async () => {
    const output = await stack.diff();
    holds(/Number of stacks with differences: 0/.test(output), `It found: ${output.slice(-1_500)}`);
    return undefined;
  });
}
