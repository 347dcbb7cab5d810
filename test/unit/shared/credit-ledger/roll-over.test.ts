import { describe, expect, it } from 'vitest';
import { openBooks, post, reserve } from './books.ts';

const lastMsBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString();
const nothing = { posted: 0, pending: 0, doubtful: 0 };

describe.each([
  ['Europe/Berlin', 'an ordinary midnight', '2026-11-18T23:00:00.000Z'],
  ['Europe/Berlin', 'the end of a day of 23 hours', '2026-03-29T22:00:00.000Z'],
  ['America/New_York', 'the end of a day of 25 hours', '2026-11-02T05:00:00.000Z'],
])('in %s over %s', (timeZone, _, after) => {
  it('a day budget is whole again, a month budget is not', async () => {
    const books = openBooks({ timeZone, budgets: { perDay: 10, perMonth: 15 }, at: lastMsBefore(after) });
    await books.append(reserve('q:1'));
    expect(await books.apply(reserve('q:2', { amountCredits: 5 }))).toMatchObject({
      kind: 'over-budget',
      budget: { budget: 'total/day', resetsAtMs: Date.parse(after) },
    });
    books.setTime(after);
    expect((await books.ledger.now()).left('live')).toBe(5);
    expect(await books.apply(reserve('q:2'))).toMatchObject({ budget: { budget: 'total/month' } });
    await books.append(reserve('q:3', { amountCredits: 5 }));
  });
});

it.each([
  ['Europe/Berlin', '2026-12-31T23:00:00.000Z'],
  ['America/New_York', '2026-11-01T04:00:00.000Z'],
])('in %s a month budget is whole again at %s', async (timeZone, after) => {
  const books = openBooks({ timeZone, budgets: { perMonth: 10 }, at: lastMsBefore(after) });
  await books.append(reserve('q:1'));
  expect(await books.apply(reserve('q:2'))).toMatchObject({
    budget: { budget: 'total/month', resetsAtMs: Date.parse(after) },
  });
  books.setTime(after);
  await books.append(reserve('q:2'));
});

describe('a reservation over the end of its day', () => {
  it('stays in the day and the month in which it was made, also when posted later', async () => {
    const books = openBooks({ at: '2026-11-30T12:00:00Z' });
    await books.append(reserve('q:1'));
    await books.append(reserve('stays:1', { amountCredits: 1 }));
    books.setTime('2026-12-02T12:00:00Z');
    const entry = await books.append(post('q:1', 7));
    expect(entry).toMatchObject({ day: '2026-11-30', atMs: Date.parse('2026-12-02T12:00:00Z') });
    expect(entry.totals.periods['2026-11-30']?.live).toEqual({ ...nothing, posted: 7, pending: 1 });
    expect(entry.totals.periods['2026-11']?.live).toEqual({ ...nothing, posted: 7, pending: 1 });
    expect(entry.totals.periods).not.toHaveProperty('2026-12-02');
    expect((await books.ledger.now()).left('live')).toBe(1_000);
  });
});
