import { describe, expect, it } from 'vitest';
import { openBooks, post, reserve } from './books.ts';

const nothing = { posted: 0, pending: 0, doubtful: 0 };

describe.each([
  {
    timeZone: 'Europe/Berlin',
    what: 'an ordinary midnight',
    before: '2026-11-18T22:59:59.999Z',
    after: '2026-11-18T23:00:00.000Z',
  },
  {
    timeZone: 'Europe/Berlin',
    what: 'the end of a day of 23 hours',
    before: '2026-03-29T21:59:59.999Z',
    after: '2026-03-29T22:00:00.000Z',
  },
  {
    timeZone: 'Europe/Berlin',
    what: 'the end of a day of 25 hours',
    before: '2026-10-25T22:59:59.999Z',
    after: '2026-10-25T23:00:00.000Z',
  },
  {
    timeZone: 'America/New_York',
    what: 'the end of a day of 23 hours',
    before: '2026-03-09T03:59:59.999Z',
    after: '2026-03-09T04:00:00.000Z',
  },
  {
    timeZone: 'America/New_York',
    what: 'the end of a day of 25 hours',
    before: '2026-11-02T04:59:59.999Z',
    after: '2026-11-02T05:00:00.000Z',
  },
])('over $what in $timeZone', ({ timeZone, before, after }) => {
  it('a day budget is whole again, a month budget is not', async () => {
    const books = openBooks({ timeZone, budgets: { perDay: 10, perMonth: 15 }, at: before });
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

describe.each([
  { timeZone: 'Europe/Berlin', before: '2026-03-31T21:59:59.999Z', after: '2026-03-31T22:00:00.000Z' },
  { timeZone: 'Europe/Berlin', before: '2026-12-31T22:59:59.999Z', after: '2026-12-31T23:00:00.000Z' },
  { timeZone: 'America/New_York', before: '2026-11-01T03:59:59.999Z', after: '2026-11-01T04:00:00.000Z' },
])('at the end of a month in $timeZone ($after)', ({ timeZone, before, after }) => {
  it('a month budget is whole again', async () => {
    const books = openBooks({ timeZone, budgets: { perMonth: 10 }, at: before });
    await books.append(reserve('q:1'));
    expect(await books.apply(reserve('q:2'))).toMatchObject({
      budget: { budget: 'total/month', resetsAtMs: Date.parse(after) },
    });
    books.setTime(after);
    await books.append(reserve('q:2'));
  });
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

describe('a clock that goes backwards', () => {
  it('does not take time in the log back, nor open a closed day', async () => {
    const books = openBooks({ budgets: { perDay: 10 }, at: '2026-11-18T23:00:01Z' });
    const first = await books.append(reserve('q:1'));
    expect(first.day).toBe('2026-11-19');
    books.setTime('2026-11-18T22:59:59Z');
    expect(await books.apply(reserve('q:2'))).toMatchObject({ kind: 'over-budget' });
    const second = await books.append(post('q:1'));
    expect(second).toMatchObject({ atMs: first.atMs, day: '2026-11-19' });
    const third = await books.append({ kind: 'grant', id: 'g', amountCredits: 1, reason: 'invoice' });
    expect(third).toMatchObject({ atMs: first.atMs, day: '2026-11-19' });
  });
});
