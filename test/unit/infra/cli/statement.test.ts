import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { longMonth } from '#shared/kernel';
import { readCsv, runCommand, startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();
/** The running month, in the time zone of the tests' policy. */

const folder = await mkdtemp(join(tmpdir(), 'statement-'));
await standIns.run(['search', 'companies', '--company-location', 'Germany', '--max', '5', '--yes']);
const entry = readCsv((await standIns.run(['ledger', 'export'])).out)[1];
const month = String(entry?.[3]).slice(0, 7);
afterAll(async () => {
  await standIns.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => standIns.run(words);

async function saved(name: string, ...words: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, (await run(...words)).out);
  return path;
}

describe('statement', () => {
  it('has opening, movements and closing as text, JSON and CSV', async () => {
    await run('ledger', 'grant', '--credits', '100', '--note', 'invoice 4711', '--expires', '2099-03-31');
    const { out } = await run('statement', month);
    expect(out).toContain(longMonth(month));
    for (const cells of [[0], ['invoice 4711', '2099-03-31', 100], ['manual', 1, '−5'], [95]])
      expect(out).toMatch(new RegExp(`^.*${cells.join('.* ')}$`, 'm'));
    const { json } = await run('statement', month, '--json');
    expect(json()).toMatchObject({
      month,
      balance: { openingCredits: 0, closingCredits: 95 },
      spent: {
        credits: await standIns.bill(),
        byPurpose: [{ byOperation: [{ operation: 'searchCompanies' }] }],
      },
      first: { seq: 1 },
    });
    const [header, ...rows] = readCsv((await run('statement', month, '--csv')).out);
    expect(header).toEqual(['item', 'detail', 'count', 'credits']);
    const credits = (item: string) =>
      rows.filter(([name]) => name === item).reduce((sum, row) => sum + Number(row[3]), 0);
    const moved = credits('bought') + credits('adjusted') + credits('spent');
    expect(credits('opening balance') + moved).toBe(credits('closing balance'));
    expect(rows).toContainEqual(['charges', 'searchCompanies', '1', '5']);
    expect(rows.at(-1)).toEqual(['last entry', expect.stringMatching(/^\d+ [0-9a-f]{64}$/), '', '']);
  });

  it.each([
    ['2026-13', 2, 'not-a-month', { option: '<month>' }],
    ['November', 2, 'not-a-month', { option: '<month>' }],
    ['2001-01', 4, 'before-the-books', { month: '2001-01', firstMonth: expect.any(String) }],
    ['2999-01', 2, 'to-come', { month: '2999-01' }],
  ])('refuses %s', async (given, code, why, params) => {
    const ran = await run('statement', given, '--json');
    expect(ran.json()).toMatchObject({ error: { code: why, params } });
    expect(ran.code).toBe(code);
  });
});

describe('an export and a statement', () => {
  /** Without a folder of data or an address: whatever connects, fails. */
  const offline = (...words: string[]) =>
    runCommand(words, { env: { DATA_DIR: join(folder, 'nowhere'), DATA_SERVICE_BASE_URL: 'none' } });

  it('are proved by one command without any connection', async () => {
    const statement = await saved('statement.json', 'statement', month, '--json');
    await run('lookup', 'email', 'lee.nobody@unknown-firm.com', '--yes');
    const ledger = await saved('ledger.jsonl', 'ledger', 'export', '--json');
    const verified = await offline('ledger', 'verify', ledger, '--statement', statement, '--json');
    expect(verified.json()).toMatchObject({
      ok: true,
      month,
      lifetime: { posted: 6, pending: 0, doubtful: 0 },
    });
    expect(verified.code).toBe(0);
    const alone = await offline('ledger', 'verify', ledger, '--json');
    expect(alone.json()).toMatchObject({ ok: true });
    expect(alone.json()).not.toHaveProperty('month');
    const [short, long] = [
      await offline('ledger', 'verify', ledger, '--statement', statement),
      await offline('ledger', 'verify', ledger),
    ];
    expect([short.out, long.out].map((out) => out.includes('--statement'))).toEqual([false, true]);
    // Only the books themselves can be compared with the balance.
    const outs = [short.out, long.out, (await run('ledger', 'verify')).out];
    expect(outs.map((out) => out.includes('ledger reconcile'))).toEqual([false, false, true]);
    expect((await offline('ledger', 'export')).code).not.toBe(0);
  });

  it('do not hold where the statement says something else', async () => {
    const ledger = await saved('ledger.jsonl', 'ledger', 'export', '--json');
    const { out: statement } = await run('statement', month, '--json');
    const path = join(folder, 'wrong.json');
    await writeFile(path, statement.replace('"closingCredits": 94', '"closingCredits": 95'));
    const { json, code } = await offline('ledger', 'verify', ledger, '--statement', path, '--json');
    expect(json()).toMatchObject({ ok: false, month, problems: [{ code: 'statement-differs' }] });
    expect(code).toBe(1);
  });

  it('list the first problems as text, and all as JSON', async () => {
    const line = (await run('ledger', 'export', '--json')).out.split('\n')[0];
    const path = join(folder, 'damaged.jsonl');
    await writeFile(path, `${line}\n`.repeat(40));
    const { problems } = (await offline('ledger', 'verify', path, '--json')).json() as { problems: object[] };
    expect(problems.length).toBeGreaterThan(40);
    const { out, code } = await offline('ledger', 'verify', path);
    expect(out.match(/^Entry 1: /gm)).toHaveLength(20);
    expect(out).toMatch(new RegExp(`^and ${problems.length - 20} `, 'm'));
    expect(code).toBe(1);
  });

  it('are told in a sentence where a file is none, or is not given', async () => {
    const csv = await saved('ledger.csv', 'ledger', 'export');
    const refused = async (...words: string[]) =>
      (await offline('ledger', 'verify', ...words, '--json')).json();
    expect(await refused(csv)).toMatchObject({ error: { code: 'no-entry', params: { line: 1 } } });
    for (const path of ['no-file', folder])
      expect(await refused(path)).toMatchObject({
        error: { code: 'unreadable-file', params: { option: '<file>', path } },
      });
    expect(await refused('--statement', csv)).toMatchObject({
      error: { code: 'only-with', params: { option: '--statement' } },
    });
  });
});
