import { describe, expect, it } from 'vitest';
import type { Budgets } from '#inside/credit-ledger/budgets.ts';
import type { BudgetState } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { late, openBooks, reserve } from './books.ts';

/** Midnight in Berlin after 18 November. */
const NEXT_DAY = Date.parse('2026-11-18T23:00:00Z');

async function refusal(
  books: ReturnType<typeof openBooks>,
  purpose: Purpose,
  amountCredits: number,
): Promise<BudgetState | undefined> {
  const result = await books.apply(reserve(`try-${purpose}-${amountCredits}:1`, { purpose, amountCredits }));
  return result.kind === 'over-budget' ? result.budget : undefined;
}

describe('a budget', () => {
  it('goes below nothing by a late charge, and then refuses everything', async () => {
    const books = openBooks({ budgets: { perDay: 5 } });
    await books.append(late('late:1', { amountCredits: 8 }));
    expect(await refusal(books, 'live', 1)).toMatchObject({ usedCredits: 8, leftCredits: -3 });
    expect((await books.ledger.now()).left('live')).toBe(0);
  });
});

describe('without a budget in all', () => {
  it.each<[string, Budgets]>([
    ['no budget at all', {}],
    ['only a budget for a purpose', { purposes: { live: { perDay: 100 } } }],
  ])('nothing is spent: %s', async (_, budgets) => {
    const books = openBooks({ budgets });
    expect(await refusal(books, 'live', 1)).toEqual({
      budget: 'total/none-set',
      limitCredits: 0,
      usedCredits: 0,
      leftCredits: 0,
      neededCredits: 1,
      resetsAtMs: NEXT_DAY,
      opensAtMs: NEXT_DAY,
    });
    expect((await books.ledger.now()).left('live')).toBe(0);
  });
});

describe('what is left', () => {
  it('is the least of all budgets that apply', async () => {
    const books = openBooks({
      budgets: { perDay: 100, perMonth: 1_000, purposes: { refresh: { perDay: 30, perMonth: 20 } } },
    });
    await books.append(reserve('q:1', { purpose: 'refresh', amountCredits: 5 }));
    expect((await books.ledger.now()).left('refresh')).toBe(15);
    expect((await books.ledger.now()).left('live')).toBe(95);
    expect(
      (await books.ledger.now()).states().map(({ budget, leftCredits }) => [budget, leftCredits]),
    ).toEqual([
      ['total/day', 95],
      ['total/month', 995],
      ['refresh/day', 25],
      ['refresh/month', 15],
    ]);
  });

  it('is told for the books, not for a clock that lags behind them', async () => {
    const books = openBooks({ budgets: { perDay: 100 }, at: '2026-11-18T23:00:01Z' });
    await books.append(reserve('q:1', { amountCredits: 60 }));
    books.setTime('2026-11-18T22:59:59Z');
    expect((await books.ledger.now()).left('live')).toBe(40);
    expect((await books.ledger.now()).states()).toMatchObject([{ usedCredits: 60 }]);
  });
});
