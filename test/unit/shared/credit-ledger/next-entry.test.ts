import { describe, expect, it } from 'vitest';
import { MAX_OPEN } from '#shared/credit-ledger/next-entry.ts';
import type { Amounts } from '#shared/credit-ledger/schemas.ts';
import { adjust, doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

const amounts = (some: Partial<Amounts>): Amounts => ({ posted: 0, pending: 0, doubtful: 0, ...some });
const DAY = '2026-11-18';

describe('a reservation', () => {
  it('is a pending entry with its amount in day, month and lifetime', async () => {
    const books = openBooks();
    const entry = await books.append(reserve('q:1', { purpose: 'refresh', amountCredits: 6 }));
    expect(entry).toMatchObject({
      account: 'workspace',
      seq: 1,
      id: 'q:1:pending',
      kind: 'pending',
      day: DAY,
      amountCredits: 6,
      reservationId: 'q:1',
      questionKey: 'q',
      operation: 'personProfile',
      purpose: 'refresh',
    });
    expect(Object.keys(entry.totals.periods).sort()).toEqual(['2026-11', DAY]);
    expect(entry.totals.periods[DAY]?.refresh).toEqual(amounts({ pending: 6 }));
    expect(entry.totals.periods['2026-11']?.refresh).toEqual(amounts({ pending: 6 }));
    expect(entry.totals.periods[DAY]?.live).toEqual(amounts({}));
    expect(entry.totals.lifetime).toMatchObject(amounts({ pending: 6 }));
    expect(entry.open).toEqual([
      {
        id: 'q:1',
        seq: 1,
        questionKey: 'q',
        operation: 'personProfile',
        purpose: 'refresh',
        state: 'pending',
        amountCredits: 6,
        day: DAY,
        atMs: Date.parse('2026-11-18T12:00:00Z'),
      },
    ]);
  });

  it('exists when it is made twice', async () => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    expect(await books.apply(reserve('q:1'))).toEqual({ kind: 'exists' });
    expect(await books.log()).toHaveLength(1);
  });

  it('is refused when as many are open as may be, and again possible when one is settled', async () => {
    const books = openBooks({ budgets: { perDay: 10_000 } });
    for (let i = 0; i < MAX_OPEN; i += 1) await books.append(reserve(`q${i}:1`));
    await books.append(doubt('q0:1'));
    expect(await books.apply(reserve('more:1'))).toEqual({ kind: 'too-many-open', open: MAX_OPEN });
    await books.append(voided('q0:1'));
    await books.append(reserve('more:1'));
  });

  it('of a fraction of a credit, or of less than nothing, is a bug', async () => {
    const books = openBooks();
    await expect(books.apply(reserve('q:1', { amountCredits: 0.5 }))).rejects.toThrow('Assertion failed');
    await expect(books.apply(reserve('q:1', { amountCredits: -1 }))).rejects.toThrow('Assertion failed');
    expect(await books.log()).toEqual([]);
  });
});

describe('the settlement of a reservation', () => {
  it('posts what was charged, which may be less than was reserved', async () => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    const entry = await books.append(post('q:1', 4));
    expect(entry).toMatchObject({ seq: 2, id: 'q:1:posted', kind: 'posted', amountCredits: 4 });
    expect(entry).toMatchObject({ questionKey: 'q', operation: 'personProfile', purpose: 'live' });
    expect(entry.reason).toBe('match');
    expect(entry.totals.lifetime).toMatchObject(amounts({ posted: 4 }));
    expect(entry.totals.periods[DAY]?.live).toEqual(amounts({ posted: 4 }));
    expect(entry.open).toEqual([]);
  });

  it('voids what was not charged', async () => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    const entry = await books.append(voided('q:1'));
    expect(entry).toMatchObject({ id: 'q:1:voided', kind: 'voided', amountCredits: 10 });
    expect(entry.totals.lifetime).toMatchObject(amounts({}));
    expect(entry.open).toEqual([]);
  });

  it('keeps the worst case as doubtful until somebody knows', async () => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    const entry = await books.append(doubt('q:1'));
    expect(entry).toMatchObject({ id: 'q:1:doubtful', kind: 'doubtful', amountCredits: 10 });
    expect(entry.totals.lifetime).toMatchObject(amounts({ doubtful: 10 }));
    expect(entry.open).toMatchObject([{ id: 'q:1', state: 'doubtful', amountCredits: 10, seq: 1 }]);
    expect(await books.apply(doubt('q:1'))).toEqual({ kind: 'exists' });
  });

  it.each([
    ['posts', post('q:1', 7), amounts({ posted: 7 })],
    ['voids', voided('q:1'), amounts({})],
  ])('%s a doubt once it is resolved', async (_, command, lifetime) => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    await books.append(doubt('q:1'));
    const entry = await books.append(command);
    expect(entry.totals.lifetime).toMatchObject(lifetime);
    expect(entry.open).toEqual([]);
  });

  it.each([
    ['post', post('q:1')],
    ['void', voided('q:1')],
    ['doubt', doubt('q:1')],
  ])('finds nothing open: %s of what was settled, or never made', async (_, command) => {
    const books = openBooks();
    expect(await books.apply(command)).toEqual({ kind: 'not-open' });
    await books.append(reserve('q:1'));
    await books.append(post('q:1'));
    expect(await books.apply(command)).toEqual({ kind: 'not-open' });
    expect(await books.log()).toHaveLength(2);
  });

  it('leaves other reservations alone', async () => {
    const books = openBooks();
    await books.append(reserve('a:1', { purpose: 'live' }));
    await books.append(reserve('b:1', { purpose: 'manual', amountCredits: 3 }));
    const entry = await books.append(post('a:1', 9));
    expect(entry.open.map(({ id }) => id)).toEqual(['b:1']);
    expect(entry.totals.periods[DAY]?.live).toEqual(amounts({ posted: 9 }));
    expect(entry.totals.periods[DAY]?.manual).toEqual(amounts({ pending: 3 }));
    expect(entry.totals.lifetime).toMatchObject(amounts({ posted: 9, pending: 3 }));
  });
});

describe('a late charge', () => {
  it('is booked after its void, to the day on which it was proved, even over budget', async () => {
    const books = openBooks({ budgets: { perDay: 10 } });
    await books.append(reserve('q:1'));
    await books.append(voided('q:1'));
    books.setTime('2026-11-19T12:00:00Z');
    await books.append(reserve('r:1'));
    const entry = await books.append(late('q:1', { amountCredits: 8 }));
    expect(entry).toMatchObject({ id: 'q:1:late', kind: 'late', day: '2026-11-19', amountCredits: 8 });
    expect(entry.totals.periods['2026-11-19']?.live).toEqual(amounts({ posted: 8, pending: 10 }));
    expect(entry.open.map(({ id }) => id)).toEqual(['r:1']);
  });

  it('exists when it is booked twice', async () => {
    const books = openBooks();
    await books.append(late('q:1'));
    await books.append(reserve('r:1'));
    expect(await books.apply(late('q:1'))).toEqual({ kind: 'exists' });
    expect((await books.ledger.newest())?.totals.lifetime.posted).toBe(10);
  });

  it('of a reservation that is still open is a bug: that one is posted', async () => {
    const books = openBooks();
    await books.append(reserve('q:1'));
    await expect(books.apply(late('q:1'))).rejects.toThrow('Assertion failed');
  });
});

describe('grants and adjustments', () => {
  it('are in the lifetime totals only', async () => {
    const books = openBooks();
    const first = await books.append(grant('invoice 1', 500));
    expect(first).toMatchObject({ id: 'invoice 1', kind: 'grant', day: DAY, amountCredits: 500 });
    expect(first.totals).toEqual({ periods: {}, lifetime: { ...amounts({}), granted: 500, adjusted: 0 } });
    const second = await books.append(adjust('dashboard 1', -20));
    expect(second).toMatchObject({ kind: 'adjustment', amountCredits: -20, reason: 'dashboard' });
    expect(second.totals.lifetime).toMatchObject({ granted: 500, adjusted: -20 });
  });

  it('exist when they are booked twice under one id', async () => {
    const books = openBooks();
    await books.append(grant('invoice 1', 500));
    await books.append(reserve('q:1'));
    expect(await books.apply(grant('invoice 1', 500))).toEqual({ kind: 'exists' });
    expect(await books.apply(adjust('invoice 1', 500))).toEqual({ kind: 'exists' });
    await books.append(grant('invoice 2', 500));
    expect((await books.ledger.newest())?.totals.lifetime.granted).toBe(1_000);
  });

  it('need no budget', async () => {
    const books = openBooks({ budgets: {} });
    await books.append(grant('invoice 1', 500));
    await books.append(adjust('dashboard 1', 1));
  });

  it('of less than nothing is only an adjustment', async () => {
    await expect(openBooks().apply(grant('invoice 1', -1))).rejects.toThrow('Assertion failed');
  });
});
