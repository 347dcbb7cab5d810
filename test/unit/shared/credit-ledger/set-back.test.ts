import { describe, expect, it } from 'vitest';
import { CHECKED_ENTRIES, hashOf } from '#inside/credit-ledger/verify.ts';
import { type LedgerEntry, verifyNewest } from '#shared/credit-ledger';
import { digest, verify } from '../../../harness/ledger-logs.ts';
import { late, openBooks, post, reserve, voided } from './books.ts';

const NOW = '2026-11-18T12:00:00Z';
const AHEAD = '2027-03-01T12:00:00Z';

/** Ten credits of today, ten of a day in March and five more of it under way, then the clock is right again. */
async function booksAhead() {
  const books = openBooks({ at: NOW, budgets: { perDay: 30 } });
  await books.append(reserve('a:1'));
  await books.append(post('a:1'));
  books.setTime(AHEAD);
  await books.append(reserve('b:1'));
  await books.append(post('b:1'));
  await books.append(reserve('c:1', { amountCredits: 5 }));
  books.setTime(NOW);
  return books;
}

describe('books that are ahead', () => {
  it('know again what leads used on the days before', async () => {
    const books = openBooks({ at: '2026-11-17T12:00:00Z' });
    await books.append(reserve('a:1', { amountCredits: 7 }));
    books.setTime(AHEAD);
    await books.append(reserve('b:1'));
    books.setTime(NOW);
    await books.setBack('a wrong clock');
    const { leads } = (await books.log()).at(-1)?.totals ?? {};
    expect(leads).toEqual({ day: '2026-11-18', before: [7] });
  });

  it('count what a person uses from the present day on, and the proof agrees', async () => {
    const books = openBooks({ at: NOW, people: { creditsPerDay: 10, spend: [] } });
    const asked = { purpose: 'manual', askedBy: 'user:7', amountCredits: 10 } as const;
    books.setTime(AHEAD);
    await books.append(reserve('a:1', asked));
    books.setTime(NOW);
    await books.setBack('a wrong clock');
    await books.append(reserve('b:1', asked));
    await books.append(post('b:1', 4));
    await books.append(reserve('c:1', { ...asked, amountCredits: 6 }));
    const refused = await books.apply(reserve('d:1', { ...asked, amountCredits: 1 }));
    expect(refused).toMatchObject({ kind: 'over-budget', budget: { budget: 'person/day', leftCredits: 0 } });
    expect((await verify(await books.log())).problems).toEqual([]);
  });

  it('are not set back by less than an hour, nor twice', async () => {
    const books = openBooks({ at: NOW });
    await books.append(reserve('a:1'));
    books.setTime('2026-11-18T11:00:00Z');
    expect(await books.setBack('a wrong clock')).toBeUndefined();
    books.setTime('2026-11-18T10:59:59Z');
    expect(await books.setBack('a wrong clock')).toMatchObject({ kind: 'set-back' });
    expect(await books.setBack('a wrong clock')).toBeUndefined();
    expect(await books.log()).toHaveLength(2);
  });

  it('find what was booked under an id of the time that never was', async () => {
    const id = `q:${Date.parse(AHEAD)}`;
    const books = openBooks({ at: NOW });
    await books.append(reserve('a:1'));
    books.setTime(AHEAD);
    await books.append(reserve(id));
    await books.append(voided(id));
    await books.append(late(id, { amountCredits: 7 }));
    books.setTime(NOW);
    await books.setBack('a wrong clock');
    for (let index = 0; index < 70; index += 1)
      await books.append(reserve(`n${index}:1`, { amountCredits: 1 }));
    for (const at of [NOW, '2027-04-01T12:00:00Z']) {
      books.setTime(at);
      expect(await books.ledger.chargedFor(id)).toBe(7);
      expect(await books.apply(late(id, { amountCredits: 7 }))).toEqual({ kind: 'exists' });
      await books.append(reserve(`at ${at}:1`));
    }
  });
});

describe('an entry that sets back', () => {
  const forged = async (change: (entry: LedgerEntry) => Partial<LedgerEntry>) => {
    const books = await booksAhead();
    await books.setBack('a wrong clock');
    const log = await books.log();
    const { hash: _, ...entry } = log.at(-1) as LedgerEntry;
    const unhashed = { ...entry, ...change(entry as LedgerEntry) };
    const { problems } = await verify(log.with(-1, { ...unhashed, hash: hashOf(unhashed, digest) }));
    return problems.map(({ code }) => code);
  };

  it.each<[string, (entry: LedgerEntry) => Partial<LedgerEntry>, string]>([
    ['gives a budget back', ({ totals }) => ({ totals: { ...totals, periods: {} } }), 'wrong-totals'],
    ['has an amount', () => ({ amountCredits: 5 }), 'has-amount'],
    ['sets nothing back', () => ({ atMs: Date.parse(AHEAD), day: '2027-03-01' }), 'not-set-back'],
    ['frees what is under way', () => ({ open: [] }), 'wrong-reservations'],
  ])('is found where it %s', async (_, change, code) => {
    expect(await forged(change)).toContain(code);
  });

  it('holds in a check that begins after the books were ahead', async () => {
    const books = await booksAhead();
    await books.setBack('a wrong clock');
    for (let nth = 1; nth < CHECKED_ENTRIES; nth += 1)
      await books.append(reserve(`n${nth}:1`, { amountCredits: 0 }));
    expect(await verifyNewest(books.store, { digest })).toEqual({
      entries: CHECKED_ENTRIES,
      problems: [],
      isWhole: false,
    });
  });
});
