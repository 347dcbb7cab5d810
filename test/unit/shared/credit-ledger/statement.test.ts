import { describe, expect, it } from 'vitest';
import { NO_STATEMENT, readStatement, type Statement } from '#shared/credit-ledger';
import { wordingText } from '#shared/kernel';
import { textFaults } from '../../../harness/catalogue.ts';
import { createMemoryLedgerStore } from '../../../harness/memory-items.ts';
import { late, openBooks, post, reserve } from './books.ts';

type Books = ReturnType<typeof openBooks>;
const timeZone = 'Europe/Berlin';

function read({ store, ledger }: Books, month: string, now = '2027-06-01T12:00:00Z') {
  return readStatement(month, { store, account: ledger.account, timeZone, nowMs: Date.parse(now) });
}

async function statementOf(books: Books, month: string, now?: string): Promise<Statement> {
  const reading = await read(books, month, now);
  if (reading.kind !== 'statement') throw new Error(`Expected a statement, got ${reading.kind}.`);
  return reading.statement;
}

const grant = (id: string, amountCredits: number, expiresOn?: string) =>
  ({ kind: 'grant', id, amountCredits, reason: 'invoice', expiresOn }) as const;

describe("a month's statement", () => {
  it('has no balance where nothing was booked as bought', async () => {
    const books = openBooks();
    await books.append(late('a:1'));
    expect(await statementOf(books, '2026-11')).not.toHaveProperty('balance');
  });

  it('says what was left of credits whose last day was in it, and leaves the balance to the books', async () => {
    const books = openBooks({ at: '2026-11-10T12:00:00Z' });
    await books.append(grant('g', 50, '2026-11-20'));
    await books.append(late('a:1', { amountCredits: 20 }));
    books.setTime('2026-11-21T12:00:00Z');
    expect((await statementOf(books, '2026-11', '2026-11-20T12:00:00Z')).expired).toEqual([]);
    await books.append(late('b:1', { amountCredits: 7 }));
    const statement = await statementOf(books, '2026-11');
    expect(statement.expired).toEqual([{ day: '2026-11-20', credits: 50, unusedCredits: 30 }]);
    expect(statement.balance?.closingCredits).toBe(23);
    expect(statement.spent).toMatchObject({ count: 2, credits: 27 });
    expect((await statementOf(books, '2026-12')).expired).toEqual([]);
  });

  it('says so of credits that expired in a month without any entry', async () => {
    const books = openBooks({ at: '2026-11-10T12:00:00Z' });
    await books.append(grant('g', 50, '2026-12-20'));
    const statement = await statementOf(books, '2026-12');
    expect(statement).toMatchObject({ entries: 0, expired: [{ day: '2026-12-20', unusedCredits: 50 }] });
    expect(statement).not.toHaveProperty('first');
  });

  it('is told as so far until an hour after the end, since a slow clock may still book', async () => {
    const books = openBooks({ at: '2026-11-10T12:00:00Z' });
    await books.append(late('a:1'));
    expect(await statementOf(books, '2026-11', '2026-11-10T13:00:00Z')).toMatchObject({
      soFar: '2026-11-10',
    });
    expect(await statementOf(books, '2026-11', '2026-11-30T23:59:00Z')).toMatchObject({
      soFar: '2026-12-01',
    });
    expect(await statementOf(books, '2026-11', '2026-12-01T00:00:00Z')).not.toHaveProperty('soFar');
  });

  it('is not there for a month to come, before the books, or while they are ahead', async () => {
    const books = openBooks({ at: '2026-11-10T12:00:00Z' });
    expect(await read(books, '2026-11')).toEqual({ kind: 'empty' });
    await books.append(late('a:1'));
    expect(await read(books, '2026-12', '2026-11-30T22:59:00Z')).toEqual({ kind: 'to-come' });
    expect(await read(books, '2026-10')).toEqual({ kind: 'before-the-books', firstMonth: '2026-11' });
    expect(await read(books, '2026-10', '2026-11-10T10:00:00Z')).toEqual({ kind: 'ahead' });
  });
});

it('what a statement reads are the entries of its month, and some dozen to find the first', async () => {
  let read = 0;
  const memory = createMemoryLedgerStore();
  const store: typeof memory = {
    ...memory,
    entries: async (query) => {
      const found = await memory.entries(query);
      read += found.length;
      return found;
    },
  };
  const books = openBooks({ store, at: '2026-01-01T12:00:00Z' });
  for (let month = 1; month <= 12; month += 1) {
    books.setTime(`2026-${String(month).padStart(2, '0')}-10T12:00:00Z`);
    for (let index = 0; index < 60; index += 1) {
      await books.append(reserve(`${month}-${index}:1`, { amountCredits: 1 }));
      await books.append(post(`${month}-${index}:1`, 1));
    }
  }
  read = 0;
  expect(await statementOf(books, '2026-07')).toMatchObject({
    entries: 120,
    first: { seq: 721 },
    last: { seq: 840 },
    spent: { count: 60, credits: 60 },
  });
  expect(read).toBeLessThan(120 + 100 + 20);
});

it('every reason why there is no statement is a sentence', () => {
  for (const why of Object.values(NO_STATEMENT))
    expect(textFaults(wordingText(why({ month: '2026-11', firstMonth: '2026-10' }), undefined))).toEqual([]);
});
