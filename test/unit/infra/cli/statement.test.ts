import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { readCsv, runCommand, type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
let folder = '';
/** The running month, in the time zone of the tests' policy. */
let month = '';

beforeAll(async () => {
  standIns = await startStandIns();
  folder = await mkdtemp(join(tmpdir(), 'statement-'));
  await standIns.run(['search', 'companies', '--company-location', 'Germany', '--max', '5', '--yes']);
  const entry = readCsv((await standIns.run(['ledger', 'export'])).out)[1];
  month = String(entry?.[3]).slice(0, 7);
});
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
  it('says that there is no balance before anything was booked as bought', async () => {
    const { out, code } = await run('statement', month);
    expect(out).toContain('there is no balance');
    expect(out).not.toContain('balance  ');
    expect(code).toBe(0);
  });

  it('has opening, movements and closing as text, JSON and CSV', async () => {
    await run('ledger', 'grant', '--credits', '100', '--note', 'invoice 4711', '--expires', '2099-03-31');
    const { out } = await run('statement', month);
    expect(out).toMatch(/^\w+ 20\d\d, so far \(20\d\d-\d\d-\d\d\), by the day of booking\n/);
    expect(out).toMatch(/opening balance +0\n/);
    expect(out).toMatch(/bought +20[\d-]+, invoice 4711, until 2099-03-31 +100\n/);
    expect(out).toMatch(/spent +manual +1 +−5\n/);
    expect(out).toMatch(/closing balance +95\n/);
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
    expect(rows.at(-1)).toEqual(['last entry', expect.stringMatching(/^\d+ [0-9a-f]{64}$/), '', '']);
  });

  it.each([
    ['2026-13', 2, 'It must be a month such as 2026-11.'],
    ['November', 2, 'It must be a month such as 2026-11.'],
    ['2001-01', 4, 'The books begin with '],
    ['2999-01', 2, 'January 2999 has not begun.'],
  ])('tells of %s in a sentence', async (given, code, sentence) => {
    const ran = await run('statement', given);
    expect(ran.err).toContain(sentence);
    expect(ran.code).toBe(code);
  });

  it('of the month to come is refused while it has not begun', async () => {
    const next = new Date(standIns.clock.now() + 40 * DAY_MS).toISOString().slice(0, 7);
    expect((await run('statement', next)).code).toBe(2);
  });
});

describe('an export and a statement', () => {
  /** Without a folder of data or an address: whatever connects, fails. */
  const offline = (...words: string[]) =>
    runCommand(words, { env: { DATA_DIR: join(folder, 'nowhere'), DATA_SERVICE_BASE_URL: 'none' } });

  it('are proved by one command without any connection', async () => {
    const statement = await saved('statement.json', 'statement', month, '--json');
    await run('lookup', 'email', 'nobody@unknown-firm.com', '--yes');
    const ledger = await saved('ledger.jsonl', 'ledger', 'export', '--json');
    const { out, code } = await offline('ledger', 'verify', ledger, '--statement', statement);
    expect(out).toMatch(/entries, all hold; 6 credits posted, 0 pending, 0 in doubt\.\n/);
    expect(out).toContain(`The statement of ${month} matches the entries.`);
    expect(code).toBe(0);
    const alone = await offline('ledger', 'verify', ledger);
    expect(alone.out).toContain('does not show whether entries are missing at the end of the file.');
    expect(out).not.toContain('are missing');
    expect((await offline('ledger', 'export')).code).not.toBe(0);
  });

  it('do not hold where the statement says something else', async () => {
    const ledger = await saved('ledger.jsonl', 'ledger', 'export', '--json');
    const { out: statement } = await run('statement', month, '--json');
    const path = join(folder, 'wrong.json');
    await writeFile(path, statement.replace('"closingCredits": 94', '"closingCredits": 95'));
    const { out, code } = await offline('ledger', 'verify', ledger, '--statement', path);
    expect(out).toContain(`The statement of ${month} does not match the entries.`);
    expect(code).toBe(1);
  });

  it('are told in a sentence where a file is none, or is not given', async () => {
    const csv = await saved('ledger.csv', 'ledger', 'export');
    expect((await offline('ledger', 'verify', csv)).err).toContain('is not an entry of ledger export --json');
    for (const path of ['no-file', folder])
      expect((await offline('ledger', 'verify', path)).err).toContain(`${path} cannot be read`);
    expect((await run('ledger', 'verify', '--statement', csv)).code).toBe(2);
  });
});
