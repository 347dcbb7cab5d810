import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { PROJECT_ROOT } from '../../../../infra/aws/names.ts';
import { SAVED_QUESTION } from '../../../../infra/cli/commands/installation/rehearse.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { POLICY_FILE } from '../../../harness/policy-file.ts';
import { askHubSpot, runCommand } from './console.ts';

/** Makes the pipes of the program look like a terminal. It is closed, so it fails where a question ends. */
const AS_TERMINAL = `--import=data:text/javascript,${encodeURIComponent(`
  for (const one of [process.stdin, process.stderr]) Object.defineProperty(one, 'isTTY', { value: true });
  process.stdin.setRawMode = (isRaw) => {
    if (!isRaw) process.stdin.emit('error', Object.assign(new Error('setRawMode EIO'), { code: 'EIO' }));
  };`)}`;

/** The program as a person starts it, with its outputs and its end. */
function start(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { isTerminal = false, stopAt }: { isTerminal?: boolean; stopAt?: readonly [string, NodeJS.Signals] } = {},
) {
  const { PATH } = process.env;
  const main = join(PROJECT_ROOT, 'infra/cli/main.ts');
  const args = [...(isTerminal ? [AS_TERMINAL] : []), main, ...words, '--json'];
  const child = spawn(process.execPath, args, { env: { PATH, POLICY: POLICY_FILE, ...env }, stdio: 'pipe' });
  const text = { out: '', err: '' };
  let isStopped = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
    if (stopAt === undefined || isStopped || !text.err.includes(stopAt[0])) return;
    isStopped = true;
    child.kill(stopAt[1]);
    if (isTerminal) child.stderr.destroy();
  });
  const ended = once(child, 'close').then(([code, signal]: readonly unknown[]) => ({
    code,
    signal,
    ...text,
  }));
  /** After a second stop, there is no document. */
  const json = async () => {
    const { code, out, err } = await ended;
    if (out === '') throw new Error(err);
    return { code, json: JSON.parse(out) };
  };
  return {
    stop: (signal: NodeJS.Signals) => child.kill(signal),
    ended,
    json,
  };
}

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

const REHEARSE = ['rehearse', 'hubspot', '--account', '24170001'];

it('rehearse hubspot removes its records when its terminal closes during a question', async () => {
  const account = await openAccount();
  const rehearsing = start([...REHEARSE, '--step', 'person'], account.env, {
    isTerminal: true,
    stopAt: [SAVED_QUESTION, 'SIGHUP'],
  });
  expect(await rehearsing.json()).toMatchObject({ code: 1, json: { error: { code: 'stopped' } } });
  expect(await account.areArchived()).toEqual([true]);
  await account.close();
});

it('a second stop ends rehearse hubspot at once, says what remains, and rehearse clean removes it', async () => {
  const account = await openAccount();
  const rehearsing = start([...REHEARSE, '--step', 'history'], account.env, {
    // Two signals at the same time could count as one.
    stopAt: ['Ctrl-C', 'SIGINT'],
  });
  account.once('/batch/create', () => rehearsing.stop('SIGTERM'));
  account.once('/batch/archive', () => rehearsing.ended);
  account.once('/contacts/batch/read', () => rehearsing.ended);
  const { signal, err } = await rehearsing.ended;
  expect({ signal, err }).toEqual({ signal: 'SIGINT', err: expect.stringContaining('rehearse clean') });
  expect(await account.areArchived()).toEqual([false]);
  const { json } = await runCommand(['rehearse', 'clean', '--account', '24170001', '--json'], account);
  expect(json()).toEqual({ found: 1 });
  expect(await account.areArchived()).toEqual([true]);
  await account.close();
});
