import { describe, expect, it } from 'vitest';
import { openBooks, reserve } from './books.ts';

const lastMsBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString();

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
