import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/versioned-items';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { startEmbeddedAws } from '../../infra/local/embedded-aws.ts';
import { settingsError } from '../../infra/local/settings-error.ts';
import { TABLES } from '../../infra/local/tables.ts';
import { type Ended, startProgram } from '../builders/programs.ts';
import { runCommand } from '../unit/infra/cli/console.ts';

type Item = Readonly<Record<string, unknown>>;

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

/** Reads all items of a folder after `change` has changed them. */
async function itemsOf(
  name: string,
  change: (items: Readonly<Record<string, Item[]>>) => readonly (readonly [string, Item])[] = () => [],
): Promise<Readonly<Record<string, Item[]>>> {
  const { tables } = await stateOf(name);
  const aws = await startEmbeddedAws({ folder: join(folder, name, 'sandbox', String(tables)) });
  const scan = async () => {
    const found: Record<string, Item[]> = {};
    for (const TableName of Object.values(TABLES)) {
      found[TableName] = [];
      for await (const { Items = [] } of paginateScan({ client: aws.dynamo }, { TableName }))
        found[TableName].push(...Items);
    }
    return found;
  };
  for (const [TableName, Item] of change(await scan()))
    await aws.dynamo.send(new PutCommand({ TableName, Item }));
  const items = await scan();
  await aws.close();
  return items;
}

it('every item has the format, and its key and partition of an index begin with the account', async () => {
  const items = Object.values(await itemsOf('made')).flat();
  const places = items.flatMap(({ pk, indexPartition = pk }) => [pk, indexPartition].map(String));
  expect(items.length).toBeGreaterThan(10);
  expect(places.filter((place) => !place.startsWith('default#'))).toEqual([]);
  expect(new Set(items.map(({ format }) => format))).toEqual(new Set([FORMAT]));
});

/** Here, because the data of this version are made by the same start. */
describe('npm start -- --once', () => {
  it('shows the main job and ends with 0; again, it spends and writes nothing', async () => {
    for (const outcome of [/ enriched\b.* 3\b/, / unmatched\b.* 1\b/, / skipped\b.* 0\b/])
      expect(first.out).toMatch(outcome);
    const done = await outside();
    expect(done.creditsCharged).toBeGreaterThan(0);
    expect(await start('--once')).toMatchObject({ code: 0, err: '' });
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
    ['records', 'runs', 'all', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['ledger', 'ledger', 'all', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['ledger', 'ledger', 'the last', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['records', 'runs', 'all', 'of format 1', 1],
    ['ledger', 'ledger', 'all', 'of format 1', 1],
    ['ledger', 'ledger', 'all', 'without a format', undefined],
  ])(
    '%s (%s verify), %s %s',
    async (table, command, which, found, format) => {
      const name = `${table} ${which} ${found}`;
      await cp(join(folder, 'made'), join(folder, name), { recursive: true });
      const before = await itemsOf(name, (tables) => {
        const items = tables[table] ?? [];
        const changed = which === 'all' ? items : items.slice(-1);
        return changed.map((item) => [table, { ...item, format }]);
      });
      const env = { DATA_DIR: join(folder, name) };
      const { code, json } = await runCommand([command, 'verify', '--json'], { env });
      expect([code, json()]).toMatchObject([1, { error: { code: 'ITEM_FORMAT_UNKNOWN' } }]);
      expect((await itemsOf(name))[table]).toEqual(before[table]);
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
    const file = join(path, 'state.json');
    const err = `${settingsError('folder-of-other-version', { file, writer }).message}\n`;
    for (const each of refused) expect(each).toMatchObject({ out: '', err });
    expect(await filesIn(path)).toEqual(before);
  });

  it('is replaced by --fresh', async () => {
    expect(await startIn('version 0.2', '--once', '--fresh')).toMatchObject({ code: 0, err: '' });
    expect(await stateOf('version 0.2')).toMatchObject({ format: FORMAT });
  });
});
