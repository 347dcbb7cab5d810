import { describe, expect, it } from 'vitest';
import { MAX_OPEN } from '#inside/credit-ledger/next-entry.ts';
import { doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

describe('a reservation', () => {
  it('is refused at the limit of open reservations, doubts included, which an entry can hold', async () => {
    const books = openBooks({ budgets: { perDay: 10_000 } });
    const facts = { questionKey: 'k'.repeat(64), record: 'contacts#123456789012', rule: 'r'.repeat(80) };
    for (let i = 0; i < MAX_OPEN; i += 1)
      await books.append(reserve(`${facts.questionKey}:${i}:12345678`, facts));
    const refused = { kind: 'too-many-open', open: MAX_OPEN };
    expect(await books.apply(reserve('more:1'))).toEqual(refused);
    const doubted = await books.append(doubt(`${facts.questionKey}:0:12345678`));
    expect(JSON.stringify(doubted).length).toBeLessThan(300_000);
    expect(await books.apply(reserve('more:1'))).toEqual(refused);
    await books.append(voided(`${facts.questionKey}:0:12345678`));
    await books.append(reserve('more:1'));
  });

  it('of a fraction of a credit, or of less than nothing, is a bug', async () => {
    const books = openBooks();
    await expect(books.apply(reserve('q:1', { amountCredits: 0.5 }))).rejects.toThrow();
    await expect(books.apply(reserve('q:1', { amountCredits: -1 }))).rejects.toThrow();
    expect(await books.log()).toEqual([]);
  });
});

it('the settlement of a reservation says for whom it was asked, through a doubt too', async () => {
  const books = openBooks();
  await books.append(reserve('q:1', { record: 'contacts#7' }));
  await books.append(reserve('search:1', { operation: 'searchPeople' }));
  await books.append(doubt('q:1'));
  expect(await books.append(post('q:1', 4))).toMatchObject({ kind: 'posted', record: 'contacts#7' });
  expect(await books.append(post('search:1', 4))).not.toHaveProperty('record');
  expect(await books.append(late('q:1', { record: 'contacts#7' }))).toMatchObject({ record: 'contacts#7' });
});

it('a late charge of a reservation that is still open is a bug: that one is posted', async () => {
  const books = openBooks();
  await books.append(reserve('q:1'));
  await expect(books.apply(late('q:1'))).rejects.toThrow();
});

it('grants and adjustments of less than nothing is only an adjustment', async () => {
  await expect(openBooks().apply(grant('invoice 1', -1))).rejects.toThrow();
});
