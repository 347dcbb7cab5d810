import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#inside/kernel/clock.system.ts';
import { PROJECT_ROOT } from '../../../../infra/aws/project-root.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { POLICY_FILE } from '../../../builders/policy-file.ts';
import { askHubSpot, startStandIns } from './console.ts';

/** The program as a person starts it, with its outputs and its end. */
function start(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'infra/cli/main.ts'), ...words, '--json'], {
    env: { PATH, POLICY: POLICY_FILE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    if (text.out === '') throw new Error(text.err);
    return { code, json: JSON.parse(text.out) };
  });
  /** To be called once: a second Ctrl-C ends the process at once. */
  return { interrupt: () => child.kill('SIGINT'), ended };
}

it('rehearse hubspot removes its records at Ctrl-C, and keeps what it has seen', async () => {
  const sandbox = createHubSpotSandbox({ clock: systemClock });
  let onCreation = (): unknown => undefined;
  const handle: typeof sandbox.handle = async (request) => {
    const answer = await sandbox.handle(request);
    if (request.url.endsWith('/batch/create')) onCreation();
    return answer;
  };
  const served = await serveSandbox({ handle, port: 0 });
  const dataFolder = await mkdtemp(join(tmpdir(), 'ctrl-c-'));
  const env = { HUBSPOT_ACCESS_TOKEN: 'sandbox-token', HUBSPOT_BASE_URL: served.url, DATA_DIR: dataFolder };
  const words = ['rehearse', 'hubspot', '--account', '24170001'];
  const records = async () => {
    const { records } = await askHubSpot(sandbox.handle, { method: 'GET', path: '/_sandbox/records' });
    return records as readonly { archived: boolean }[];
  };
  const journal = async () =>
    JSON.parse(await readFile(join(dataFolder, 'rehearsal/hubspot.json'), 'utf8')) as { steps: object };

  const rehearsing = start(words, env);
  onCreation = () => {
    onCreation = () => undefined;
    rehearsing.interrupt();
  };
  expect(await rehearsing.ended).toMatchObject({
    code: 1,
    json: {
      error: {
        code: 'stopped',
        message: 'Stopped. All records of the rehearsal are removed. To continue: rehearse hubspot',
      },
    },
  });
  expect((await records()).map(({ archived }) => archived)).toContain(true);
  expect((await records()).map(({ archived }) => archived)).not.toContain(false);
  expect(Object.keys((await journal()).steps)).toEqual(['token', 'limits', 'searches']);
  await served.close();
  await rm(dataFolder, { recursive: true, force: true });
});

it('probe books at Ctrl-C every credit that was charged, and asks nothing more', async () => {
  const standIns = await startStandIns({ latencyMs: 500 });
  const [company] = await standIns.records('company');
  const domain = String(company?.['primary_domain']);
  const words = ['probe', '--max-credits', '4', '--domain', domain, '--yes'];
  const probing = start(words, standIns.env);
  while ((await standIns.bill()) === 0) await systemClock.sleep(20);
  probing.interrupt();
  const { code, json } = await probing.ended;
  expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'stopped' } } });
  const charged = await standIns.bill();
  expect(charged).toBeGreaterThan(0);
  expect(charged).toBeLessThan(4);
  const books = (await standIns.run(['ledger', 'verify', '--json'])).json() as {
    ok: boolean;
    lifetime: Record<'posted' | 'pending' | 'doubtful', number>;
  };
  const { posted, pending, doubtful } = books.lifetime;
  expect(books.ok).toBe(true);
  expect(posted + pending + doubtful).toBeGreaterThanOrEqual(charged);
  await standIns.stop();
});
