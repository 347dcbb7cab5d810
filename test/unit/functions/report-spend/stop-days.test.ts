import { describe, expect, it } from 'vitest';
import { MAX_DAY_STOPS } from '#inside/records/days.ts';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import type { Stop } from '#shared/spend';
import { openReporter } from './open-reporter.ts';
import { rowsOf } from './read-html.ts';

const stop = (given: Partial<Stop> = {}): Stop => ({
  kind: 'out-of-credits',
  what: 'The balance <b>is</b> too low.',
  whatToDo: 'Buy credits.',
  ...given,
});

/** Rows of the table of stops, as a person reads them. */
async function stopsSeen(reporter: ReturnType<typeof openReporter>, query: Record<string, string> = {}) {
  const { body } = await reporter.ask('/spend', { query });
  return rowsOf(body, 'stops');
}

async function openBooks(wish: Parameters<typeof openReporter>[0] = {}) {
  const reporter = openReporter(wish);
  await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 9, reason: 'invoice' });
  return reporter;
}

describe('the history of stops', () => {
  it('lists each stop once a day with its times and reason, and marks the day in the chart', async () => {
    const reporter = await openBooks();
    const sinceMs = reporter.clock.now() - HOUR_MS;
    await reporter.days.addStops([stop({ sinceMs })]);
    reporter.clock.advance(HOUR_MS);
    await reporter.days.addStops([stop({ sinceMs })]);
    reporter.clock.advance(DAY_MS);
    await reporter.days.addStops([stop({ sinceMs })]);
    expect(await stopsSeen(reporter)).toEqual([
      ['Tue 20 Oct', '20 Oct 2026, 11:00', '20 Oct 2026, 13:00', 'The balance <b>is</b> too low.'],
      ['Wed 21 Oct', '21 Oct 2026, 13:00', '21 Oct 2026, 13:00', 'The balance <b>is</b> too low.'],
    ]);
    const { body } = await reporter.ask('/spend');
    expect(body).not.toContain('<b>is</b>');
    expect(body.match(/class="day stopped"/g)).toHaveLength(2);
    expect(await stopsSeen(reporter, { from: '2026-10-21', to: '2026-10-21' })).toHaveLength(1);
  });

  it('lists the stops of a day in the order of their begins', async () => {
    const reporter = await openBooks();
    const seen = { outer: reporter.clock.now() - HOUR_MS, inner: reporter.clock.now() - HOUR_MS / 2 };
    await reporter.days.addStops([stop({ kind: 'key-refused', what: 'inner', sinceMs: seen.inner })]);
    await reporter.days.addStops([stop({ what: 'outer', sinceMs: seen.outer })]);
    expect((await stopsSeen(reporter))?.map((row) => row.at(-1))).toEqual(['outer', 'inner']);
  });

  it('has one stop of a budget at one time', async () => {
    const reporter = await openBooks();
    const ofDay = (given: Partial<Stop>) => stop({ params: { budget: 'total/day' }, ...given });
    const beganMs = reporter.clock.now();
    const kept = ofDay({ kind: 'reserved-for-leads', what: 'kept' });
    await reporter.days.addStops([kept]);
    reporter.clock.advance(HOUR_MS);
    await reporter.days.addStops([kept]);
    reporter.clock.advance(HOUR_MS);
    // Its record has waited since before.
    await reporter.days.addStops([ofDay({ kind: 'budget-used-up', what: 'used up', sinceMs: beganMs })]);
    reporter.clock.advance(HOUR_MS);
    await reporter.days.addStops([kept, stop({ params: { budget: 'total/month' }, what: 'month' })]);
    expect((await stopsSeen(reporter))?.map((row) => row.slice(1).map((cell) => cell.slice(-5)))).toEqual([
      ['12:00', '13:00', 'kept'],
      ['13:00', '14:00', 'ed up'],
      ['15:00', '15:00', 'kept'],
      ['15:00', '15:00', 'month'],
    ]);
  });

  it('stays small however often stops come and go', async () => {
    const reporter = await openBooks();
    for (let nth = 0; nth < 2 * MAX_DAY_STOPS; nth += 1)
      await reporter.days.addStops([stop({ sinceMs: nth })]);
    expect(await stopsSeen(reporter)).toHaveLength(MAX_DAY_STOPS);
  });

  it('has a present stop that no sweep has seen yet, on the days that include today only', async () => {
    const reporter = await openBooks({ isStoppedByPerson: true });
    const [{ what: why }] = JSON.parse((await reporter.ask('/spend.json')).body).stops;
    expect(await stopsSeen(reporter)).toEqual([
      ['Tue 20 Oct', '20 Oct 2026, 12:00', '20 Oct 2026, 12:00', why],
    ]);
    expect(await stopsSeen(reporter, { from: '2026-10-20', to: '2026-10-20' })).toHaveLength(1);
    const before = { from: '2026-10-18', to: '2026-10-19' };
    expect(await stopsSeen(reporter, before)).toBeUndefined();
  });
});
