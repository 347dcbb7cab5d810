import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_DAY_STOPS } from '#inside/records/days.ts';
import { DAY_MS, HOUR_MS, longDay, longMonth } from '#shared/kernel';
import { newRecordState } from '#shared/records';
import { inSelection, noCharge, refusedQuery, type Stop } from '#shared/spend';
import { type MonthOfCharges, monthOfCharges } from '../../../harness/month-of-charges.ts';
import { charge } from '../../shared/spend/random-log.ts';
import { openReporter } from './open-reporter.ts';
import { figuresAt, rowsOf, textAt } from './read-html.ts';

const CHARGES = 30_000;
/** Of a list of charges, and of the newest ones that are not summed up yet. */
const MOST_ENTRIES = 1_100;
const MOST_REQUESTS = 60;
const MOST_BYTES = 300_000;

let month: MonthOfCharges;
let reporter: ReturnType<typeof openReporter>;

beforeAll(async () => {
  month = monthOfCharges(CHARGES);
  reporter = openReporter({ startMs: month.nowMs, store: month.store });
  await reporter.spendBook.project();
});

describe('a month of 30,000 charges', () => {
  it.each<[path: string, query: Record<string, string>]>([
    ['/spend', {}],
    ['/spend', { from: '2026-09-01', to: '2026-11-30' }],
    ['/spend.json', {}],
    ['/spend.csv', {}],
    ['/spend/charges', {}],
    ['/spend/charges', { purpose: 'manual', operation: 'reverseEmail', outcome: 'no-match' }],
    ['/spend/charges', { before: '30000' }],
    ['/spend/waiting', {}],
  ])('is answered from a bounded part of it, in under 300 KB: %s %j', async (path, query) => {
    month.reads();
    const { statusCode, body } = await reporter.ask(path, { query });
    const { entries, requests } = month.reads();
    expect(statusCode).toBe(200);
    expect(entries).toBeLessThanOrEqual(MOST_ENTRIES);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(Buffer.byteLength(body)).toBeLessThan(MOST_BYTES);
  });

  it.each<[path: string, query: Record<string, string>]>([
    ['/spend/charges.json', {}],
    ['/spend/charges.csv', { record: 'contacts#4711' }],
    ['/spend/charges', { record: 'contacts#4711' }],
  ])(
    'is a file, or a list of one record, of at most 6 MB, from a bounded part of it: %s %j',
    async (path, query) => {
      month.reads();
      const { statusCode, body } = await reporter.ask(path, { query });
      const { entries, requests } = month.reads();
      expect(statusCode).toBe(200);
      expect(entries).toBeLessThanOrEqual(60 * MOST_ENTRIES);
      expect(requests).toBeLessThanOrEqual(60 * 20);
      expect(Buffer.byteLength(body)).toBeLessThan(6_000_000);
    },
  );

  it('knows the sums of all of them, and where those lie that were long in doubt', async () => {
    const { body } = await reporter.ask('/spend/charges.json', { query: { outcome: 'other' } });
    const { selected, charges } = JSON.parse(body);
    expect(selected.count).toBe(CHARGES / 1_000);
    expect(charges).toHaveLength(CHARGES / 1_000);
    expect(month.reads().entries).toBeLessThan(300);
  });
});

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

const CHARGE = { operation: 'reverseEmail', purpose: 'live', credits: 1, reason: 'match' } as const;

type Reporter = ReturnType<typeof openReporter>;

async function chargeFor({ ledger }: Reporter, nth: number, about: { record?: string }) {
  const reservationId = `reservation ${nth}`;
  const question = { questionKey: `key ${nth}`, operation: 'reverseEmail', purpose: 'live' } as const;
  await ledger.apply({ kind: 'reserve', reservationId, ...about, ...question, amountCredits: 1 });
  await ledger.apply({ kind: 'post', reservationId, amountCredits: 1, reason: 'match' });
}

const linesOf = (body: string) => body.trimEnd().split('\r\n').slice(1);

it('a file of charges says in its last line that it is incomplete, and links the next part in a header', async () => {
  const month = monthOfCharges(25_000);
  const reporter = openReporter({ startMs: month.nowMs, store: month.store });
  await reporter.spendBook.project();
  const first = await reporter.ask('/spend/charges.csv');
  const lines = linesOf(first.body);
  const { nextSeq } = JSON.parse((await reporter.ask('/spend/charges.json')).body);
  expect(lines.at(-1)).toMatch(new RegExp(`^\\D*\\b${nextSeq}\\b\\D*$`));
  expect(first.body.length).toBeLessThan(6 * 1_000_000);
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers['link'] ?? '') ?? [];
  const query = Object.fromEntries(new URL(next, 'http://page/spend/').searchParams);
  const second = linesOf((await reporter.ask('/spend/charges.csv', { query })).body);
  expect(new Set([...lines, ...second]).size).toBe(lines.length + second.length);
});

it('a list does not say that a range has no charge if it has one', async () => {
  const reporter = openReporter();
  await chargeFor(reporter, 1, {});
  const older = await reporter.ask('/spend/charges', { query: { before: '1' } });
  const selection = { from: '2026-10-01', to: '2026-10-31' };
  expect(textAt(older.body, 'id="none"')).toBe(noCharge({ selection, isLater: true }));
  const ofOne = await reporter.ask('/spend/charges', { query: { record: 'companies#9' } });
  const record = 'companies#9';
  expect(textAt(ofOne.body, 'id="none"')).toBe(noCharge({ selection, record }));
  expect(new Set([true, false].map((isLater) => noCharge({ selection, isLater }))).size).toBe(2);
});

describe('the range of a page', () => {
  it('is named by each figure: a picked month has no figure of another one', async () => {
    const reporter = openReporter();
    await charge(reporter.ledger, { ...CHARGE, credits: 3 });
    await reporter.days.addYields([{ purpose: 'live', kind: 'filled', runs: 1, fields: 3 }]);
    reporter.clock.advance(20 * DAY_MS);
    await charge(reporter.ledger, { ...CHARGE, credits: 7 });
    const { body } = await reporter.ask('/spend', { query: { month: '2026-10' } });
    const inOctober = inSelection({ from: '2026-10-01', to: '2026-10-31' });
    expect(figuresAt(body, 'data-figure="spent"')).toEqual(['2026', '3']);
    expect(textAt(body, 'data-figure="spent"')).toContain(inOctober);
    expect(figuresAt(body, 'data-figure="match-rate"')).toEqual(['100%', '0']);
    for (const name of ['spent-today', 'forecast'])
      expect(textAt(body, `data-figure="${name}"`)).toBeUndefined();
  });

  it.each([
    [{ month: '2031-01' }, { parameter: 'month', start: longMonth('2031-01') }],
    [
      { from: '2031-01-02', to: '2031-01-03' },
      { parameter: 'from', start: longDay('2031-01-02') },
    ],
  ])('is refused where it has not begun: %j', async (query, params) => {
    for (const path of ['/spend', '/spend.json', '/spend.csv', '/spend/charges', '/spend/charges.csv']) {
      const { statusCode, body } = await openReporter().ask(path, { query });
      expect([path, statusCode]).toEqual([path, 400]);
      expect(body).toContain(refusedQuery('not-begun', params).problem);
    }
  });
});

it("the days that a record waits end when the month's budget resets, if it is used up", async () => {
  const reporter = openReporter();
  for (let day = 0; day < 8; day += 1) {
    if (day > 0) reporter.clock.advance(DAY_MS);
    await charge(reporter.ledger, { ...CHARGE, credits: 500 });
  }
  const run = { id: 'run', purpose: 'live', openedAtMs: 0, credits: 0 } as const;
  const waiting = { reason: 'queued', sinceMs: 0, untilMs: 0 } as never;
  await reporter.putState({ ...newRecordState('contacts', '1'), runsOpened: 1, run, waiting });
  const { waiting: shown } = JSON.parse((await reporter.ask('/spend.json')).body);
  // It is noon of 27 October; a record costs 500 credits, of which a day of the month has 129.
  expect(shown.inTurn).toMatchObject([{ purpose: 'live', records: 1, days: Math.ceil(4.5 + 3.9) }]);
});
