import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILURE_TEXTS } from '../../../infra/local/failure.ts';
import { settingsError } from '../../../infra/local/settings-error.ts';
import { REAL_SERVICES } from '../../../infra/local/terminal.ts';
import { sentenceOf } from '../../../infra/text-row.ts';
import { createPrograms } from '../../harness/programs.ts';
import { startServices } from './services.ts';

/** What somebody reads who starts it with something in the way: one sentence each, the same on every command. */
const programs = createPrograms();

let folder = '';
let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-hour-'));
  services = await startServices(programs);
  const good = await programs.npmStart(['--once'], { DATA_DIR: join(folder, 'good') }).ended;
  expect(good).toMatchObject({ code: 0, err: '' });
});
afterAll(async () => {
  await programs.endAll();
  await rm(folder, { recursive: true, force: true });
});

/** The folder of a run that went well, damaged. */
async function damaged(name: string, damage: (path: string) => Promise<unknown>): Promise<string> {
  const path = join(folder, name);
  await cp(join(folder, 'good'), path, { recursive: true });
  await damage(join(path, 'sandbox'));
  return path;
}

/** Writes to it find the disk full. */
const FULL_DISK = '/dev/full';
interface InTheWay {
  readonly name: string;
  readonly damage: (path: string) => Promise<unknown>;
  /** Code of the command's failure; absent where the store ends the process, which then says what the start says. */
  readonly code?: string;
  /** What `npm start` says. */
  readonly told: (path: string, dataFolder: string) => string;
}

const IN_THE_WAY: readonly InTheWay[] = [
  {
    name: 'a-file',
    damage: async (path) => {
      await rm(path, { recursive: true });
      await writeFile(path, '');
    },
    code: 'ENOTDIR',
    told: (place) => sentenceOf(FAILURE_TEXTS.EEXIST, { place }),
  },
  ...['', '{"installedAtMs', '{}', '[1]'].map((text, index) => ({
    name: `state-${index}`,
    damage: (path: string) => writeFile(join(path, 'state.json'), text),
    code: 'folder-damaged',
    told: (path: string) => settingsError('folder-damaged', { file: join(path, 'state.json') }).message,
  })),
  {
    name: 'tables',
    damage: async (path) => {
      const [tables = ''] = (await readdir(path)).filter((name) => name.startsWith('tables'));
      const files = await readdir(join(path, tables));
      await Promise.all(files.map((name) => writeFile(join(path, tables, name), 'no table')));
    },
    told: (_, place) => sentenceOf(FAILURE_TEXTS['store-damaged'], { place }),
  },
];

it('npm start asks HubSpot for the id of its app, and so knows its own writes', async () => {
  const log = await readFile(join(folder, 'good', 'sandbox', 'log.jsonl'), 'utf8');
  expect(log).toContain('"ignored-own-write"');
});

describe('what is in the way of the data folder is told in one sentence, at the start and by a command', () => {
  it.each(IN_THE_WAY)('$name', async ({ name, damage, code, told }) => {
    const DATA_DIR = await damaged(name, damage);
    const words = told(join(DATA_DIR, 'sandbox'), DATA_DIR);
    const start = await programs.npmStart(['--once'], { DATA_DIR }).ended;
    expect(start).toMatchObject({ code: 1, out: '', err: `${words}\n` });
    const command = await programs.cli(['spend', '--json'], { DATA_DIR });
    const { error } = code === undefined ? { error: { message: words } } : JSON.parse(command.out);
    expect(error.code).toBe(code);
    expect([command.code === 0, command.err]).toEqual([false, `${error.message}\n`]);
  });

  it('a disk that is full before the first save', async () => {
    const DATA_DIR = await damaged('full', async (path) => {
      await rm(join(path, 'state.json'));
      await symlink(FULL_DISK, join(path, 'state.json.new'));
    });
    const full = { code: 1, err: `${sentenceOf(FAILURE_TEXTS.ENOSPC, { place: DATA_DIR })}\n` };
    expect(await programs.npmStart(['--once'], { DATA_DIR }).ended).toMatchObject(full);
    expect(await programs.cli(['setup', '--json'], { DATA_DIR })).toMatchObject(full);
  });

  it('with --verbose it says where as well', async () => {
    await mkdir(join(folder, 'verbose'));
    await writeFile(join(folder, 'verbose/sandbox'), '');
    const { err } = await programs.cli(['spend', '--verbose'], { DATA_DIR: join(folder, 'verbose') });
    expect(err).toContain('    at ');
  });

  it('a disk that fills up while it works ends it with one sentence, and with room again it goes on', async () => {
    const DATA_DIR = await damaged('fills', (path) => symlink(FULL_DISK, join(path, 'state.json.new')));
    const { code, err } = await programs.npmStart(['--once'], { DATA_DIR }).ended;
    expect(code).toBe(1);
    expect(err).toContain(sentenceOf(FAILURE_TEXTS.ENOSPC, { place: DATA_DIR }));
    expect(err).not.toContain('    at ');
    await rm(join(DATA_DIR, 'sandbox/state.json.new'), { force: true });
    expect(await programs.npmStart(['--once'], { DATA_DIR }).ended).toMatchObject({ code: 0, err: '' });
  });
});

describe('with the real services', () => {
  const real = (more: Readonly<Record<string, string>> = {}) => ({
    ...services.env,
    DATA_DIR: join(folder, 'books'),
    ...more,
  });

  it('a wrong key is told, and mended it starts with a banner of what it will do', async () => {
    const refused = await programs.npmStart([], real({ DATA_SERVICE_API_KEY: 'sandbox-key-old' })).ended;
    expect(refused.err).toContain('DATA_SERVICE_API_KEY');
    const started = await programs.npmStart(['--once'], real()).ended;
    expect(started).toMatchObject({ code: 0, err: '' });
    const { dataService, hubSpot } = services;
    const facts = ['24170001', hubSpot, dataService, 'CREDITS_PER_DAY', 'infra/policy.ts', '/spend '];
    for (const fact of [REAL_SERVICES, ...facts, 'WEBHOOK_PUBLIC_URL', join(folder, 'books/real')])
      expect(started.out).toContain(fact);
  });

  it('a second start is told of the first, and Ctrl-C ends that with what is in hand', async () => {
    const first = programs.npmStart([], real());
    await first.line(/^Serving/);
    const second = await programs.npmStart([], real()).ended;
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(join(folder, 'books/real')) });
    expect(await first.interrupt()).toMatchObject({ code: 0, err: '' });
  });
});
