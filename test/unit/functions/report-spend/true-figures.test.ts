import { describe, expect, it } from 'vitest';
import { DAY_MS, longDay, longMonth } from '#shared/kernel';
import { newRecordState } from '#shared/records';
import { inSelection, noCharge, refusedQuery } from '#shared/spend';
import { monthOfCharges } from '../../../harness/month-of-charges.ts';
import { charge } from '../../shared/spend/random-log.ts';
import { openReporter } from './open-reporter.ts';
import { figuresAt, textAt } from './read-html.ts';

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
