import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { FORMAT } from '#shared/versioned-items';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { startEmbeddedAws } from '../../infra/local/embedded-aws.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { settingsError } from '../../infra/local/settings-error.ts';
import { start } from '../../infra/local/start.ts';
import { TABLES } from '../../infra/local/tables.ts';
import { startProgram } from '../builders/programs.ts';
import { runCommand, type StandIns, startStandIns } from '../unit/infra/cli/console.ts';

type Item = Readonly<Record<string, unknown>>;

let folder = '';
/** What the first start has printed. */
const first = { out: '' };
const startIn = (name: string, ...args: readonly string[]) =>
  startProgram('infra/local/main.ts', args, { DATA_DIR: join(folder, name) }).ended;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
  // As another version has left it.
  await mkdir(join(folder, 'made/sandbox'), { recursive: true });
  await writeFile(join(folder, 'made/sandbox/state.json'), JSON.stringify({ format: 1 }));
  const settings = readLocalSettings(['--once', '--fresh'], { DATA_DIR: join(folder, 'made') });
  const code = await start(settings, (line) => {
    first.out += `${line}\n`;
  });
  expect(code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stateOf(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, name, 'sandbox/state.json'), 'utf8'));
}

/** All items of a folder. */
async function itemsOf(name: string): Promise<readonly Item[]> {
  const { tables } = await stateOf(name);
  const aws = await startEmbeddedAws({
    clock: systemClock,
    folder: join(folder, name, 'sandbox', String(tables)),
  });
  const items: Item[] = [];
  for (const TableName of Object.values(TABLES))
    for await (const { Items = [] } of paginateScan({ client: aws.dynamo }, { TableName }))
      items.push(...Items);
  await aws.close();
  return items;
}

it('every item has the format, and its key and partition of an index begin with the account', async () => {
  const items = await itemsOf('made');
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
  let standIns: StandIns;
  beforeAll(async () => {
    standIns = await startStandIns({}, { hasWorkers: false });
    const [company] = await standIns.records('company');
    const id = await standIns.create('companies', { domain: company?.['primary_domain'] });
    await standIns.run(['setup']);
    expect(await standIns.run(['enrich', `companies/${id}`, '--yes'])).toMatchObject({ code: 0 });
  });
  afterAll(() => standIns.stop());

  it.each([
    ['records', 'runs', 'all', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['ledger', 'ledger', 'all', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['ledger', 'ledger', 'the last', `of format ${FORMAT + 1}`, FORMAT + 1],
    ['records', 'runs', 'all', 'of format 1', 1],
    ['ledger', 'ledger', 'all', 'of format 1', 1],
    ['ledger', 'ledger', 'all', 'without a format', undefined],
  ])('%s (%s verify), %s %s', async (TableName, command, which, _, format) => {
    const write = async (items: readonly Item[]) => {
      for (const Item of items) await standIns.dynamo.send(new PutCommand({ TableName, Item }));
    };
    const items = standIns.items(TableName);
    const chosen = which === 'all' ? items : items.slice(-1);
    onTestFinished(() => write(chosen));
    await write(chosen.map((item) => ({ ...item, format })));
    const before = standIns.items(TableName);
    const { code, json } = await standIns.run([command, 'verify', '--json']);
    expect([code, json()]).toMatchObject([1, { error: { code: 'ITEM_FORMAT_UNKNOWN' } }]);
    expect(standIns.items(TableName)).toEqual(before);
  });
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
    const command = await runCommand(['spend'], { env: { DATA_DIR: join(folder, writer) } });
    expect(command.code).toBe(EXIT.usage);
    const refused: { readonly out: string; readonly err: string }[] = [command];
    // Each start is a process of its own.
    if (format === 1) {
      const started = await startIn(writer, '--once');
      expect(started.code).toBe(1);
      refused.push(started);
    }
    const file = join(path, 'state.json');
    const err = `${settingsError('folder-of-other-version', { file, writer }).message}\n`;
    for (const each of refused) expect(each).toMatchObject({ out: '', err });
    expect(await filesIn(path)).toEqual(before);
  });

  it('is replaced by --fresh', async () => {
    expect(await stateOf('made')).toMatchObject({ format: FORMAT });
  });
});
