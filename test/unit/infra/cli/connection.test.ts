import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { installationLine } from '../../../../infra/cli/connection/connection.ts';
import { settingsOf } from '../../../../infra/cli/connection/connections.ts';
import { connectLocal } from '../../../../infra/cli/connection/local-connection.ts';
import { POLICY_FILE } from '../../../../infra/load-policy.ts';
import { announcementIn, holdFolder, holdStandIns } from '../../../../infra/local/announce.ts';
import { openDataFolder } from '../../../../infra/local/data-folder.ts';
import { settingsError } from '../../../../infra/local/settings-error.ts';
import { start } from '../../../../infra/local/start.ts';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { announced } from '../../../harness/announced.ts';
import { runCommand } from '../../../harness/console.ts';

let dataFolder = '';
const folder = () => join(dataFolder, 'sandbox');
const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCommand(words, { env: { DATA_DIR: dataFolder, ...more } });

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  await openDataFolder({ path: folder(), fresh: false, nowMs: systemClock.now() });
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

describe('without a running system', () => {
  it('opens the folder, and leaves books and stand-ins as they are', async () => {
    const words = ['lookup', 'email', 'lee.nobody@unknown-firm.com', '--json', '--yes'];
    expect((await run(words)).json()).toMatchObject({ credits: 1 });
    expect((await run(words)).json()).toMatchObject({ credits: 0, fromStore: true });
    const saved = JSON.parse(await readFile(join(folder(), 'state.json'), 'utf8'));
    expect(saved.dataService.bill.creditsCharged).toBe(1);
    expect((await run(['spend', '--json'])).json()).toMatchObject({ spentTodayCredits: 1 });
    await (await holdFolder(folder(), systemClock)).release();
  });

  it('waits for a command that runs the stand-ins, and only if it needs them', async () => {
    const release = await holdStandIns(folder(), systemClock);
    const waiting = vi.spyOn(systemClock, 'sleep').mockImplementationOnce(async () => release());
    onTestFinished(() => waiting.mockRestore());
    expect((await run(['budgets'])).code).toBe(0);
    expect(waiting).not.toHaveBeenCalled();
    expect((await run(['lookup', 'email', 'lee.nobody@unknown-firm.com', '--yes'])).code).toBe(4);
    expect(waiting).toHaveBeenCalled();
  });

  it('does not spend for books that were replaced meanwhile', async () => {
    const connection = await connectLocal(settingsOf({}, { env: { DATA_DIR: dataFolder } }), {
      clock: systemClock,
    });
    await openDataFolder({ path: folder(), fresh: true, nowMs: systemClock.now() });
    await expect(connection.services.hubSpot.accountDetails()).rejects.toMatchObject({
      code: 'folder-replaced',
    });
    await connection.close();
  });
});

describe('a folder without books', () => {
  const COMMANDS = [
    ['doubts', 'list'],
    ['ledger', 'verify'],
    ['spend'],
    ['budgets', '--csv'],
    ['queue', 'status'],
    ['doctor'],
    ['lookup', 'email', 'lee.nobody@unknown-firm.com', '--yes'],
    ['spend', 'stop', '--reason', 'budget review'],
    ['spend', 'resume'],
  ];

  it.each(COMMANDS.map((words) => [words.join(' '), words]))(
    'is refused and left alone by %s',
    async (_, words) => {
      const typo = join(dataFolder, 'typo');
      for (const DATA_DIR of [typo, join(dataFolder, 'moved')]) {
        if (DATA_DIR !== typo) await mkdir(DATA_DIR, { recursive: true });
        const { code, out, err } = await run(words, { DATA_DIR });
        const { message } = settingsError('no-books', { folder: join(DATA_DIR, 'sandbox') });
        expect([code, out, err]).toEqual([2, '', `${message}\n`]);
      }
      expect((await readdir(dataFolder)).sort()).toEqual(['moved', 'sandbox']);
      expect(await readdir(join(dataFolder, 'moved'))).toEqual([]);
    },
  );

  it.each([
    ['setup', ['setup']],
    ['probe', ['probe', '--max-credits', '1', '--yes']],
  ])('gets them by %s, and then every command reads them', async (_, words) => {
    const env = { DATA_DIR: join(dataFolder, 'new') };
    expect((await run(words, env)).code).toBe(0);
    expect(await run(['budgets', '--csv'], env)).toMatchObject({ code: 0 });
    await rm(env.DATA_DIR, { recursive: true });
    expect((await run(['budgets'], env)).code).toBe(2);
  });
});

it('the installation that a command looks at is named on standard error as the stand-ins, and standard output has only the result', async () => {
  const { err, json } = await run(['doubts', 'list', '--json']);
  const portal = { known: async () => undefined };
  const line = await installationLine({ isReal: false, path: folder(), services: { portal } });
  expect(err).toBe(`${line}\n`);
  expect(json()).toEqual([]);
  const { out } = await run(['doubts', 'list', '--csv']);
  expect(out).toMatch(/^since,[\w,]+\r\n$/);
});

it.each([
  ['a process that is gone', { pid: 2 ** 30 }],
  ['an earlier process with our own id', { pid: process.pid }],
  ['a process whose id another program has by now', { pid: process.ppid, url: 'http://127.0.0.1:9' }],
])('a data folder is free when it was left by %s', async (_, holder) => {
  await run(['budgets']);
  await writeFile(
    join(folder(), 'running.json'),
    JSON.stringify({ ...holder, folder: await realpath(folder()) }),
  );
  expect((await run(['budgets'])).code).toBe(0);
  await (await holdFolder(folder(), systemClock)).release();
});

it('beside a running system uses its tables, stand-ins and policy, unless another is named: then it names both', async () => {
  const policyFile = join(dataFolder, 'laptop-policy.mjs');
  await writeFile(policyFile, "export default { version: 'of-the-laptop', budgets: { perDay: 50 } };\n");
  const settings = {
    once: true,
    fresh: false,
    month: false,
    dataFolder,
    policyFile,
    port: 0,
    alertWebhookUrl: '',
  };
  const running = start(settings, () => undefined);
  await announced(folder());
  const asked = await run(['lookup', 'email', 'lee.nobody@unknown-firm.com', '--json', '--yes']);
  expect(asked.json()).toMatchObject({ credits: 1 });
  const [own, named] = [
    await run(['policy', 'check', '--json'], { POLICY: '' }),
    await run(['--policy', POLICY_FILE, 'policy', 'check', '--json']),
  ];
  expect(await running).toBe(0);
  expect(own.json()).toMatchObject({ version: 'of-the-laptop' });
  expect(own.err).not.toContain(policyFile);
  expect(named.json()).not.toMatchObject({ version: 'of-the-laptop' });
  for (const file of [POLICY_FILE, policyFile]) expect(named.err).toContain(file);
  expect(await announcementIn(folder())).toBeUndefined();
  const bySystemAndUs = await run(['spend', '--by', 'purpose', '--json']);
  expect(JSON.parse(bySystemAndUs.out)).toMatchObject([{ name: 'live' }, { name: 'manual', credits: 1 }]);
});

describe('with the settings of real services', () => {
  it('asks them, within their own budget and books', async () => {
    const sandbox = createDataServiceSandbox({ clock: systemClock });
    const served = await serveSandbox({ handle: sandbox.handle, port: 0 });
    const real = {
      DATA_SERVICE_BASE_URL: served.url,
      DATA_SERVICE_API_KEY: 'sandbox-key',
      HUBSPOT_ACCESS_TOKEN: 'token',
      HUBSPOT_CLIENT_SECRET: 'secret',
      CREDITS_PER_DAY: '1',
    };
    const words = ['lookup', 'email', 'lee.nobody@unknown-firm.com'];
    const path = join(dataFolder, 'real');
    await openDataFolder({ path, fresh: false, nowMs: systemClock.now() });
    const unasked = await run(words, real);
    const placeOf = (portal?: { readonly portalId: string; readonly by: 'setting' }) =>
      installationLine({ isReal: true, path, services: { portal: { known: async () => portal } } });
    expect(unasked.err.split('\n')[0]).toBe(await placeOf());
    const named = await run(words, { ...real, HUBSPOT_PORTAL_ID: '24' });
    expect(named.err.split('\n')[0]).toBe(await placeOf({ portalId: '24', by: 'setting' }));
    expect(unasked.err).toContain(path);
    expect((await run([...words, '--yes'], real)).code).toBe(4);
    const refused = await run(['lookup', 'email', 'other@unknown-firm.com', '--yes'], real);
    expect(refused.code).toBe(3);
    expect(sandbox.bill().creditsCharged).toBe(1);
    await served.close();
  });

  it('refuses half of them, and names what is missing', async () => {
    const { code, json } = await run(['budgets', '--json'], { DATA_SERVICE_API_KEY: 'sandbox-key' });
    const settings = ['DATA_SERVICE_BASE_URL', 'HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET'];
    expect(json()).toMatchObject({ error: { code: 'settings-missing', params: { settings } } });
    expect(code).toBe(2);
  });
});
