import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import { LEDGER_TABLE } from '#shared/credit-ledger';
import { signWebhook } from '#shared/hubspot';
import { systemClock as clock } from '#shared/kernel/adapters';
import { inAccount } from '#shared/versioned-items';
import type { Check } from '../../infra/local/doctor/check.ts';
import { type AwsAccess, awsClients } from '../../infra/local/embedded-aws.ts';
import { settingsError } from '../../infra/local/settings-error.ts';
import { TABLES } from '../../infra/local/tables.ts';
import { startProgram } from '../builders/programs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enrichment-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startProgram('infra/local/main.ts', args, { DATA_DIR: folder, ...env }).ended;
}

describe('a setting that is wrong ends it with a sentence that names it', () => {
  const real = {
    DATA_SERVICE_BASE_URL: 'http://127.0.0.1:9',
    DATA_SERVICE_API_KEY: 'swordfish',
    HUBSPOT_ACCESS_TOKEN: 'swordfish',
    HUBSPOT_CLIENT_SECRET: 'swordfish',
  };
  it.each<[string, Readonly<Record<string, string>>]>([
    ['CREDITS_PER_DAY', real],
    ['HUBSPOT_CLIENT_SECRET', { ...real, HUBSPOT_CLIENT_SECRET: '' }],
    ['PORT', { PORT: 'eighty' }],
  ])('%s', async (name, env) => {
    const { code, out, err } = await run(['--once'], env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n').length).toBe(1);
    expect(err).toContain(name);
    expect(err).not.toContain('swordfish');
  });

  it.each([[['--once', '--fresh']], [['--month', '--once', '--fresh']]])(
    'a property of the policy that the stand-in lacks, before anything is spent: %j',
    async (args) => {
      const file = join(folder, 'lacking.mjs');
      const fields = `{ contacts: { no_such_property: { from: 'seniority', convert: 'text', write: 'ours' } } }`;
      await writeFile(file, `export default { budgets: { perDay: 100 }, fields: ${fields} };`);
      const env = { POLICY: file, DATA_DIR: join(folder, 'lacking') };
      const { code, out, err } = await run(args, env);
      expect({ code, credits: out.match(/credit/) }).toEqual({ code: 1, credits: null });
      const params = { properties: ['no_such_property of contacts'], file, isReal: false };
      expect(err).toBe(`${settingsError('properties-not-there', params).message}\n`);
    },
  );

  it.each([
    ['ts', 'const a: number = 1;\nexport default { a,\n  b: "c" "d" };\n', /\b3\D+10\b/],
    ['ts', 'export default {\n  a: 1,\n', /\b2\b/],
    ['mjs', 'export default {\n  a: "b" "c" };\n', /\b2\D+10\b/],
    ['ts', ' \n', /export default/],
    ['ts', 'export const policy = {};\n', /export/],
    ['mjs', 'throw new Error("two\\nlines");\n', /two lines/],
    ['mjs', 'export default { budgets: { perDay: NaN } };\n', /budgets\.perDay.*NaN/],
  ])('a policy file that cannot be read, with the place: .%s, %j', async (kind, text, problem) => {
    const file = join(folder, `faulty.${kind}`);
    await writeFile(file, text);
    const { code, out, err } = await run(['--once'], { POLICY: file });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(file);
    expect(err).toMatch(problem);
    expect(err.trim().split('\n').length).toBe(1);
  });

  it('PORT, where somebody else has it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await run(['--once'], { PORT: String(port) });
    other.close();
    expect({ code, err }).toEqual({
      code: 1,
      err: `${settingsError('port-in-use', { setting: 'PORT', port }).message}\n`,
    });
  });
});

it('npm start --once says that records wait by a rule, and does not stay for that', async () => {
  const file = join(folder, 'waiting.mjs');
  const whom = `{ contacts: [{ name: 'leads', waitMinutes: 10 }] }`;
  await writeFile(file, `export default { budgets: { perDay: 100 }, whom: ${whom} };`);
  const { code, out } = await run(['--once', '--fresh'], { POLICY: file, DATA_DIR: join(folder, 'waiting') });
  expect(code).toBe(1);
  expect(out).toMatch(/\(free-sources-first\).*"leads".*\b20\d\d/);
  expect(out).toMatch(/contacts \d+ .*"leads".*\b20\d\d.+Z/);
});

describe('a fault that only the log had is said on the console, and doctor fails', () => {
  it('while deliveries are refused, and while the ledger does not hold', async () => {
    const DATA_DIR = join(folder, 'spoken');
    const system = startProgram('infra/local/main.ts', [], { DATA_DIR });
    const cli = (...words: string[]) => startProgram('infra/cli/main.ts', words, { DATA_DIR }).ended;
    const failed = async () => {
      const { checks } = JSON.parse((await cli('doctor', '--json')).out) as {
        checks: Check[];
      };
      return checks.filter(({ verdict }) => verdict === 'fail');
    };
    try {
      await system.line(/^Serving until/);
      const { url, aws } = JSON.parse(await readFile(join(DATA_DIR, 'sandbox/running.json'), 'utf8')) as {
        url: string;
        aws: AwsAccess;
      };
      expect(await failed()).toEqual([]);
      const rawBody = JSON.stringify([{ eventId: 1 }]);
      const publicUrl = `${url}/hubspot`;
      const signing = { method: 'POST', publicUrl, rawBody, clientSecret: 'of another app' };
      const headers = signWebhook({ ...signing, timestampMs: Date.now() });
      expect((await fetch(publicUrl, { method: 'POST', headers, body: rawBody })).status).toBe(401);
      expect(await system.line(/^REFUSED/)).toContain('HUBSPOT_CLIENT_SECRET');
      await clock.sleep(3_000);
      expect(await failed()).toMatchObject([
        { code: 'deliveries-refused', params: { count: 1, reason: 'wrong-signature' } },
      ]);

      const { dynamo, destroy } = awsClients(aws);
      await dynamo.send(
        new UpdateCommand({
          TableName: TABLES.ledger,
          Key: {
            [LEDGER_TABLE.partitionKey]: inAccount('default', ledgerEntryKind.key()),
            [LEDGER_TABLE.sortKey]: 1,
          },
          UpdateExpression: 'SET amountCredits = amountCredits + :more',
          ExpressionAttributeValues: { ':more': 1 },
        }),
      );
      destroy();
      expect(await system.line(/^BROKEN/)).toContain('ledger verify');
      const broken = { stops: expect.arrayContaining([expect.objectContaining({ kind: 'ledger-broken' })]) };
      for (const words of [['spend'], ['queue', 'status']])
        expect(JSON.parse((await cli(...words, '--json')).out)).toMatchObject(broken);
      expect(await (await fetch(`${url}/spend.json`)).json()).toMatchObject(broken);
      expect((await failed()).map(({ name }) => name)).toEqual(['books', 'webhook target']);
    } finally {
      await system.interrupt();
    }
  });
});
