import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import { signWebhook } from '#shared/hubspot';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { Check } from '../../infra/doctor/check.ts';
import { openDataFolder, readDataFolder } from '../../infra/local/data-folder.ts';
import { errorText } from '../../infra/local/failure.ts';
import { startHttpServer } from '../../infra/local/http-server.ts';
import { storeFileIn } from '../../infra/local/local-store.ts';
import { localPolicy } from '../../infra/local/policy.ts';
import { readLocalSettings } from '../../infra/local/settings.ts';
import { settingsError } from '../../infra/local/settings-error.ts';
import { start } from '../../infra/local/start.ts';
import { announced } from '../harness/announced.ts';
import { runCommand } from '../harness/console.ts';
import { putRaw, rawItem } from '../harness/memory-items.ts';
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
        ...{ properties: ['no_such_property of contacts'], file, isReal: false },
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

describe('a fault that only the log had is said on the console, and doctor fails', () => {
  it('while the ledger does not hold, and while deliveries are refused', async () => {
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
      await cp(DATA_DIR, copy, { recursive: true });
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
});
