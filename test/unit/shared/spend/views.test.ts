import { describe, expect, it } from 'vitest';
import { WITHOUT_ASKER } from '#inside/spend/selection.ts';
import { refusalSentence } from '#shared/credit-ledger';
import { askerWords } from '#shared/crm';
import { DAY_MS, HOUR_MS, instant } from '#shared/kernel';
import { eventThatEnds, newRecordState, type RecordState, waitingWords } from '#shared/records';
import { label, type QueryRefusalCode, stopTimes } from '#shared/spend';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import {
  addressesIn,
  figuresAt,
  nextPart,
  rowsOf,
  tablesIn,
  textAt,
} from '../../functions/report-spend/read-html.ts';
import { charge, chargeFor, TIME_ZONE } from './random-log.ts';

const ABOUT = { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' } as const;

/** Addresses outside of the page. */
const outsideIn = (body: string) => addressesIn(body).filter((address) => /^https?:/.test(address));

function waits(id: string, waiting: RecordState['waiting'], openedAtMs: number): RecordState {
  const run = { id: 'run', purpose: 'import', openedAtMs, credits: 0 } as const;
  return { ...newRecordState('contacts', id), runsOpened: 1, run, waiting };
}

describe('the list of charges', () => {
  it('tells of each its record with a link into HubSpot, its question, price, outcome and purpose', async () => {
    const reporter = openReporter();
    await chargeFor(reporter, 'contacts#123');
    await chargeFor(reporter, 'companies#9', 'resolved: said Jane <jane@example.org>');
    const { body } = await reporter.ask('/spend/charges');
    expect(figuresAt(body, 'id="total"')).toEqual(['6', '2']);
    const about = [label('live'), askerWords(WITHOUT_ASKER)];
    const at = instant(reporter.clock.now(), TIME_ZONE);
    expect(rowsOf(body, 'charges')).toEqual([
      ['Company 9', '3', label('reverseEmail'), ...about, expect.any(String), at],
      ['Contact 123', '3', label('reverseEmail'), ...about, label('match'), at],
    ]);
    expect(outsideIn(body)).toEqual([
      'https://app.hubspot.com/contacts/4711/record/0-2/9',
      'https://app.hubspot.com/contacts/4711/record/0-1/123',
    ]);
    // What a person noted is not told, on the page or to a program.
    const json = (await reporter.ask('/spend/charges.json')).body;
    expect(JSON.parse(json)).toMatchObject({ charges: [{ outcome: 'other' }, { outcome: 'match' }] });
    const csv = (await reporter.ask('/spend/charges.csv')).body;
    for (const text of [body, json, csv]) expect(text).not.toContain('jane');
  });

  it('goes on page by page, each charge once, and in files too', async () => {
    const reporter = openReporter();
    for (let nth = 0; nth < 120; nth += 1) await charge(reporter.ledger, { ...ABOUT, credits: 1 });
    let path: string | undefined = '/spend/charges?month=2026-10';
    const counts: number[] = [];
    while (path !== undefined) {
      const url: URL = new URL(path, 'http://page/spend/charges');
      const { body } = await reporter.ask(url.pathname, { query: Object.fromEntries(url.searchParams) });
      counts.push((tablesIn(body)[0]?.rows.length ?? 1) - 1);
      path = nextPart(body, 'before');
    }
    expect(counts).toEqual([50, 50, 20]);
    const file = await reporter.ask('/spend/charges.csv');
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(1 + 120);
    expect(file.headers).not.toHaveProperty('link');
  });
});

it('the list of doubts names all doubts, oldest first', async () => {
  const reporter = openReporter();
  const doubt = async (reservationId: string, questionKey: string) => {
    const about = { questionKey, operation: 'reverseEmail', purpose: 'live', amountCredits: 3 } as const;
    await reporter.ledger.apply({ kind: 'reserve', reservationId, ...about });
    await reporter.ledger.apply({ kind: 'doubt', reservationId, reason: 'cut off' });
  };
  await doubt('old:1', 'key of the old one');
  reporter.clock.advance(2 * DAY_MS);
  await doubt('new:1', 'key of the new one');
  const { body } = await reporter.ask('/spend');
  expect(figuresAt(body, 'id="doubts"')).toEqual(['2', '6']);
  const { openDoubts } = JSON.parse((await reporter.ask('/spend.json')).body);
  expect(openDoubts).toMatchObject([
    { questionKey: 'key of the old one' },
    { questionKey: 'key of the new one' },
  ]);
});

describe('the list of what waits', () => {
  it('tells why each record waits, and until when', async () => {
    const reporter = openReporter();
    const nowMs = reporter.clock.now();
    const ofLastAttempt = { reason: 'budget', detail: "Today's budget has 2 left.", untilMs: nowMs };
    await reporter.putState(waits('1', ofLastAttempt, nowMs - DAY_MS));
    const refused = {
      reason: 'HUBSPOT_REFUSES',
      detail: 'Property <b> is read-only.',
      untilMs: nowMs + HOUR_MS,
    };
    await reporter.putState(waits('2', refused, nowMs));
    const { body } = await reporter.ask('/spend/waiting');
    const at = (ms: number) => expect.stringContaining(instant(ms, TIME_ZONE));
    const budget = waitingWords('budget');
    expect(rowsOf(body, 'waiting')).toEqual([
      [...[expect.stringContaining('2'), label('import'), at(nowMs), refused.detail], at(refused.untilMs)],
      [...[expect.stringContaining('1'), label('import'), at(nowMs - DAY_MS), budget.why], at(nowMs)],
    ]);
    expect(body).not.toContain('Property <b>');
  });

  it('tells of a record that no worker has tried what its group waits for', async () => {
    const reporter = openReporter();
    const { ledger, clock } = reporter;
    const spent = { operation: 'reverseEmail', purpose: 'live', credits: 500, reason: 'match' } as const;
    await charge(ledger, spent);
    await reporter.putState(waits('1', { reason: 'queued', untilMs: clock.now() }, clock.now()));
    const { waiting } = JSON.parse((await reporter.ask('/spend.json')).body);
    const [{ refusal }] = waiting.inTurn;
    const [row] = rowsOf((await reporter.ask('/spend/waiting')).body, 'waiting') ?? [];
    const opens = expect.stringContaining(instant(refusal.opensAtMs, TIME_ZONE));
    expect(row?.slice(3)).toEqual([refusalSentence(refusal), opens]);
  });

  it('tells of each page that a record waits for the person who stopped spending, and of no other end', async () => {
    const reporter = openReporter({ isStoppedByPerson: true });
    const nowMs = reporter.clock.now();
    await reporter.putState(waits('1', { reason: 'budget', untilMs: nowMs + DAY_MS }, nowMs));
    await reporter.putState(waits('2', { reason: 'queued', untilMs: nowMs }, nowMs));
    await reporter.putState(waits('3', { reason: 'key-refused', untilMs: nowMs + HOUR_MS }, nowMs));
    const { body } = await reporter.ask('/spend/waiting');
    const { why } = waitingWords('stopped-by-person');
    const end = eventThatEnds('stopped-by-person');
    expect(rowsOf(body, 'waiting')?.map((row) => row.slice(3))).toEqual(Array(3).fill([why, end]));
    const start = (await reporter.ask('/spend')).body;
    const { stops, generatedAtMs } = JSON.parse((await reporter.ask('/spend.json')).body);
    expect(stops).toMatchObject([{ kind: 'stopped-by-person', untilResumed: true, records: 3 }]);
    expect(textAt(start, 'data-stop="stopped-by-person"')).toContain(
      stopTimes(stops[0], generatedAtMs, TIME_ZONE),
    );
    expect(textAt(start, 'data-wait="import"')).toContain(end);
  });

  it('lists the first hundred of all places, or of one', async () => {
    const reporter = openReporter();
    const nowMs = reporter.clock.now();
    for (let nth = 1; nth <= 130; nth += 1) {
      const reason = nth % 3 === 0 ? 'HTTP_TIMEOUT' : 'queued';
      await reporter.putState(waits(String(nth), { reason, untilMs: nowMs }, nowMs));
    }
    const listed = async (query = {}) => {
      const { body } = await reporter.ask('/spend/waiting', { query });
      return new Set(rowsOf(body, 'waiting')?.map(([name]) => name));
    };
    const [all, queued] = [await listed(), await listed({ place: 'in-turn-import' })];
    expect([all.size, queued.size]).toEqual([100, 87]);
    expect([...queued].filter((name) => !all.has(name))).toHaveLength(130 - 100);
  });
});

it.each([
  [
    { appId: '70' },
    'https://app.hubspot.com/app/4711/70',
    'https://app.hubspot.com/contacts/4711/record/0-1/1',
  ],
  [{}, undefined, 'https://app.hubspot.com/contacts/4711/record/0-1/1'],
  [
    { appId: '70', standInUrl: 'http://stand-in' },
    'http://stand-in/screen/home',
    'http://stand-in/screen/contacts/1',
  ],
])(
  'a link into HubSpot leads to the page where a person decides, and to the record: %j',
  async (hubSpot, home, record) => {
    const reporter = openReporter({ hubSpot });
    await chargeFor(reporter, 'contacts#1');
    expect(outsideIn((await reporter.ask('/spend/charges')).body)).toEqual([record]);
    expect(outsideIn((await reporter.ask('/spend')).body)).toEqual(home === undefined ? [] : [home]);
  },
);

/** Every command, as a person would copy it. */
const commandsIn = (page: string) =>
  [...page.matchAll(/<code>npm run -s cli -- (.*?)<\/code>|(spend resume.*?)</g)].map(
    ([, code, sentence]) => code ?? sentence,
  );

it.each([
  ['crm', / --stack crm$/],
  [undefined, /^(?!.* --stack )/],
])('a command that a page names carries the stack that the page is about: %s', async (stack, ending) => {
  const reporter = openReporter({ isStoppedByPerson: true, ...(stack !== undefined && { stack }) });
  const empty = (await reporter.ask('/spend')).body;
  await reporter.ledger.apply({
    kind: 'reserve',
    reservationId: 'q:1',
    questionKey: 'q',
    amountCredits: 3,
    operation: 'reverseEmail',
    purpose: 'live',
    record: 'contacts#1',
  });
  await reporter.ledger.apply({ kind: 'doubt', reservationId: 'q:1', reason: 'cut off' });
  const wait = { reason: 'stopped-by-person', untilMs: reporter.clock.now() + HOUR_MS };
  await reporter.putState(waits('1', wait, reporter.clock.now()));
  const pages = [
    empty,
    (await reporter.ask('/spend')).body,
    await reporter.widget(),
    (await reporter.ask('/spend/waiting')).body,
  ];
  for (const page of pages) {
    const commands = commandsIn(page);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).toMatch(ending);
  }
});

describe('what is asked wrongly', () => {
  it.each<[path: string, name: string, code: QueryRefusalCode, query: Record<string, string>]>([
    ['/spend', 'month', 'not-a-month', { month: '9999-99' }],
    ['/spend.csv', 'from', 'range-too-long', { from: '0000-01-01', to: '9999-12-31' }],
    ['/spend/charges.json', 'before', 'not-an-entry', { before: '-1' }],
    ['/spend/charges', 'record', 'not-a-record', { record: 'contacts#<b>' }],
    ['/spend', 'sort', 'unknown-choice', { sort: 'name' }],
    ['/spend', 'day', 'not-a-day', { day: "2026-11-'x" }],
    ['/spend/statement', 'month', 'not-a-month', { month: "2026-'x" }],
    ['/spend/waiting', 'place', 'unknown-choice', { place: 'settled' }],
  ])('is refused at %s with the name %s and the code %s', async (path, name, code, query) => {
    const { statusCode, headers, body } = await openReporter().ask(path, { query });
    expect(statusCode).toBe(400);
    if (path.includes('.')) {
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(body).toMatch(new RegExp(`^${name}\\b[^<>]*\\n$`));
    } else {
      expect(textAt(body, `data-code="${code}" data-parameter="${name}"`)).toMatch(new RegExp(`^${name}\\b`));
      // A way back, without the value that was refused.
      expect(addressesIn(body)).toContain(path === '/spend' ? 'spend' : '../spend');
      for (const value of Object.values(query)) if (/[<"']/.test(value)) expect(body).not.toContain(value);
    }
  });

  it('is no word of HTML where a log holds such', async () => {
    const reporter = openReporter();
    const operation = '<img src=x onerror=alert(1)>';
    await charge(reporter.ledger, { ...ABOUT, operation });
    for (const path of ['/spend', '/spend/charges'])
      expect((await reporter.ask(path)).body).not.toContain('<img');
    expect(await reporter.widget()).not.toContain('<img');
    expect(await reporter.widget({ view: 'charges', query: {} })).not.toContain('<img');
  });

  it.each([['0000-01'], ['2026-09']])(
    'is answered for the month %s, of which there is nothing',
    async (month) => {
      const { statusCode, body } = await openReporter().ask('/spend', { query: { month } });
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/undefined|NaN|Infinity|Invalid/);
    },
  );
});
