import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import { linksTo, tablesIn } from '../../functions/report-spend/read-html.ts';
import { charge } from './random-log.ts';

const ABOUT = { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' } as const;

type Reporter = ReturnType<typeof openReporter>;

async function chargeFor({ ledger }: Pick<Reporter, 'ledger'>, record: string, reason = 'match') {
  const reservationId = `${record}:1`;
  const about = { questionKey: `key of ${record}`, operation: 'reverseEmail', purpose: 'live' } as const;
  await ledger.apply({ kind: 'reserve', reservationId, record, ...about, amountCredits: 3 });
  await ledger.apply({ kind: 'post', reservationId, amountCredits: 3, reason });
}

describe('the most expensive records', () => {
  it('are listed with their charges, purposes and rules, and what names no record is told apart', async () => {
    const reporter = openReporter();
    await chargeFor(reporter, 'contacts#12');
    await chargeFor(reporter, 'contacts#123');
    await charge(reporter.ledger, { ...ABOUT, purpose: 'import', credits: 7 });
    await reporter.ledger.apply({
      ...{ kind: 'reserve', reservationId: 'again:1', record: 'contacts#123', rule: 'contacts: <b>' },
      ...{ questionKey: 'again', operation: 'personProfile', purpose: 'manual', amountCredits: 1 },
    });
    await reporter.ledger.apply({
      kind: 'post',
      reservationId: 'again:1',
      amountCredits: 1,
      reason: 'match',
    });
    const { body } = await reporter.ask('/spend/records');
    expect(tablesIn(body)[0]?.rows.slice(1)).toEqual([
      ['Contact 123 in HubSpot', '4', '2', 'By hand, New and changed records', '', 'contacts: <b>'],
      ['Contact 12 in HubSpot', '3', '1', 'New and changed records', '', ''],
    ]);
    expect(body).not.toContain('<b>,');
    expect(body).not.toContain('contacts: <b>');
    expect(body).toContain('7 credits more were charged without a record');
    const [address = ''] = linksTo(body, '2');
    const url = new URL(address, 'http://page/spend/records');
    const charges = await reporter.ask(url.pathname, { query: Object.fromEntries(url.searchParams) });
    expect(charges.body).toContain('Charges of Contact 123');
    expect(tablesIn(charges.body)[0]?.rows).toHaveLength(1 + 2);
  });

  it('reads a bounded part of the log, and says so', async () => {
    const reporter = openReporter();
    for (let nth = 0; nth < 5_010; nth += 1) await charge(reporter.ledger, { ...ABOUT, credits: 0 });
    expect((await reporter.ask('/spend/records')).body).toContain(
      'Only the newest 5,000 charges are counted.',
    );
  });
});

describe('credits and results', () => {
  it('stand side by side, sorted by the chosen column', async () => {
    const reporter = openReporter();
    await charge(reporter.ledger, { ...ABOUT, credits: 5 });
    await charge(reporter.ledger, { ...ABOUT, credits: 2, reason: 'no-match' });
    await charge(reporter.ledger, { ...ABOUT, purpose: 'import', credits: 4, reason: 'no-match' });
    await reporter.days.addYields([{ purpose: 'live', kind: 'filled', runs: 2, fields: 14 }]);
    const rowsOf = async (query: Record<string, string>) =>
      tablesIn((await reporter.ask('/spend', { query })).body)
        .find(({ rows }) => rows[0]?.includes('Fields filled'))
        ?.rows.slice(1);
    const live = ['New and changed records', '7', '2', '1', '2', '14', '0.50'];
    const imports = ['Imports', '4', '1', '0', '4', '0', '–'];
    expect(await rowsOf({})).toEqual([live, imports]);
    expect(await rowsOf({ sort: 'wastedCredits' })).toEqual([imports, live]);
    expect(await rowsOf({ by: 'rule' })).toBeUndefined();
    // Runs are not counted by operation.
    expect((await rowsOf({ operation: 'reverseEmail' }))?.[0]?.slice(5)).toEqual(['–', '–']);
  });

  it("show a rule's name as it is, also where it is the word for an asker or a purpose", async () => {
    const reporter = openReporter();
    const brought = { purpose: 'live', kind: 'filled', runs: 1, fields: 1 } as const;
    await chargeFor(reporter, 'contacts#1');
    await reporter.days.addYields(['schedule', 'live'].map((rule) => ({ ...brought, rule })));
    const { rows } = tablesIn((await reporter.ask('/spend', { query: { by: 'rule' } })).body).find((table) =>
      table.rows[0]?.includes('Matches'),
    ) ?? { rows: [] };
    expect(rows.slice(1).map(([name]) => name)).toEqual(['no rule', 'live', 'schedule']);
    const { body } = await reporter.ask('/spend', { query: { by: 'rule' } });
    expect(linksTo(body, '1').filter((address) => address.includes('rule=no+rule'))).toHaveLength(1);
  });

  it('count the fields of the chosen rule alone', async () => {
    const reporter = openReporter();
    const [rule, other] = ['contacts: customers', 'contacts: leads'];
    await chargeFor(reporter, 'contacts#1');
    await reporter.days.addYields([
      { purpose: 'live', kind: 'filled', rule, runs: 1, fields: 4 },
      { purpose: 'live', kind: 'filled', rule: other, runs: 1, fields: 6 },
    ]);
    const { brought } = JSON.parse((await reporter.ask('/spend.json', { query: { rule } })).body);
    expect(brought).toMatchObject({ filledRecords: 1, filledFields: 4 });
  });

  it('show money beside credits where the policy names a price of a credit', async () => {
    const withPrice = openReporter({ creditPrice: { amount: 0.05, currency: 'EUR' } });
    const without = openReporter();
    for (const { ledger } of [withPrice, without]) await charge(ledger, { ...ABOUT, credits: 30 });
    const { body } = await withPrice.ask('/spend');
    expect(body).toContain('total: 30 credits (€1.50), 1 charge');
    expect(tablesIn(body).flatMap(({ rows }) => rows.flat())).toContain('30 (€1.50)');
    expect((await without.ask('/spend')).body).not.toContain('€');
  });

  it('are compared with the same days of the month before', async () => {
    const reporter = openReporter({ startMs: Date.UTC(2026, 8, 20, 12) });
    await charge(reporter.ledger, { ...ABOUT, credits: 4 });
    reporter.clock.advance(5 * DAY_MS);
    await charge(reporter.ledger, { ...ABOUT, credits: 100 });
    reporter.clock.advance(25 * DAY_MS);
    await charge(reporter.ledger, { ...ABOUT, credits: 5 });
    const { body } = await reporter.ask('/spend');
    expect(body).toContain('credits from 1 Sept 2026 to 20 Sept 2026; now 25% more');
    const days = { from: '2026-10-16', to: '2026-10-20' };
    const { before } = JSON.parse((await reporter.ask('/spend.json', { query: days })).body);
    expect(before.selection).toMatchObject({ from: '2026-10-11', to: '2026-10-15' });
  });
});

describe('the statement of a month', () => {
  it('is a file that the page leads to, with purchases, spending and both ends of the log', async () => {
    const reporter = openReporter();
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice 4711' });
    await charge(reporter.ledger, ABOUT);
    const [address = ''] = linksTo((await reporter.ask('/spend')).body, 'Statement of the month (CSV)');
    const url = new URL(address, 'http://page/spend');
    const file = await reporter.ask(url.pathname, { query: Object.fromEntries(url.searchParams) });
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
    ['2026-13', 400, 'month must be like 2026-11.'],
    ['"><b>', 400, 'month must be like 2026-11.'],
    ['2026-11', 404, 'November 2026 has not begun.'],
    ['2026-09', 404, 'The books begin with October 2026.'],
  ])('is refused for the month %s with %i and a sentence', async (month, status, sentence) => {
    const reporter = openReporter();
    await charge(reporter.ledger, ABOUT);
    const { statusCode, headers, body } = await reporter.ask('/spend/statement.csv', { query: { month } });
    expect([statusCode, body]).toEqual([status, `${sentence}\n`]);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('the balance of the data service', () => {
  it('is compared in place with that of the ledger, and nothing is stored', async () => {
    const reporter = openReporter();
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice' });
    await charge(reporter.ledger, ABOUT);
    const before = await reporter.ledger.newest();
    const compare = async (balance: string) => reporter.ask('/spend', { query: { balance } });
    expect((await compare('87')).body).toContain('Both are 87. The books agree.');
    const { body } = await compare('85');
    expect(body).toContain('The ledger has 87, the dashboard 85: book an adjustment of -2 credits.');
    expect(body).toContain('ledger reconcile --balance 85</code>');
    expect(await reporter.ledger.newest()).toEqual(before);
  });

  it.each([['in doubt', 'doubt'] as const, ['in progress', 'reserve'] as const])(
    'offers no adjustment while credits are %s, because it could count them twice',
    async (words, state) => {
      const { ledger, ask } = openReporter();
      await ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 90, reason: 'invoice' });
      const reservation = { reservationId: 'open:1', questionKey: 'open', amountCredits: 3 } as const;
      await ledger.apply({ kind: 'reserve', ...reservation, operation: 'personProfile', purpose: 'live' });
      if (state === 'doubt')
        await ledger.apply({ kind: 'doubt', reservationId: 'open:1', reason: 'no-answer' });
      const { body } = await ask('/spend', { query: { balance: '87' } });
      expect(body).toContain(words);
      expect(body).not.toContain('ledger reconcile');
    },
  );

  it.each(['-1', '1e3', '"><b>', '9'.repeat(13)])('is refused as %s', async (balance) => {
    const { statusCode, body } = await openReporter().ask('/spend', { query: { balance } });
    expect(statusCode).toBe(400);
    expect(body).toContain('<p>balance must be a whole number of credits.</p>');
  });
});
