import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { openDataFolder } from '../../infra/local/data-folder.ts';
import { FAILURE_TEXTS, failureOf } from '../../infra/local/failure.ts';
import { storeFileIn } from '../../infra/local/local-store.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { start } from '../../infra/local/start.ts';
import { createSaver, createStandIns } from '../../infra/local/vendors.ts';
import { peopleAt } from '../../infra/local/virtual/people-at-hubspot.ts';
import { sentenceOf } from '../../infra/text-row.ts';
import { runCommand } from '../harness/console.ts';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { POLICY_FILE } from '../harness/policy-file.ts';
import { startProgram } from '../harness/programs.ts';

let root = '';
/** A contact that nothing has looked up. */
let contactId = '';
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'disk-trouble-'));
  expect(await startIn('made')).toBe(0);
  const folder = await openDataFolder({ path: join(root, 'made/sandbox'), fresh: false, nowMs: clock.now() });
  const policy = { whom: {} };
  const keep = async () => undefined;
  const sandbox = createStandIns(folder.saved, {
    clock,
    webhookUrl: 'http://127.0.0.1:9/hubspot',
    policy,
    keep,
  });
  const contact = { hs_linkedin_url: profileUrlOf(somePerson(sandbox, 50)) };
  ({ id: contactId } = await peopleAt(sandbox.hubSpot).create('contacts', contact));
  await createSaver({ folder, vendors: { sandbox } })();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function startIn(name: string): Promise<number> {
  return start(readLocalSettings(['--once'], { DATA_DIR: join(root, name) }), () => undefined);
}

function copy(name: string): string {
  cpSync(join(root, 'made'), join(root, name), { recursive: true });
  return name;
}

function stateOf(name: string) {
  return JSON.parse(readFileSync(join(root, name, 'sandbox/state.json'), 'utf8'));
}

const storeOf = (name: string) => storeFileIn(join(root, name, 'sandbox', stateOf(name).tables));

/** @returns the exit code, and the code of the error. */
async function codes(name: string, ...words: readonly string[]) {
  const { code, json } = await runCommand([...words, '--json'], { env: { DATA_DIR: join(root, name) } });
  return [code, (json()['error'] as { code: string } | undefined)?.code] as const;
}

async function json(name: string, ...words: readonly string[]) {
  return (await runCommand([...words, '--json'], { env: { DATA_DIR: join(root, name) } })).json();
}

/** Names and contents of all files. */
function filesIn(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((each) => join(each.parentPath, each.name));
  return files.toSorted().map((file) => [file, readFileSync(file, 'base64')]);
}

/** SQLite's text for a full disk. */
const FULL_IN_LOG = '"code":"database or disk is full"';
const DONE = [EXIT.ok, undefined];

/** Each file that is opened from now on can grow by so many pages. */
function fillDisk(pages: number): void {
  const { exec } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    exec.call(this, sql);
    if (!sql.includes('CREATE TABLE')) return;
    const count = Number(this.prepare('PRAGMA page_count').get()?.['page_count']);
    exec.call(this, `PRAGMA max_page_count = ${count + pages}`);
  });
}

/** The same for a process, as a module that it loads first. */
const FILL = `
import { DatabaseSync } from 'node:sqlite';
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.includes('CREATE TABLE') ? sql + '; PRAGMA max_page_count = 24' : sql);
};`;

describe('a store whose disk is full', () => {
  it.each([0, 2, 4])(
    'after %i more pages: a command ends, and with room no credit is lost',
    async (pages) => {
      const name = copy(`full-${pages}`);
      fillDisk(pages);
      expect(await codes(name, 'enrich', `contacts/${contactId}`, '--yes')).toEqual([
        EXIT.failed,
        'record-failed',
      ]);
      expect(readFileSync(join(root, name, 'sandbox/log.jsonl'), 'utf8')).toContain(FULL_IN_LOG);
      vi.restoreAllMocks();
      await expectNothingLost(name);
    },
  );

  it('is named by a running system, and with room the next start goes on at once', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FILL)}`;
    const DATA_DIR = join(root, 'full');
    const system = startProgram('infra/local/main.ts', ['--once'], { DATA_DIR, NODE_OPTIONS });
    expect(await system.line(/^reconcile/)).toContain(sentenceOf(FAILURE_TEXTS.ENOSPC, { place: DATA_DIR }));
    await system.interrupt();
    const startedMs = clock.monotonic();
    await startIn('full');
    expect(clock.monotonic() - startedMs).toBeLessThan(MINUTE_MS);
    await expectNothingLost('full');
    const { queues } = await json('full', 'queue', 'status');
    expect(queues).toEqual(Array(3).fill(expect.objectContaining({ waiting: 0, inHand: 0, deadLetters: 0 })));
  });
});

async function expectNothingLost(name: string): Promise<void> {
  expect(await codes(name, 'runs', 'verify')).toEqual(DONE);
  const { ok, lifetime } = await json(name, 'ledger', 'verify');
  const { posted, pending, doubtful } = lifetime as Record<string, number>;
  // The data service's own bill.
  const { creditsCharged } = stateOf(name).dataService.bill;
  expect([ok, pending, (posted ?? 0) + (doubtful ?? 0)]).toEqual([true, 0, creditsCharged]);
}

it.each([
  ['overwritten', (file: string) => writeFileSync(file, 'x'.repeat(50_000), { flag: 'r+' })],
  ['cut off', (file: string) => truncateSync(file, 40_000)],
])('a store that was %s: a command and a start name it, and leave it as it is', async (how, damage) => {
  const name = copy(how);
  const file = storeOf(name);
  damage(file);
  const before = readFileSync(file);
  expect(await codes(name, 'spend')).toEqual([EXIT.failed, 'store-damaged']);
  expect(failureOf(await startIn(name).catch((error: unknown) => error))?.code).toBe('store-damaged');
  expect(readFileSync(file)).toEqual(before);
});

/** Runs a command as a process without the right of the superuser to write anywhere. */
function asOrdinaryUser(DATA_DIR: string, program: string, ...words: readonly string[]) {
  const [command, ...before] =
    process.getuid?.() === 0
      ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', process.execPath]
      : [process.execPath];
  const { PATH } = process.env;
  const run = spawnSync(command, [...before, program, ...words], {
    env: { PATH, DATA_DIR, POLICY: POLICY_FILE },
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout };
}

it('a folder without the right to write can be looked at, and nothing else', async () => {
  const folder = join(root, copy('read-only'));
  const asWriter = await json('read-only', 'budgets');
  const before = filesIn(folder);
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  const everything = [folder, ...entries].map((path) => ({ path, mode: statSync(path).mode }));
  for (const { path, mode } of everything) chmodSync(path, mode & 0o555);
  const cli = (...words: string[]) => asOrdinaryUser(folder, 'infra/cli/main.ts', ...words, '--json');
  const looked = cli('budgets');
  const bought = cli('enrich', `contacts/${contactId}`, '--yes');
  const started = asOrdinaryUser(folder, 'infra/local/main.ts', '--once');
  for (const { path, mode } of everything) chmodSync(path, mode);
  expect([looked.code, JSON.parse(looked.out)]).toEqual([EXIT.ok, asWriter]);
  expect([bought.code, JSON.parse(bought.out).error.code]).toEqual([EXIT.failed, 'EACCES']);
  expect(started).toEqual({ code: EXIT.failed, out: '' });
  expect(filesIn(folder)).toEqual(before);
});
