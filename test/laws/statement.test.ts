import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LedgerEntry, readStatement, type Statement } from '#shared/credit-ledger';
import { dayOf } from '#shared/kernel';
import { repeated } from '../harness/repeated.ts';
import { type Books, monthsOf, runSteps, steps, TIME_ZONE } from './statement-runs.ts';

const MONTHS = Array.from({ length: 16 }, (_, index) =>
  new Date(Date.UTC(2026, 9 + index, 1)).toISOString().slice(0, 7),
);

async function statementsAt({ store, ledger }: Books, nowMs: number): Promise<Statement[]> {
  const given = { store, account: ledger.account, timeZone: TIME_ZONE, nowMs };
  const readings = await Promise.all(MONTHS.map((month) => readStatement(month, given)));
  return readings.flatMap((reading) => (reading.kind === 'statement' ? [reading.statement] : []));
}

/** A year on, when all of it is over. */
const later = (nowMs: number) => nowMs + 400 * 86_400_000;

function credits(entries: readonly LedgerEntry[], ...kinds: LedgerEntry['kind'][]): number {
  return entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { amountCredits }) => sum + amountCredits, 0);
}

it('a statement is what the entries of its month come to, and the months join', () =>
  fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { books, log, nowMs } = await runSteps(given);
      const months = monthsOf(log, (atMs) => dayOf(atMs, TIME_ZONE));
      const statements = await statementsAt(books, later(nowMs));
      expect(statements.reduce((sum, { entries }) => sum + entries, 0)).toBe(log.length);
      let before: Statement | undefined;
      for (const statement of statements) {
        const { month, balance, spent, grants, adjustments, doubts } = statement;
        const entries = log.filter((_, index) => months[index] === month);
        expect(statement.first?.hash).toBe(entries[0]?.hash);
        expect(statement.last?.hash).toBe(entries.at(-1)?.hash);
        expect(spent.credits).toBe(credits(entries, 'posted', 'late'));
        expect(spent.count).toBe(entries.filter(({ kind }) => kind === 'posted' || kind === 'late').length);
        const earlier = entries.filter(({ day }) => day.slice(0, 7) < month);
        expect(spent.ofEarlierMonths.credits).toBe(credits(earlier, 'posted', 'late'));
        for (const { purpose, credits: ofPurpose } of spent.byPurpose)
          expect(ofPurpose).toBe(
            credits(
              entries.filter((one) => one.purpose === purpose),
              'posted',
              'late',
            ),
          );
        const [bought, adjusted] = [grants, adjustments].map((all) =>
          all.reduce((sum, one) => sum + one.credits, 0),
        ) as [number, number];
        expect([bought, adjusted]).toEqual([credits(entries, 'grant'), credits(entries, 'adjustment')]);
        if (balance)
          expect(balance.closingCredits).toBe(balance.openingCredits + bought + adjusted - spent.credits);
        const { before: was, opened, charged, notCharged, after } = doubts;
        for (const sum of ['count', 'credits'] as const)
          expect(was[sum] + opened[sum] - charged[sum] - notCharged[sum]).toBe(after[sum]);
        if (before) {
          expect(statement.before).toEqual(before.last ?? before.before);
          expect(was).toEqual(before.doubts.after);
          if (before.balance) expect(balance?.openingCredits).toBe(before.balance.closingCredits);
        }
        before = statement;
      }
      const grantedEver = credits(log, 'grant') > 0;
      expect(before?.balance !== undefined).toBe(grantedEver);
    }),
    { numRuns: repeated(200), seed: 11 },
  ));

it('a statement of a month that is over never changes, whatever is booked, and whatever clock was wrong', async () => {
  let compared = 0;
  let setBacks = 0;
  const unchanged = fc.asyncProperty(steps, async (given) => {
    const closed = new Map<string, Statement>();
    const afterEach = async (books: Books, atMs: number) => {
      for (const statement of await statementsAt(books, atMs))
        if (statement.soFar === undefined && !closed.has(statement.month))
          closed.set(statement.month, statement);
    };
    const { books, log, nowMs } = await runSteps(given, { afterEach });
    const atLast = new Map((await statementsAt(books, later(nowMs))).map((each) => [each.month, each]));
    for (const [month, statement] of closed) expect(atLast.get(month)).toEqual(statement);
    compared += closed.size;
    setBacks += log.filter(({ kind }) => kind === 'set-back').length;
  });
  await fc.assert(unchanged, { numRuns: repeated(60), seed: 12 });
  expect(compared).toBeGreaterThan(repeated(50));
  expect(setBacks).toBeGreaterThan(repeated(20));
});
