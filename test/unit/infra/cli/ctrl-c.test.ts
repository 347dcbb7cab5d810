import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { SAVED_QUESTION } from '../../../../infra/cli/commands/rehearse.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { askHubSpot, runCommand } from '../../../harness/console.ts';
import { POLICY_FILE } from '../../../harness/policy-file.ts';
import { startProgram } from '../../../harness/programs.ts';

/** Makes the pipes of the program look like a terminal. It is closed, so it fails where a question ends. */
const AS_TERMINAL = `--import=data:text/javascript,${encodeURIComponent(`
  for (const one of [process.stdin, process.stderr]) Object.defineProperty(one, 'isTTY', { value: true });
  process.stdin.setRawMode = (isRaw) => {
    if (!isRaw) process.stdin.emit('error', Object.assign(new Error('setRawMode EIO'), { code: 'EIO' }));
  };`)}`;

const REHEARSE = ['rehearse', 'hubspot', '--account', '24170001', '--json', '--step'];

/** The program as a person starts it. */
const rehearse = (step: string, env: Readonly<Record<string, string>>) =>
  startProgram('infra/cli/main.ts', [...REHEARSE, step], { POLICY: POLICY_FILE, ...env });

/** HubSpot's stand-in on a port, for a rehearsal. `on` sees each request of the rehearsal before its answer leaves. */
async function openAccount() {
  const sandbox = createHubSpotSandbox({ clock: systemClock });
  const listeners: Record<string, () => unknown> = {};
  const served = await serveSandbox({
    handle: async (request) => {
      const answer = await sandbox.handle(request);
      const [path = ''] = Object.keys(listeners).filter((each) => request.url.endsWith(each));
      await listeners[path]?.();
      return answer;
    },
    port: 0,
  });
  const dataFolder = await mkdtemp(join(tmpdir(), 'ctrl-c-'));
  return {
    env: { HUBSPOT_ACCESS_TOKEN: 'sandbox-token', HUBSPOT_BASE_URL: served.url, DATA_DIR: dataFolder },
    /** Sets what happens at the next request whose path ends so. */
    once: (path: string, act: () => unknown) => {
      listeners[path] = () => {
        delete listeners[path];
        return act();
      };
    },
    areArchived: async () => {
      const { records } = await askHubSpot(sandbox.handle, { method: 'GET', path: '/_sandbox/records' });
      return (records as readonly { archived: boolean }[]).map(({ archived }) => archived);
    },
    close: async () => {
      await served.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

it('rehearse hubspot removes its records when its terminal closes during a question', async () => {
  const account = await openAccount();
  const rehearsing = rehearse('person', { ...account.env, NODE_OPTIONS: AS_TERMINAL });
  await rehearsing.line(new RegExp(RegExp.escape(SAVED_QUESTION)));
  const { code, out } = await rehearsing.hangUp();
  expect([code, JSON.parse(out)]).toMatchObject([1, { error: { code: 'stopped' } }]);
  expect(await account.areArchived()).toEqual([true]);
  await account.close();
});

it('a second stop ends rehearse hubspot at once, says what remains, and rehearse clean removes it', async () => {
  const account = await openAccount();
  const rehearsing = rehearse('history', account.env);
  // Two signals at the same time could count as one.
  account.once('/batch/create', () => void rehearsing.interrupt('SIGTERM'));
  account.once('/batch/archive', () => rehearsing.ended);
  account.once('/contacts/batch/read', () => rehearsing.ended);
  await rehearsing.line(/Ctrl-C/);
  const { signal, err } = await rehearsing.interrupt();
  expect({ signal, err }).toEqual({ signal: 'SIGINT', err: expect.stringContaining('rehearse clean') });
  expect(await account.areArchived()).toEqual([false]);
  const { json } = await runCommand(['rehearse', 'clean', '--account', '24170001', '--json'], account);
  expect(json()).toEqual({ found: 1 });
  expect(await account.areArchived()).toEqual([true]);
  await account.close();
});
