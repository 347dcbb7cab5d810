import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrograms } from '../builders/programs.ts';
import { freePort, startServices } from './services.ts';

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

/** What it wrote, with the scratch folder's name, addresses and times taken out. */
function transcript({ out, err }: { out: string; err: string }): string {
  const { dataService, hubSpot } = services;
  return `${out}${err}`
    .replaceAll(dataService, '<data service>')
    .replaceAll(hubSpot, '<HubSpot>')
    .replaceAll(folder, '<folder>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .trimEnd();
}

/** The folder of a run that went well, damaged. */
async function damaged(name: string, damage: (path: string) => Promise<unknown>): Promise<string> {
  const path = join(folder, name);
  await cp(join(folder, 'good'), path, { recursive: true });
  await damage(join(path, 'sandbox'));
  return path;
}

/** Writes to it find the disk full. */
const FULL_DISK = '/dev/full';
const WITHOUT_COPY =
  'restore the folder from a copy. Without a copy, run "npm start -- --fresh" on the stand-ins; with the real services, set another DATA_DIR, which starts without your answers and ledger.';
const IN_THE_WAY: readonly (readonly [
  name: string,
  damage: (path: string) => Promise<unknown>,
  sentence: string,
])[] = [
  [
    'a-file',
    async (path) => {
      await rm(path, { recursive: true });
      await writeFile(path, '');
    },
    'cannot be used, because a file is where a folder should be: move it away, or set DATA_DIR to another folder.',
  ],
  ...['', '{"installedAtMs', '{}', '[1]'].map(
    (text, index) =>
      [
        `state-${index}`,
        (path: string) => writeFile(join(path, 'state.json'), text),
        `/sandbox/state.json is damaged: ${WITHOUT_COPY}`,
      ] as const,
  ),
  [
    'lock',
    (path) => writeFile(join(path, 'lock/CURRENT'), ''),
    '/sandbox/lock is damaged: delete it if nothing of this project is running.',
  ],
  [
    'tables',
    async (path) => {
      const [tables = ''] = (await readdir(path)).filter((name) => name.startsWith('tables'));
      const files = await readdir(join(path, tables));
      await Promise.all(files.map((name) => writeFile(join(path, tables, name), 'no table')));
    },
    `cannot be opened, because the disk is full or they are damaged: make room, or ${WITHOUT_COPY}`,
  ],
];

it('npm start asks HubSpot for the id of its app, and so knows its own writes', async () => {
  const log = await readFile(join(folder, 'good', 'sandbox', 'log.jsonl'), 'utf8');
  expect(log).toContain('"ignored-own-write"');
});

describe('what is in the way of the data folder is told in one sentence, at the start and by a command', () => {
  it.each(IN_THE_WAY)('%s', async (name, damage, sentence) => {
    const DATA_DIR = await damaged(name, damage);
    const start = await programs.npmStart(['--once'], { DATA_DIR }).ended;
    const command = await programs.cli(['spend', '--json'], { DATA_DIR });
    for (const { code, err } of [start, command]) {
      expect(code).toBeGreaterThan(0);
      expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(sentence)]);
    }
    expect(start.out).toBe('');
    expect(JSON.parse(command.out || '{"error":{}}')).toMatchObject({ error: {} });
  });

  it('a disk that is full before the first save', async () => {
    const DATA_DIR = await damaged('full', async (path) => {
      await rm(join(path, 'state.json'));
      await symlink(FULL_DISK, join(path, 'state.json.new'));
    });
    const full =
      'cannot be used, because the disk is full: make room there, or set DATA_DIR to a folder on another disk.';
    for (const { code, err } of [
      await programs.npmStart(['--once'], { DATA_DIR }).ended,
      await programs.cli(['setup', '--json'], { DATA_DIR }),
    ])
      expect([code, err.trimEnd().split('\n')]).toEqual([1, [expect.stringContaining(full)]]);
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
    expect(err).toContain('the disk is full: make room');
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
    expect(transcript(refused)).toBe(
      '<data service> refuses the key: set DATA_SERVICE_API_KEY to an active key.',
    );
    const started = await programs.npmStart(['--once'], real()).ended;
    expect(started).toMatchObject({ code: 0, err: '' });
    expect(transcript(started).split('\n')).toEqual([
      'REAL services: credits are spent, and HubSpot is written to.',
      '  HubSpot       account 24170001 at <HubSpot>',
      '  Data service  <data service>',
      '  Budget        50 credits a day (CREDITS_PER_DAY); 50 may be spent now',
      expect.stringMatching(/^ {2}Touches {7}\d+ properties of contacts and \d+ properties of companies/),
      '  Of            records created since <time>, and records that a person requests',
      '  Policy        infra/policy.ts, version default-1',
      '  Spend         <address>/spend   (also /spend.json and /spend.csv)',
      '  Webhooks      none reach this process (WEBHOOK_PUBLIC_URL): new records are looked for every 15 s',
      '  Data          <folder>/books/real, log in <folder>/books/real/log.jsonl',
      expect.stringMatching(/^Note on time zone: /),
      '',
      expect.stringMatching(/^Created in HubSpot on contacts: /),
      expect.stringMatching(/^Created in HubSpot on companies: /),
    ]);
  });

  it.each([
    ['DATA_SERVICE_BASE_URL', 'set DATA_SERVICE_BASE_URL to the address of the data service.'],
    ['HUBSPOT_BASE_URL', 'see the network, and HUBSPOT_BASE_URL.'],
  ])('an address where nobody is, in %s, is told by a command too', async (name, advice) => {
    const env = real({ [name]: `http://127.0.0.1:${await freePort()}` });
    const { code, err } = await programs.npmStart([], env).ended;
    expect([code, err]).toEqual([1, expect.stringContaining(advice)]);
    const doctor = await programs.cli(['doctor', '--json'], env);
    expect([doctor.code, doctor.err]).toEqual([
      1,
      expect.stringMatching(/^this machine, with real accounts .*\n$/),
    ]);
    expect(doctor.out).toContain(advice.replace(/\.$/, ''));
  });

  it('a second start is told of the first, and Ctrl-C ends that with what is in hand', async () => {
    const first = programs.npmStart([], real());
    await first.line(/^Serving/);
    const second = await programs.npmStart([], real()).ended;
    expect(second.err).toMatch(/^\S+ is in use by process \d+: stop it or set DATA_DIR to another folder/);
    expect(await first.interrupt()).toMatchObject({ code: 0, err: '' });
  });
});

it('Ctrl-C in the middle of the demonstration ends it, and the next start brings it to its end', async () => {
  const env = { DATA_DIR: join(folder, 'interrupted') };
  const running = programs.npmStart(['--once'], env);
  await running.line(/^A person creates/);
  expect(await running.interrupt()).toMatchObject({ code: 130, err: '' });
  const again = await programs.npmStart(['--once'], env).ended;
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain('The books agree.');
});
