import { describe, expect, it } from 'vitest';
import type { BudgetState, Budgets } from '#shared/credit-ledger/budgets.ts';
import { PURPOSES, type Purpose } from '#shared/crm/purpose.ts';
import { adjust, doubt, grant, late, openBooks, post, reserve } from './books.ts';

/** Midnight in Berlin after 18 November. */
const NEXT_DAY = Date.parse('2026-11-18T23:00:00Z');
const NEXT_MONTH = Date.parse('2026-11-30T23:00:00Z');

async function refusal(
  books: ReturnType<typeof openBooks>,
  purpose: Purpose,
  amountCredits: number,
): Promise<BudgetState | undefined> {
  const result = await books.apply(reserve(`try-${purpose}-${amountCredits}:1`, { purpose, amountCredits }));
  return result.kind === 'over-budget' ? result.budget : undefined;
}

describe('a budget', () => {
  it('says which it is, how much is left and when it resets', async () => {
    const books = openBooks({ budgets: { perDay: 25 } });
    await books.append(reserve('q:1', { amountCredits: 10 }));
    expect(await books.apply(reserve('q:2', { amountCredits: 16 }))).toEqual({
      kind: 'over-budget',
      budget: {
        budget: 'total/day',
        limitCredits: 25,
        usedCredits: 10,
        leftCredits: 15,
        resetsAtMs: NEXT_DAY,
      },
    });
    expect(await books.log()).toHaveLength(1);
  });

  it('may be used to the last credit', async () => {
    const books = openBooks({ budgets: { perDay: 25 } });
    await books.append(reserve('q:1', { amountCredits: 25 }));
    expect(await refusal(books, 'live', 1)).toMatchObject({ leftCredits: 0 });
  });

  it.each<[string, Budgets, Purpose, string, number]>([
    ['of all per day', { perDay: 9 }, 'live', 'total/day', NEXT_DAY],
    ['of all per month', { perMonth: 9 }, 'live', 'total/month', NEXT_MONTH],
    [
      'of a purpose per day',
      { perDay: 99, purposes: { refresh: { perDay: 9 } } },
      'refresh',
      'refresh/day',
      NEXT_DAY,
    ],
    [
      'of a purpose per month',
      { perDay: 99, purposes: { backfill: { perMonth: 9 } } },
      'backfill',
      'backfill/month',
      NEXT_MONTH,
    ],
    [
      'of nothing, for a purpose',
      { perDay: 99, purposes: { manual: { perDay: 0 } } },
      'manual',
      'manual/day',
      NEXT_DAY,
    ],
  ])('%s refuses', async (_, budgets, purpose, budget, resetsAtMs) => {
    const books = openBooks({ budgets });
    expect(await refusal(books, purpose, 10)).toMatchObject({ budget, resetsAtMs });
  });

  it('of one purpose leaves the others alone', async () => {
    const books = openBooks({ budgets: { perDay: 100, purposes: { refresh: { perDay: 9 } } } });
    await books.append(reserve('q:1', { purpose: 'live' }));
    expect(await refusal(books, 'refresh', 9)).toBeUndefined();
    expect(await refusal(books, 'refresh', 1)).toMatchObject({ budget: 'refresh/day' });
    expect(await refusal(books, 'live', 1)).toBeUndefined();
  });

  it('of all counts every purpose', async () => {
    const books = openBooks({ budgets: { perDay: 40 } });
    for (const purpose of PURPOSES) await books.append(reserve(`${purpose}:1`, { purpose }));
    expect(await refusal(books, 'live', 1)).toMatchObject({ budget: 'total/day', usedCredits: 40 });
  });

  it('names the one that opens again last, where two refuse', async () => {
    const books = openBooks({ budgets: { perDay: 5, perMonth: 5 } });
    expect(await refusal(books, 'live', 6)).toMatchObject({ budget: 'total/month' });
  });

  it('counts what is pending, posted, doubtful or late, and neither grants nor adjustments', async () => {
    const books = openBooks({ budgets: { perDay: 100 } });
    await books.append(reserve('pending:1', { amountCredits: 1 }));
    await books.append(reserve('posted:1', { amountCredits: 50 }));
    await books.append(post('posted:1', 2));
    await books.append(reserve('doubtful:1', { amountCredits: 4 }));
    await books.append(doubt('doubtful:1'));
    await books.append(late('late:1', { amountCredits: 8 }));
    await books.append(grant('g', 1_000));
    await books.append(adjust('a', -1_000));
    expect(await books.ledger.budgets()).toMatchObject([{ usedCredits: 15, leftCredits: 85 }]);
  });

  it('goes below nothing by a late charge, and then refuses everything', async () => {
    const books = openBooks({ budgets: { perDay: 5 } });
    await books.append(late('late:1', { amountCredits: 8 }));
    expect(await refusal(books, 'live', 1)).toMatchObject({ usedCredits: 8, leftCredits: -3 });
    expect(await books.ledger.left('live')).toBe(0);
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
      resetsAtMs: NEXT_DAY,
    });
    expect(await books.ledger.left('live')).toBe(0);
  });
});

describe('what is left', () => {
  it('is the least of all budgets that apply', async () => {
    const books = openBooks({
      budgets: { perDay: 100, perMonth: 1_000, purposes: { refresh: { perDay: 30, perMonth: 20 } } },
    });
    await books.append(reserve('q:1', { purpose: 'refresh', amountCredits: 5 }));
    expect(await books.ledger.left('refresh')).toBe(15);
    expect(await books.ledger.left('live')).toBe(95);
    expect((await books.ledger.budgets()).map(({ budget, leftCredits }) => [budget, leftCredits])).toEqual([
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
    expect(await books.ledger.left('live')).toBe(40);
    expect(await books.ledger.budgets()).toMatchObject([{ usedCredits: 60 }]);
  });
});
