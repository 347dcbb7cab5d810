import { describe, expect, it } from 'vitest';
import { WITHOUT_ASKER, WITHOUT_RULE } from '#inside/spend/selection.ts';
import { NO_STATEMENT, refusalSentence } from '#shared/credit-ledger';
import { askerWords } from '#shared/crm';
import { DAY_MS, HOUR_MS, instant } from '#shared/kernel';
import { eventThatEnds, newRecordState, type RecordState, waitingWords } from '#shared/records';
import { label, type QueryRefusalCode, refusedQuery, stopTimes } from '#shared/spend';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import {
  addressesIn,
  figuresAt,
  linksTo,
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

describe('credits and results', () => {
  it('stand side by side, sorted by the chosen column', async () => {
    const reporter = openReporter();
    await charge(reporter.ledger, { ...ABOUT, credits: 5 });
    await charge(reporter.ledger, { ...ABOUT, credits: 2, reason: 'no-match' });
    await charge(reporter.ledger, { ...ABOUT, purpose: 'import', credits: 4, reason: 'no-match' });
    await reporter.days.addYields([{ purpose: 'live', kind: 'filled', runs: 2, fields: 14 }]);
    const resultsFor = async (query: Record<string, string>) =>
      rowsOf((await reporter.ask('/spend', { query })).body, 'results');
    const live = [label('live'), '7', '2', '50%', '2', '14', '0.50'];
    const imports = [label('import'), '4', '1', '0%', '4', '0', ''];
    const total = ['Total', '11', '3', '33%', '6', '14', '0.79'];
    expect(await resultsFor({})).toEqual([live, imports, total]);
    expect(await resultsFor({ sort: 'wastedCredits' })).toEqual([imports, live, total]);
    expect(await resultsFor({ by: 'rule' })).toBeUndefined();
    // Filled fields are not counted by operation.
    const byOperation = [label('reverseEmail'), '11', '3', '33%', '6', '', ''];
    expect((await resultsFor({ by: 'operation' }))?.[0]).toEqual(byOperation);
    expect((await resultsFor({ operation: 'reverseEmail' }))?.[0]?.slice(5)).toEqual(['', '']);
  });

  it('count a free miss as an answer, and not as a paid lookup', async () => {
    const { ledger, ask } = openReporter();
    await charge(ledger, ABOUT);
    const { operation, purpose, credits: amountCredits } = ABOUT;
    const asked = { reservationId: 'free:1', questionKey: 'free', operation, purpose, amountCredits };
    await ledger.apply({ kind: 'reserve', ...asked });
    await ledger.apply({ kind: 'void', reservationId: 'free:1', reason: 'no-match' });
    const { total } = JSON.parse((await ask('/spend.json')).body);
    expect(total).toMatchObject({ charges: 1, credits: 3, wastedCredits: 0, matchRate: 1 / 2 });
    const { charges } = JSON.parse((await ask('/spend/charges.json')).body);
    expect(charges).toHaveLength(1);
    expect((await ask('/spend.csv')).body.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it("show a rule's name as it is, also where it is the word for an asker or a purpose", async () => {
    const reporter = openReporter();
    const brought = { purpose: 'live', kind: 'filled', runs: 1, fields: 1 } as const;
    await chargeFor(reporter, 'contacts#1');
    await reporter.days.addYields(['schedule', 'live'].map((rule) => ({ ...brought, rule })));
    const { body } = await reporter.ask('/spend', { query: { by: 'rule' } });
    expect(rowsOf(body, 'results')?.map(([name]) => name)).toEqual([
      ...[WITHOUT_RULE, 'live', 'schedule', 'Total'],
    ]);
    const rule = String(new URLSearchParams({ rule: WITHOUT_RULE }));
    expect(linksTo(body, WITHOUT_RULE).filter((address) => address.includes(rule))).toHaveLength(1);
  });

  it('show money beside credits where the policy names a price of a credit', async () => {
    const withPrice = openReporter({ creditPrice: { amount: 0.05, currency: 'EUR' } });
    const without = openReporter();
    for (const { ledger } of [withPrice, without]) await charge(ledger, { ...ABOUT, credits: 30 });
    const { body } = await withPrice.ask('/spend');
    expect(figuresAt(body, 'data-figure="spent"')?.slice(-3)).toEqual(['30', '4,000', '1.50']);
    expect(tablesIn(body).flatMap(({ rows }) => rows.flat())).toContain('30 (€1.50)');
    expect((await without.ask('/spend')).body).not.toContain('€');
  });
});

describe('the statement of a month', () => {
  /** Follows the only link of a page with this part in its address. */
  async function follow({ ask }: ReturnType<typeof openReporter>, from: string, part: string) {
    const [address = ''] = addressesIn((await ask(from)).body).filter((each) => each.includes(part));
    const url = new URL(address, `http://page${from}`);
    return ask(url.pathname, { query: Object.fromEntries(url.searchParams) });
  }

  it('is a page to print and a file, with purchases, spending and both ends of the log', async () => {
    const reporter = openReporter({ creditPrice: { amount: 0.05, currency: 'EUR' } });
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice 4711' });
    await charge(reporter.ledger, ABOUT);
    const { body } = await follow(reporter, '/spend', 'statement');
    const rows = rowsOf(body, 'statement') ?? [];
    expect(rows.map((row) => row.slice(-2)).slice(0, 4)).toEqual([
      ['0', '€0.00'],
      ['90', '€4.50'],
      ['−3', '-€0.15'],
      ['87', '€4.35'],
    ]);
    expect(rows.find((row) => row[1] === label('live'))).toBeDefined();
    const newest = await reporter.ledger.newest();
    expect(body).toContain(newest?.hash);
    const file = await follow(reporter, '/spend/statement', 'statement.csv');
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="statement-2026-10.csv"',
    });
    expect(file.body).toContain('bought,"2026-10-20, invoice 4711",,90\r\n');
    expect(file.body).toContain('spent,live,1,-3\r\n');
    expect(file.body).toContain('closing balance,,,87\r\n');
    expect(file.body).toMatch(/first entry,1 \w+,,\r\nlast entry,3 \w+,,\r\n$/);
  });

  it.each([
    ['2026-13', 400, refusedQuery('not-a-month', { parameter: 'month' }).problem],
    ['"><b>', 400, refusedQuery('not-a-month', { parameter: 'month' }).problem],
    ['2026-11', 404, NO_STATEMENT['to-come']({ month: '2026-11' })],
    ['2026-09', 404, NO_STATEMENT['before-the-books']({ month: '2026-09', firstMonth: '2026-10' })],
  ])('is refused for the month %s with %i and a sentence', async (month, status, sentence) => {
    const reporter = openReporter();
    await charge(reporter.ledger, ABOUT);
    const { statusCode, headers, body } = await reporter.ask('/spend/statement.csv', { query: { month } });
    expect(statusCode).toBe(status);
    expect(body).toContain(sentence);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const page = await reporter.ask('/spend/statement', { query: { month } });
    const code = status === 404 ? 'no-statement' : 'not-a-month';
    expect([page.statusCode, textAt(page.body, `data-code="${code}"`)]).toEqual([status, body.trim()]);
    expect(page.body).not.toContain('"><b>');
  });
});

describe('the balance of the data service', () => {
  it('is compared in place with that of the ledger, and nothing is stored', async () => {
    const reporter = openReporter();
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice' });
    await charge(reporter.ledger, ABOUT);
    const before = await reporter.ledger.newest();
    const compare = async (balance: string) => reporter.ask('/spend', { query: { balance } });
    expect(figuresAt((await compare('87')).body, 'data-code="equal"')).toEqual(['87']);
    const { body } = await compare('85');
    expect(figuresAt(body, 'data-code="different"')).toEqual(['87', '85', '2']);
    expect(body).toContain('ledger reconcile --balance 85</code>');
    expect(await reporter.ledger.newest()).toEqual(before);
  });

  it.each([['in-doubt', 'doubt'] as const, ['in-progress', 'reserve'] as const])(
    'offers no adjustment while credits are %s, because it could count them twice',
    async (code, state) => {
      const { ledger, ask } = openReporter();
      await ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice' });
      const reservation = { reservationId: 'open:1', questionKey: 'open', amountCredits: 3 } as const;
      await ledger.apply({ kind: 'reserve', ...reservation, operation: 'personProfile', purpose: 'live' });
      if (state === 'doubt')
        await ledger.apply({ kind: 'doubt', reservationId: 'open:1', reason: 'no-answer' });
      const { body } = await ask('/spend', { query: { balance: '87' } });
      expect(figuresAt(body, `data-code="${code}"`)?.slice(0, 3)).toEqual(['90', '87', '3']);
      expect(body).not.toContain('ledger reconcile');
    },
  );

  it.each(['-1', '1e3', '"><b>', '9'.repeat(13)])('is refused as %s', async (balance) => {
    const { statusCode, body } = await openReporter().ask('/spend', { query: { balance } });
    expect(statusCode).toBe(400);
    expect(textAt(body, 'data-code="not-credits" data-parameter="balance"')).toBeDefined();
  });
});
