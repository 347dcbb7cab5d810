import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/store';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { errorText } from '../../infra/local/failure.ts';
import { storeFileIn } from '../../infra/local/local-store.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { start } from '../../infra/local/start.ts';
import { runCommand } from '../harness/console.ts';

interface Item {
  readonly tbl: string;
  readonly key: string;
  readonly part: string | null;
  readonly format: number;
  readonly body: string;
}

let folder = '';
/** What the first start has printed. */
let first = '';
/** A start in this process, with what it prints. */
async function startIn(name: string, ...args: readonly string[]) {
  let out = '';
  const print = (line: string) => {
    out += `${line}\n`;
  };
  try {
    const code = await start(readLocalSettings(args, { DATA_DIR: join(folder, name) }), print);
    return { code, out, err: '' };
  } catch (error) {
    return { code: 1, out, err: `${errorText(error)}\n` };
  }
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
  // As another version has left it.
  await mkdir(join(folder, 'made/sandbox'), { recursive: true });
  await writeFile(join(folder, 'made/sandbox/state.json'), JSON.stringify({ format: 1 }));
  const made = await startIn('made', '--once', '--fresh');
  expect(made.code).toBe(0);
  first = made.out;
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

it('every item has the format, and its key and partition of an index begin with its owner', async () => {
  const items = await itemsOf('made');
  const places = items.flatMap(({ key, part }) => [key, part ?? key]);
  expect(items.length).toBeGreaterThan(10);
  expect(places.filter((place) => !/^(?:default|portal-1)#/.test(place))).toEqual([]);
  expect(new Set(items.map(({ format }) => format))).toEqual(new Set([FORMAT]));
});

/** Here, because the data of this version are made by the same start. */
describe('npm start -- --once', () => {
  it('shows the main job and ends with 0; again, it spends and writes nothing', async () => {
    for (const outcome of [/ enriched\b.* 3\b/, / unmatched\b.* 1\b/, / skipped\b.* 0\b/])
      expect(first).toMatch(outcome);
    const done = await outside();
    expect(done.creditsCharged).toBeGreaterThan(0);
    expect(await startIn('made', '--once')).toMatchObject({ code: 0, err: '' });
    expect(await outside()).toEqual(done);
  });
});

/** What the stand-ins have charged, and counted as successful writes of apps. */
async function outside(): Promise<{ creditsCharged: number; writes: unknown }> {
  const { dataService, hubSpot } = await stateOf('made');
  return { creditsCharged: Object(dataService).bill.creditsCharged, writes: Object(hubSpot).writes };
}

describe('items of another format are refused', () => {
  it.each([
    ['state', 'runs', 'all', FORMAT + 1],
    ['ledger', 'ledger', 'all', FORMAT + 1],
    ['ledger', 'ledger', 'the last', FORMAT + 1],
    ['state', 'runs', 'all', 1],
    ['ledger', 'ledger', 'all', 1],
  ])(
    '%s (%s verify), %s of format %i',
    async (table, command, which, format) => {
      const name = `${table} ${which} ${format}`;
      await cp(join(folder, 'made'), join(folder, name), { recursive: true });
      const before = await itemsOf(name, (database) => {
        const last = which === 'all' ? '' : 'AND key = (SELECT max(key) FROM items WHERE tbl = :table)';
        const changed = database.prepare(`UPDATE items SET format = :format WHERE tbl = :table ${last}`);
        changed.run({ table, format });
      });
      const env = { DATA_DIR: join(folder, name) };
      const { code, json } = await runCommand([command, 'verify', '--json'], { env });
      expect([code, json()]).toMatchObject([1, { error: { code: 'ITEM_FORMAT_UNKNOWN' } }]);
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
    const spend = (...more: string[]) =>
      runCommand(['spend', ...more], { env: { DATA_DIR: join(folder, writer) } });
    expect((await spend('--json')).json()).toMatchObject({ error: { code: 'folder-of-other-version' } });
    const { code, out, err } = await spend();
    expect([code, out]).toEqual([EXIT.usage, '']);
    expect(err).toContain(join(path, 'state.json'));
    expect(await startIn(writer, '--once')).toMatchObject({ code: 1, out: '', err });
    expect(await filesIn(path)).toEqual(before);
  });

  it('is replaced by --fresh', async () => {
    expect(await stateOf('made')).toMatchObject({ format: FORMAT });
  });
});
