import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import { signWebhook } from '#shared/hubspot';
import { MINUTE_MS } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { FORMAT } from '#shared/store';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import type { Check } from '../../infra/doctor/check.ts';
import type { Announcement } from '../../infra/local/announce.ts';
import { openDataFolder, readDataFolder } from '../../infra/local/data-folder.ts';
import { errorText, FAILURE_TEXTS, failureOf } from '../../infra/local/failure.ts';
import { startHttpServer } from '../../infra/local/http-server.ts';
import { storeFileIn } from '../../infra/local/local-store.ts';
import { localPolicy } from '../../infra/local/policy.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { settingsError } from '../../infra/local/settings-error.ts';
import { start } from '../../infra/local/start.ts';
import { createSaver, createStandIns } from '../../infra/local/vendors.ts';
import { peopleAt } from '../../infra/local/virtual/people-at-hubspot.ts';
import { worldOf } from '../../infra/sandbox/data-service/world/generate.ts';
import { sentenceOf } from '../../infra/text-row.ts';
import { announced } from '../harness/announced.ts';
import { runCommand } from '../harness/console.ts';
import { putRaw, rawItem } from '../harness/memory-items.ts';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { POLICY_FILE } from '../harness/policy-file.ts';
import { startProgram } from '../harness/programs.ts';

let folder = '';
let written = 0;
/** A record that the start without a process has enriched. */
let company = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enrichment-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A start in this process, with what it prints. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const code = await start(readLocalSettings(args, env), (line) => lines.push(line));
  return { code, out: lines.join('\n') };
}

describe('a setting that is wrong ends it with a sentence that names it', () => {
  it('on standard error, with the exit code 1', async () => {
    const { code, out, err } = await startProgram('infra/local/main.ts', ['--once'], { PORT: 'any' }).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('PORT');
  });

  it('without the value of a key', () => {
    const env = {
      DATA_SERVICE_BASE_URL: 'http://127.0.0.1:9',
      DATA_SERVICE_API_KEY: 'swordfish',
      HUBSPOT_ACCESS_TOKEN: 'swordfish',
      HUBSPOT_CLIENT_SECRET: 'swordfish',
    };
    let err = '';
    try {
      readLocalSettings(['--once'], env);
    } catch (error) {
      err = errorText(error);
    }
    expect(err).toContain('CREDITS_PER_DAY');
    expect(err).not.toContain('swordfish');
  });

  describe('a property of the policy that the stand-in lacks, before anything is spent', () => {
    const lacking = async (name: string) => {
      const file = join(folder, 'lacking.mjs');
      const fields = `{ contacts: { no_such_property: { from: 'seniority', convert: 'text', write: 'ours' } } }`;
      await writeFile(file, `export default { budgets: { perDay: 100 }, fields: ${fields} };`);
      return { POLICY: file, DATA_DIR: join(folder, name) };
    };
    const refusalFor = (file: string) =>
      settingsError('properties-not-there', {
        properties: ['no_such_property of contacts'],
        file,
        isReal: false,
      }).message;

    it.each([[], ['--month']])('%s', async (...args) => {
      const env = await lacking(`lacking${args}`);
      const error = await run([...args, '--once', '--fresh'], env).catch((thrown: unknown) => thrown);
      expect(errorText(error)).toBe(refusalFor(env.POLICY));
    });
  });

  it.each([
    ['ts', 'const a: number = 1;\nexport default { a,\n  b: "c" "d" };\n', /\b3\D+10\b/],
    ['ts', 'export default {\n  a: 1,\n', /\b2\b/],
    ['mjs', 'export default {\n  a: "b" "c" };\n', /\b2\D+10\b/],
    ['ts', ' \n', /export default/],
    ['ts', 'export const policy = {};\n', /export/],
    ['mjs', 'throw new Error("two\\nlines");\n', /two lines/],
    ['mjs', 'export default { budgets: { perDay: NaN } };\n', /budgets\.perDay.*NaN/],
  ])('a policy file that cannot be read, with the place: .%s, %j', async (kind, text, problem) => {
    // Node reads a file once.
    const file = join(folder, `faulty-${++written}.${kind}`);
    await writeFile(file, text);
    const error = await localPolicy({ policyFile: file, real: undefined }).catch((thrown: unknown) => thrown);
    const err = errorText(error);
    expect(error).toMatchObject({ code: 'policy-fails', params: { file } });
    expect(err).toMatch(problem);
    expect(err.trim().split('\n').length).toBe(1);
  });

  it('the lists of people in the policy keep their users with the stand-ins, whose own user is added', async () => {
    const file = join(folder, `people-${++written}.mjs`);
    await writeFile(
      file,
      "export default { budgets: { perDay: 1 }, people: { approve: ['7'], resume: ['1001'] } };",
    );
    const { people } = await localPolicy({ policyFile: file, real: undefined });
    expect(people).toMatchObject({ approve: ['7', '1001'], resume: ['1001'], spend: ['1001'] });
  });

  it('PORT, where somebody else has it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await startHttpServer({ port, publicUrl: undefined }, {}).catch(
      (thrown: unknown) => thrown,
    );
    other.close();
    expect(error).toMatchObject({ code: 'port-in-use', params: { setting: 'PORT', port } });
  });
});

it('npm start --once says that records wait by a rule, and does not stay for that', async () => {
  const file = join(folder, 'waiting.mjs');
  const whom = `{ contacts: [{ name: 'leads', waitMinutes: 10 }] }`;
  await writeFile(file, `export default { budgets: { perDay: 100 }, whom: ${whom} };`);
  const { code, out } = await run(['--once', '--fresh'], { POLICY: file, DATA_DIR: join(folder, 'waiting') });
  company = /company (\d+)/.exec(out)?.[1] ?? '';
  expect(code).toBe(1);
  expect(out).toMatch(/\(free-sources-first\).*"leads".*\b20\d\d/);
  expect(out).toMatch(/contacts \d+ .*"leads".*\b20\d\d.+Z/);
});

/** Changes an entry of the ledger by hand, while no system runs. */
async function breakLedger(dataDir: string): Promise<void> {
  const path = join(dataDir, 'sandbox');
  const { tables } = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const database = new DatabaseSync(storeFileIn(tables));
  const key = ledgerEntryKind.key(1);
  const body = rawItem({ database }, ledgerEntryKind, key)?.body;
  putRaw(
    { database },
    { kind: ledgerEntryKind, key, body: { ...body, amountCredits: body.amountCredits + 1 } },
  );
  database.close();
}

it('a fault that only the log had is said on the console, and doctor fails while the ledger does not hold, and while deliveries are refused', async () => {
  // The books of the start above.
  const DATA_DIR = join(folder, 'waiting');
  await breakLedger(DATA_DIR);
  const system = startProgram('infra/local/main.ts', [], { DATA_DIR });
  const cli = (...words: string[]) => runCommand(words, { env: { DATA_DIR } });
  const failed = async () => {
    const { checks } = JSON.parse((await cli('doctor', '--json')).out) as {
      checks: Check[];
    };
    return checks.filter(({ verdict }) => verdict === 'fail');
  };
  try {
    expect(await system.line(/^BROKEN/)).toContain('ledger verify');
    const { url, hubSpotBaseUrl } = await announced(join(DATA_DIR, 'sandbox'));
    const { saved } = await readDataFolder(join(DATA_DIR, 'sandbox'));
    const portOf = (address = '') => Number(new URL(address).port);
    expect(saved.ports).toMatchObject({ system: portOf(url), hubSpot: portOf(hubSpotBaseUrl) });
    // A copy would pay for the same account with a ledger of its own.
    const copy = join(folder, 'copy');
    // The running system saves itself by a file that it renames.
    await cp(DATA_DIR, copy, { recursive: true, filter: (path) => !path.endsWith('.new') });
    const inCopy = await runCommand(['spend', '--json'], { env: { DATA_DIR: copy } });
    expect(JSON.parse(inCopy.out)).toMatchObject({ error: { code: 'folder-copied' } });
    await expect(run(['--once'], { DATA_DIR: copy })).rejects.toMatchObject({ code: 'folder-copied' });
    const broken = { stops: expect.arrayContaining([expect.objectContaining({ kind: 'ledger-broken' })]) };
    for (const words of [['spend'], ['queue', 'status']])
      expect(JSON.parse((await cli(...words, '--json')).out)).toMatchObject(broken);
    expect(await (await fetch(`${url}/spend.json`)).json()).toMatchObject(broken);
    expect((await failed()).map(({ name }) => name)).toEqual(['books']);
    const enriched = await cli('enrich', `companies/${company}`, '--yes', '--json');
    expect(JSON.parse(enriched.out)).toMatchObject({ outcome: 'unchanged', credits: 0 });
    expect(await system.line(new RegExp(`company ${company}`))).not.toBe('');

    const rawBody = JSON.stringify([{ eventId: 1 }]);
    const publicUrl = `${url}/hubspot`;
    const signing = { method: 'POST', publicUrl, rawBody, clientSecret: 'of another app' };
    const headers = signWebhook({ ...signing, timestampMs: clock.now() });
    expect((await fetch(publicUrl, { method: 'POST', headers, body: rawBody })).status).toBe(401);
    expect(await system.line(/^REFUSED/)).toContain('HUBSPOT_CLIENT_SECRET');
    // A change of the stand-in saves everything before its answer.
    await fetch(`${hubSpotBaseUrl}/_sandbox/settings`, { method: 'PUT', body: '{}' });
    expect((await failed()).slice(1)).toMatchObject([
      { code: 'deliveries-refused', params: { count: 1, reason: 'wrong-signature' } },
    ]);
  } finally {
    await system.interrupt();
  }
});

interface Item {
  readonly tbl: string;
  readonly key: string;
  readonly part: string | null;
  readonly format: number;
  readonly body: string;
}

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
    return { code: 1, out, err: `${errorText(error)}\n`, error: failureOf(error) };
  }
}
beforeAll(async () => {
  // As another version has left it.
  await mkdir(join(folder, 'made/sandbox'), { recursive: true });
  await writeFile(join(folder, 'made/sandbox/state.json'), JSON.stringify({ format: 1 }));
  const made = await startIn('made', '--once', '--fresh');
  expect(made.code).toBe(0);
  first = made.out;
});

async function stateOf(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, name, 'sandbox/state.json'), 'utf8'));
}

const storeOf = async (name: string) =>
  storeFileIn(join(folder, name, 'sandbox', String((await stateOf(name))['tables'])));

/** Reads all items of a folder, in the order of their keys, after `change` has changed the file. */
async function itemsOf(
  name: string,
  change: (database: DatabaseSync) => unknown = () => undefined,
): Promise<readonly Item[]> {
  const database = new DatabaseSync(await storeOf(name));
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
it('npm start -- --once shows the main job and ends with 0; again, it spends and writes nothing', async () => {
  for (const outcome of [/ enriched\b.* 3\b/, / unmatched\b.* 1\b/, / skipped\b.* 0\b/])
    expect(first).toMatch(outcome);
  const done = await outside();
  expect(done.creditsCharged).toBeGreaterThan(0);
  expect(await startIn('made', '--once')).toMatchObject({ code: 0, err: '' });
  expect(await outside()).toEqual(done);
});

it('npm start -- --seed has other people and companies, those of the seed, also after a restart', async () => {
  const domainsIn = async (name: string) => {
    const { hubSpot } = await stateOf(name);
    const companies: { values: Record<string, string> }[] = Object.values(Object(hubSpot).records['0-2']);
    return companies.map(({ values }) => values['domain'] ?? '');
  };
  expect(await startIn('seeded', '--once', '--seed', '7')).toMatchObject({ code: 0, err: '' });
  const domains = await domainsIn('seeded');
  expect(new Set([...domains, ...(await domainsIn('made'))]).size).toBe(2 * domains.length);
  expect(await startIn('seeded', '--once')).toMatchObject({ code: 0, err: '' });
  const known = new Set(worldOf(7).companies.flatMap((company) => company.domains));
  expect(domains.filter((domain) => !known.has(domain))).toEqual([]);
  expect(Object((await stateOf('seeded'))['dataService']).settings).toMatchObject({ worldSeed: 7 });
});

/** What the stand-ins have charged, and counted as successful writes of apps. */
async function outside(): Promise<{ creditsCharged: number; writes: unknown }> {
  const { dataService, hubSpot } = await stateOf('made');
  return { creditsCharged: Object(dataService).bill.creditsCharged, writes: Object(hubSpot).writes };
}

it.each([
  ['state', 'runs', 'all', FORMAT + 1],
  ['ledger', 'ledger', 'all', FORMAT + 1],
  ['ledger', 'ledger', 'the last', FORMAT + 1],
  ['state', 'runs', 'all', 1],
  ['ledger', 'ledger', 'all', 1],
])(
  'items of another format are refused %s (%s verify), %s of format %i',
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

describe('a data folder of another format', () => {
  it.each([
    ['version 0.2', 1],
    ['a newer version', FORMAT + 1],
  ])('is refused in one sentence with the way out, and nothing in it changes: %s', async (writer, format) => {
    const path = join(folder, writer, 'sandbox');
    await cp(join(folder, 'made'), join(folder, writer), { recursive: true });
    await writeFile(join(path, 'state.json'), JSON.stringify({ ...(await stateOf(writer)), format }));
    const before = filesIn(path);
    const spend = (...more: string[]) =>
      runCommand(['spend', ...more], { env: { DATA_DIR: join(folder, writer) } });
    expect((await spend('--json')).json()).toMatchObject({ error: { code: 'folder-of-other-version' } });
    const { code, out, err } = await spend();
    expect([code, out]).toEqual([EXIT.usage, '']);
    expect(err).toContain(join(path, 'state.json'));
    expect(await startIn(writer, '--once')).toMatchObject({ code: 1, out: '', err });
    expect(filesIn(path)).toEqual(before);
  });

  it('is replaced by --fresh', async () => {
    expect(await stateOf('made')).toMatchObject({ format: FORMAT });
  });
});

/** Local addresses of the listening sockets of a process, as Linux writes them. */
async function listening(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, address = '']) => address.split(':')[0] ?? '');
}

/** 127.0.0.1 and ::1, in the byte order of this machine. */
const LOOPBACK = /^(?:0100007F|0{24}01000000)$/;

type Headers = Readonly<Record<string, string>>;

function ask(url: string, headers: Headers, body = '{}'): Promise<{ status: number; headers: Headers }> {
  const answered = Promise.withResolvers<{ status: number; headers: Headers }>();
  const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
    response.resume();
    answered.resolve({ status: response.statusCode ?? 0, headers: response.headers as Headers });
  });
  sent.once('error', answered.reject);
  sent.end(body);
  return answered.promise;
}

it('a running system listens on this machine only, with ports for its pages and stand-ins alone', async () => {
  const dataDir = join(folder, 'start');
  const running = startProgram('infra/local/main.ts', [], { DATA_DIR: dataDir });
  try {
    await running.line(/^Serving until/);
    const file = join(dataDir, 'sandbox/running.json');
    const modes = await Promise.all([file, join(dataDir, 'sandbox'), dataDir].map((path) => stat(path)));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700, 0o700]);
    const { pid, url, ...standIns } = JSON.parse(await readFile(file, 'utf8')) as {
      pid: number;
    } & Announcement;
    if (existsSync('/proc/net/tcp')) {
      const addresses = await listening(pid);
      expect(addresses.length).toBe(3);
      for (const address of addresses) expect(address).toMatch(LOOPBACK);
    } else console.warn('No /proc here: the sockets of the process are not looked at.');
    const pages = [`${url}/spend`, `${standIns.hubSpotBaseUrl}/`, `${standIns.dataServiceBaseUrl}/`];
    for (const page of pages)
      expect([page, (await ask(page, { host: 'rebound.example' })).status]).toEqual([page, 421]);
    const origin = 'https://attacker.example';
    for (const base of [standIns.hubSpotBaseUrl, standIns.dataServiceBaseUrl])
      expect((await ask(`${base}/_sandbox/reset`, { origin })).status).toBe(403);
  } finally {
    await running.interrupt();
  }
});

describe.runIf(existsSync('/proc/net/tcp'))('a command without a running system', () => {
  it('listens on this machine only, with the port of its page alone', async () => {
    const dataDir = join(folder, 'command');
    const env = { DATA_DIR: dataDir };
    await runCommand(['setup'], { env });
    const others = await listening(process.pid);
    const ctrlC = new AbortController();
    const printed = Promise.withResolvers<void>();
    const io = { signal: ctrlC.signal, out: () => printed.resolve() };
    const ended = runCommand(['page'], { env, io });
    await Promise.race([printed.promise, ended]);
    const addresses = await listening(process.pid);
    ctrlC.abort(new Error('Ctrl-C'));
    await ended;
    expect(addresses.length).toBe(others.length + 1);
    for (const address of addresses) expect(address).toMatch(LOOPBACK);
  });
});

/** A contact that nothing has looked up. */
let contactId = '';
beforeAll(async () => {
  await cp(join(folder, 'made'), join(folder, 'with-contact'), { recursive: true });
  const path = join(folder, 'with-contact/sandbox');
  const opened = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const policy = { whom: {} };
  const keep = async () => undefined;
  const sandbox = createStandIns(opened.saved, {
    clock,
    webhookUrl: 'http://127.0.0.1:9/hubspot',
    policy,
    keep,
  });
  const contact = { hs_linkedin_url: profileUrlOf(somePerson(sandbox, 50)) };
  ({ id: contactId } = await peopleAt(sandbox.hubSpot).create('contacts', contact));
  await createSaver({ folder: opened, vendors: { sandbox } })();
});
afterEach(() => vi.restoreAllMocks());

function copy(name: string): string {
  cpSync(join(folder, 'with-contact'), join(folder, name), { recursive: true });
  return name;
}

/** @returns the exit code, and the code of the error. */
async function codes(name: string, ...words: readonly string[]) {
  const { code, json } = await runCommand([...words, '--json'], { env: { DATA_DIR: join(folder, name) } });
  return [code, (json()['error'] as { code: string } | undefined)?.code] as const;
}

async function json(name: string, ...words: readonly string[]) {
  return (await runCommand([...words, '--json'], { env: { DATA_DIR: join(folder, name) } })).json();
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
      expect(readFileSync(join(folder, name, 'sandbox/log.jsonl'), 'utf8')).toContain(FULL_IN_LOG);
      vi.restoreAllMocks();
      await expectNothingLost(name);
    },
  );

  it('is named by a running system, and with room the next start goes on at once', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FILL)}`;
    const DATA_DIR = join(folder, 'full');
    const system = startProgram('infra/local/main.ts', ['--once'], { DATA_DIR, NODE_OPTIONS });
    expect(await system.line(/^The store failed/)).toContain(
      sentenceOf(FAILURE_TEXTS.ENOSPC, { place: DATA_DIR }),
    );
    await system.interrupt();
    const startedMs = clock.monotonic();
    await startIn('full', '--once');
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
  const { creditsCharged } = Object((await stateOf(name))['dataService']).bill;
  expect([ok, pending, (posted ?? 0) + (doubtful ?? 0)]).toEqual([true, 0, creditsCharged]);
}

it.each([
  ['overwritten', (file: string) => writeFileSync(file, 'x'.repeat(50_000), { flag: 'r+' })],
  ['cut off', (file: string) => truncateSync(file, 40_000)],
])('a store that was %s: a command and a start name it, and leave it as it is', async (how, damage) => {
  const name = copy(how);
  const file = await storeOf(name);
  damage(file);
  const before = readFileSync(file);
  expect(await codes(name, 'spend')).toEqual([EXIT.failed, 'store-damaged']);
  expect((await startIn(name, '--once')).error?.code).toBe('store-damaged');
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
  const shut = join(folder, copy('read-only'));
  const asWriter = await json('read-only', 'budgets');
  const before = filesIn(shut);
  const entries = readdirSync(shut, { recursive: true, encoding: 'utf8' }).map((name) => join(shut, name));
  const everything = [shut, ...entries].map((path) => ({ path, mode: statSync(path).mode }));
  for (const { path, mode } of everything) chmodSync(path, mode & 0o555);
  const cli = (...words: string[]) => asOrdinaryUser(shut, 'infra/cli/main.ts', ...words, '--json');
  const looked = cli('budgets');
  const bought = cli('enrich', `contacts/${contactId}`, '--yes');
  const started = asOrdinaryUser(shut, 'infra/local/main.ts', '--once');
  for (const { path, mode } of everything) chmodSync(path, mode);
  expect([looked.code, JSON.parse(looked.out)]).toEqual([EXIT.ok, asWriter]);
  expect([bought.code, JSON.parse(bought.out).error.code]).toEqual([EXIT.failed, 'EACCES']);
  expect(started).toEqual({ code: EXIT.failed, out: '' });
  expect(filesIn(shut)).toEqual(before);
});
