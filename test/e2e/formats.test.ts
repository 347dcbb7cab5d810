import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/versioned-items';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { storeFileIn } from '../../infra/local/local-store.ts';
import { type Ended, startProgram } from '../builders/programs.ts';
import { runCommand } from '../unit/infra/cli/console.ts';

interface Item {
  readonly tbl: string;
  readonly key: string;
  readonly part: string | null;
  readonly format: number;
  readonly body: string;
}

let folder = '';
let first: Ended;
const start = (...args: readonly string[]) => startIn('made', ...args);
const startIn = (name: string, ...args: readonly string[]) =>
  startProgram('infra/local/main.ts', args, { DATA_DIR: join(folder, name) }).ended;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
  first = await start('--once', '--fresh');
  expect(first).toMatchObject({ code: 0, err: '' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stateOf(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, name, 'sandbox/state.json'), 'utf8'));
}

/** Reads all items of a folder, in the order of their keys, after `change` has changed the file. */
async function itemsOf(
  name: string,
  change: (database: DatabaseSync) => unknown = () => undefined,
): Promise<readonly Item[]> {
  const { tables } = await stateOf(name);
  const database = new DatabaseSync(storeFileIn(join(folder, name, 'sandbox', String(tables))));
  change(database);
  const items = database.prepare('SELECT * FROM items ORDER BY tbl, key').all();
  database.close();
  return items as unknown as Item[];
}

it('every item has the format, and its key and partition of an index begin with the account', async () => {
  const items = await itemsOf('made');
  const places = items.flatMap(({ key, part }) => [key, part ?? key]);
  expect(items.length).toBeGreaterThan(10);
  expect(places.filter((place) => !place.startsWith('default#'))).toEqual([]);
  expect(new Set(items.map(({ format }) => format))).toEqual(new Set([FORMAT]));
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
  const { hubSpot } = await stateOf('made');
  return Object(hubSpot).writes;
}

describe('items of another format are refused in a sentence', () => {
  const newer = 'A newer version wrote them: deploy it again.';
  const older = 'An older version wrote them: use that version.';
  it.each([
    ['records', 'runs', 'all', FORMAT + 1, newer],
    ['ledger', 'ledger', 'all', FORMAT + 1, newer],
    ['ledger', 'ledger', 'the last', FORMAT + 1, newer],
    ['records', 'runs', 'all', 1, older],
    ['ledger', 'ledger', 'all', 1, older],
  ])(
    '%s (%s verify), %s of format %i',
    async (table, command, which, format, advice) => {
      const name = `${table} ${which} ${format}`;
      await cp(join(folder, 'made'), join(folder, name), { recursive: true });
      const before = await itemsOf(name, (database) => {
        const last = which === 'all' ? '' : 'AND key = (SELECT max(key) FROM items WHERE tbl = :table)';
        const changed = database.prepare(`UPDATE items SET format = :format WHERE tbl = :table ${last}`);
        changed.run({ table, format });
      });
      const run = await runCommand([command, 'verify'], { env: { DATA_DIR: join(folder, name) } });
      expect([run.code, run.out, run.err]).toEqual([
        1,
        '',
        expect.stringContaining(
          `hold items of format ${format}, and this version reads format ${FORMAT} only. ${advice}`,
        ),
      ]);
      const of = (items: readonly Item[]) => items.filter(({ tbl }) => tbl === table);
      expect(of(await itemsOf(name))).toEqual(of(before));
    },
    60_000,
  );
});

describe('a data folder of another format', () => {
  const filesIn = async (path: string) => {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((each) => join(each.parentPath, each.name));
    return Promise.all(files.toSorted().map(async (file) => [file, await readFile(file, 'base64')]));
  };

  it.each([
    ['version 0.2', 1],
    ['a newer version', FORMAT + 1],
  ])('is refused in one sentence with the way out, and nothing in it changes: %s', async (writer, format) => {
    const path = join(folder, writer, 'sandbox');
    await cp(join(folder, 'made'), join(folder, writer), { recursive: true });
    await writeFile(join(path, 'state.json'), JSON.stringify({ ...(await stateOf(writer)), format }));
    const before = await filesIn(path);
    const refused = [
      await startIn(writer, '--once'),
      await runCommand(['spend'], { env: { DATA_DIR: join(folder, writer) } }),
    ];
    expect(refused.map(({ code }) => code)).toEqual([1, EXIT.usage]);
    for (const { out, err } of refused) {
      expect({ out, lines: err.trim().split('\n').length }).toEqual({ out: '', lines: 1 });
      for (const part of [writer, '--fresh', 'DATA_DIR']) expect(err).toContain(part);
    }
    expect(await filesIn(path)).toEqual(before);
  });

  it('is replaced by --fresh', async () => {
    expect(await startIn('version 0.2', '--once', '--fresh')).toMatchObject({ code: 0, err: '' });
    expect(await stateOf('version 0.2')).toMatchObject({ format: FORMAT });
  });
});
