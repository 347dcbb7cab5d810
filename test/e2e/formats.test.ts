import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#inside/versioned-items/format.ts';
import { type Ended, startProgram } from '../builders/programs.ts';
import { runCommand } from '../unit/infra/cli/console.ts';
import { type KeptData, readDataFolder, readKept, writeDataFolder, writeKept } from './kept-data.ts';

const RELEASED = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json.gz'));
const PRESENT = 'this version';

let folder = '';
let first: Ended;
const start = (...args: readonly string[]) =>
  startProgram('infra/local/main.ts', args, { DATA_DIR: join(folder, 'made') }).ended;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
  first = await start('--once', '--fresh');
  expect(first).toMatchObject({ code: 0, err: '' });
  await writeKept(join(folder, 'present.json.gz'), await readDataFolder(join(folder, 'made/sandbox')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function kept(version: string): Promise<KeptData> {
  return readKept(version === PRESENT ? join(folder, 'present.json.gz') : join(import.meta.dirname, version));
}

/** @returns how a command is run on the data. */
async function restored(name: string, data: KeptData) {
  const path = join(folder, name);
  await writeDataFolder(join(path, 'sandbox'), data);
  return { path, run: (...words: string[]) => runCommand(words, { env: { DATA_DIR: path } }) };
}

describe('data that a version has kept is read by this one', () => {
  it.each([...RELEASED, PRESENT])(
    '%s: books, runs, explanations, undo; and it is written on',
    async (name) => {
      const data = await kept(name);
      const { path, run } = await restored(name, data);
      const posted = data.tables['ledger']?.filter(({ kind }) => kind === 'posted') ?? [];
      const credits = posted.reduce((sum, { amountCredits }) => sum + Number(amountCredits), 0);
      expect(credits).toBeGreaterThan(0);
      expect(await run('ledger', 'verify')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`all hold; ${credits} credits posted`),
      });
      expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ lost: 0 });
      const demos = data.state['demos'] as { objectType: string; id: string }[];
      for (const { objectType, id } of demos) {
        const explained = (await run('explain', `${objectType}/${id}`, '--json')).json();
        expect(explained).toMatchObject({ outcome: { kind: expect.any(String) } });
      }
      const [{ objectType, id } = { objectType: '', id: '' }] = demos;
      expect(await run('undo', `${objectType}/${id}`, '--yes')).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^STAND-INS .*\n$/),
      });
      expect((await run('ledger', 'grant', '--credits', '5', '--note', 'more')).code).toBe(0);
      const { tables } = await readDataFolder(join(path, 'sandbox'));
      expect(tables['records']?.some((item) => item['format'] === FORMAT)).toBe(true);
      expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ lost: 0 });
    },
    60_000,
  );
});

it('every key and every partition of an index begins with the account', async () => {
  const { tables } = await kept(PRESENT);
  const items = Object.values(tables).flat();
  const places = items.flatMap(({ pk, indexPartition = pk }) => [pk, indexPartition].map(String));
  expect(items.length).toBeGreaterThan(10);
  expect(places.filter((place) => !place.startsWith('default#'))).toEqual([]);
});

/** Here, because the data of this version are made by the same start. */
describe('npm start -- --once', () => {
  it('shows the main job and ends with 0; again, it spends and writes nothing', async () => {
    expect(first.out).toContain('The books agree.');
    expect(first.out).toMatch(/Spent in this run: [1-9]\d* credits/);
    for (const outcome of ['enriched, 3 credits', 'unmatched, 1 credit', 'skipped, 0 credits'])
      expect(first.out).toContain(outcome);
    const written = await appWrites();
    const second = await start('--once');
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain('The books agree.');
    expect(second.out).toContain('Spent in this run: 0 credits.');
    expect(await appWrites()).toEqual(written);
  });
});

/** Successful writes of apps that the stand-in HubSpot has counted, as it was saved. */
async function appWrites(): Promise<unknown> {
  const saved = JSON.parse(await readFile(join(folder, 'made/sandbox/state.json'), 'utf8'));
  return saved.hubSpot.writes;
}

describe('items of another format are refused in a sentence', () => {
  const newer = 'A newer version wrote them: deploy it again.';
  const older = 'An older version wrote them: use that version.';
  it.each([
    ['records', 'runs', 'all', 'of format 2', FORMAT + 1, newer],
    ['ledger', 'ledger', 'all', 'of format 2', FORMAT + 1, newer],
    ['ledger', 'ledger', 'the last', 'of format 2', FORMAT + 1, newer],
    ['records', 'runs', 'all', 'without a format', undefined, older],
    ['ledger', 'ledger', 'all', 'without a format', undefined, older],
  ])(
    '%s (%s verify), %s %s',
    async (table, command, which, found, format, advice) => {
      const data = await kept(PRESENT);
      const items = data.tables[table] ?? [];
      const others = items.map((item, nth) =>
        which === 'all' || nth === items.length - 1 ? { ...item, format } : item,
      );
      const { path, run } = await restored(`${table} ${which} ${found}`, {
        ...data,
        tables: { ...data.tables, [table]: others },
      });
      const { code, out, err } = await run(command, 'verify');
      expect([code, out, err]).toEqual([
        1,
        '',
        expect.stringContaining(
          `hold items ${found}, and this version reads format ${FORMAT} only. ${advice}`,
        ),
      ]);
      const { tables } = await readDataFolder(join(path, 'sandbox'));
      expect(tables[table]).toHaveLength(others.length);
    },
    60_000,
  );
});
