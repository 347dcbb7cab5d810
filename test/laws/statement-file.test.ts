import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLine, type LedgerEntry, readStatement } from '#shared/credit-ledger';
import { verifyFile } from '../../infra/cli/commands/ledger.ts';
import { CliError } from '../../infra/cli/terminal/exit.ts';
import { resealed } from '../harness/ledger-logs.ts';
import { repeated } from '../harness/repeated.ts';
import { type Books, runSteps, steps, TIME_ZONE } from './statement-runs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statement-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function exported(log: readonly LedgerEntry[]): Promise<string> {
  const path = join(folder, 'ledger.jsonl');
  await writeFile(path, log.map(jsonLine).join(''));
  return path;
}

/** The statement of the month that the log ended in, made when that goes on, or a year later. */
async function statementOf(books: Books, month: string, nowMs: number): Promise<string | undefined> {
  const { store, ledger } = books;
  const given = { store, account: ledger.account, timeZone: TIME_ZONE, nowMs };
  const reading = await readStatement(month, given);
  if (reading.kind !== 'statement') return undefined;
  const path = join(folder, 'statement.json');
  await writeFile(path, JSON.stringify(reading.statement, null, 2));
  return path;
}

async function problemsOf(ledger: string, statement: string | undefined): Promise<number> {
  try {
    return (await verifyFile(ledger, statement)).problems.length;
  } catch (error) {
    if (error instanceof CliError && error.code === 'no-entry') return 1;
    throw error;
  }
}

/** A random log with its export, and a statement of a month that it has. */
async function forEachLog(
  check: (made: { log: readonly LedgerEntry[]; statement: string; pick: number }) => Promise<void>,
): Promise<void> {
  let checked = 0;
  const property = fc.asyncProperty(steps, fc.nat(), fc.boolean(), async (given, pick, isOver) => {
    const { books, log, nowMs } = await runSteps(given);
    const month = log.at(-1)?.day.slice(0, 7) ?? '';
    const statement = await statementOf(books, month, isOver ? nowMs + 400 * 86_400_000 : nowMs);
    if (!statement || log.length < 2) return;
    checked += 1;
    await check({ log, statement, pick });
  });
  await fc.assert(property, { numRuns: repeated(40), seed: 13 });
  expect(checked).toBeGreaterThan(repeated(20));
}

describe('an exported log and a statement', () => {
  it('hold by themselves, also where the log has gone on', () =>
    forEachLog(async ({ log, statement }) => {
      expect(await verifyFile(await exported(log), statement)).toMatchObject({
        problems: [],
        entries: log.length,
        totals: { lifetime: log.at(-1)?.totals.lifetime },
      });
    }));

  it('do not hold where a line is gone, twice there, or has one word more', () =>
    forEachLog(async ({ log, statement, pick }) => {
      const index = pick % log.length;
      const one = log[index] as LedgerEntry;
      expect(await problemsOf(await exported(log.toSpliced(index, 1)), statement)).toBeGreaterThan(0);
      expect(await problemsOf(await exported(log.toSpliced(index, 0, one)), statement)).toBeGreaterThan(0);
      const more = { ...one, note: 'more' };
      expect(await problemsOf(await exported(log.with(index, more)), statement)).toBeGreaterThan(0);
    }));

  it('do not hold where all hashes were made anew to hide a change', () =>
    forEachLog(async ({ log, statement }) => {
      const lies = resealed(log.map((entry) => ({ ...entry, reason: 'another' })));
      expect(await problemsOf(await exported(lies), undefined)).toBe(0);
      expect(await problemsOf(await exported(lies), statement)).toBe(1);
    }));
});
