import { describe, expect, it } from 'vitest';
import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import { verifyLog } from '#shared/credit-ledger';
import { digest, grant, openBooks, post, reserve } from './books.ts';

/** 13 days of November are left, this one counted. */
const NOW = '2026-11-18T12:00:00Z';
const PLENTY: Budgets = { perMonth: 100_000 };

const open = (budgets: Budgets) => openBooks({ budgets, at: NOW });
type Books = ReturnType<typeof open>;

async function spend(books: Books, id: string, amountCredits: number): Promise<void> {
  await books.append(reserve(`${id}:1`, { purpose: 'refresh', amountCredits }));
  await books.append(post(`${id}:1`, amountCredits));
}

describe('what is planned for the refresh today', () => {
  it("is of a month's budget an even share for each day that is left, less what today has had", async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 130 } } });
    expect((await books.ledger.now()).planned('refresh')).toBe(10);
    await spend(books, 'a', 4);
    expect((await books.ledger.now()).planned('refresh')).toBe(6);
    books.setTime('2026-11-19T12:00:00Z');
    // 126 for 12 days: what was not spent yesterday is spread over them.
    expect((await books.ledger.now()).planned('refresh')).toBe(10);
    books.setTime('2026-11-30T12:00:00Z');
    expect((await books.ledger.now()).planned('refresh')).toBe(126);
  });

  it("is the whole of a day's budget, and never more than is left", async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perDay: 50, perMonth: 10_000 } } });
    expect((await books.ledger.now()).planned('refresh')).toBe(50);
    await spend(books, 'a', 45);
    expect((await books.ledger.now()).planned('refresh')).toBe(5);
    expect((await open({}).ledger.now()).planned('refresh')).toBe(0);
  });
});

describe('credits that expire', () => {
  const expiring = { ...grant('g', 1_000), expiresOn: '2026-11-22' } as const;

  it('are spent before they lapse: what is left of them, evenly, and all on their last day', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 1_300 } } });
    await books.append(expiring);
    // Five days; the month alone would allow 100 a day.
    expect((await books.ledger.now()).planned('refresh')).toBe(200);
    await spend(books, 'a', 150);
    expect((await books.ledger.now()).planned('refresh')).toBe(50);
    await spend(books, 'b', 50);
    books.setTime('2026-11-22T12:00:00Z');
    expect((await books.ledger.now()).planned('refresh')).toBe(800);
    books.setTime('2026-11-23T12:00:00Z');
    expect((await books.ledger.now()).planned('refresh')).toBeLessThan(200);
  });

  it('open no budget', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perDay: 50 } } });
    await books.append(expiring);
    expect((await books.ledger.now()).planned('refresh')).toBe(50);
  });

  it('leave what fresh leads use a day until then', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 1_300 } } });
    await books.append(reserve('lead:1', { purpose: 'live', amountCredits: 60 }));
    await books.append(post('lead:1', 60));
    books.setTime('2026-11-19T12:00:00Z');
    await books.append(expiring);
    // Four days: 250 a day, of which leads use 60.
    expect((await books.ledger.now()).planned('refresh')).toBe(190);
  });

  it('are in the books, which hold with them and do not without', async () => {
    const books = open(PLENTY);
    await books.append(expiring);
    await spend(books, 'a', 10);
    const log = await books.log();
    const verified = async (entries: typeof log) => {
      const stream = (async function* () {
        yield* entries;
      })();
      return (await verifyLog(stream, { digest })).problems.length;
    };
    expect(await verified(log)).toBe(0);
    expect(log.at(-1)?.totals.expiring).toEqual([{ day: '2026-11-22', credits: 1_000, postedBefore: 0 }]);
    const later = log.map((entry) => (entry.seq === 1 ? { ...entry, expiresOn: '2027-11-22' } : entry));
    expect(await verified(later)).toBeGreaterThan(0);
  });
});
