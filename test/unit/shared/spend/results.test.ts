import { describe, expect, it } from 'vitest';
import { WITHOUT_RULE } from '#inside/spend/selection.ts';
import { NO_STATEMENT } from '#shared/credit-ledger';
import { label, refusedQuery } from '#shared/spend';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import {
  addressesIn,
  figuresAt,
  linksTo,
  rowsOf,
  tablesIn,
  textAt,
} from '../../functions/report-spend/read-html.ts';
import { charge, chargeFor } from './random-log.ts';

const ABOUT = { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' } as const;

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
