import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { newRecordState } from '#shared/records';
import { inSelection, label, selectionWords } from '#shared/spend';
import { ACCOUNT, charge } from '../../shared/spend/random-log.ts';
import { FUNCTION_ARN, openReporter } from './open-reporter.ts';
import { figuresAt, rowsOf, textAt } from './read-html.ts';

const CHARGE = { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' } as const;

describe('the spend reporter', () => {
  it.each([
    ['/spend', 'text/html; charset=utf-8'],
    ['/spend.json', 'application/json; charset=utf-8'],
    ['/spend.csv', 'text/csv; charset=utf-8'],
  ])('answers GET %s as %s, also before anything was spent', async (path, type) => {
    const result = await openReporter().ask(path);
    expect(result.statusCode).toBe(200);
    expect(result.headers['content-type']).toBe(type);
    expect(result.body).not.toBe('');
  });

  it.each(['/', '/spend/', '/spend.xml', '/spending', '/__proto__'])('has nothing at %s', async (path) => {
    expect((await openReporter().ask(path)).statusCode).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('refuses %s', async (method) => {
    const result = await openReporter().ask('/spend', { method });
    expect(result).toMatchObject({ statusCode: 405, headers: { allow: 'GET' } });
  });

  it.each(['/spend', '/spend.json', '/spend.csv', '/nowhere'])(
    'keeps %s out of caches, frames and scripts',
    async (path) => {
      const { headers } = await openReporter().ask(path);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
      expect(headers['content-security-policy']).toContain("form-action 'self'; frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
    },
  );

  it('tells as JSON what the ledger says, up to its newest entry, projected or not', async () => {
    const { ask, ledger, spendBook, days, clock } = openReporter();
    await charge(ledger, CHARGE);
    await spendBook.project();
    clock.advance(DAY_MS);
    await charge(ledger, { ...CHARGE, purpose: 'refresh', credits: 5, reason: 'no-match' });
    await days.addYields([{ purpose: 'live', kind: 'filled', runs: 4, fields: 32 }]);
    const report: unknown = JSON.parse((await ask('/spend.json')).body);
    expect(report).toMatchObject({
      account: ACCOUNT,
      generatedAtMs: clock.now(),
      today: '2026-10-21',
      spentTodayCredits: 5,
      spentMonthCredits: 8,
      yields: {
        purpose: [
          { name: 'refresh', credits: 5, charges: 1 },
          { name: 'live', credits: 3, charges: 1 },
        ],
      },
      total: { filledFields: 32, costPerFilledField: 0.25, matchRate: 0.5 },
    });
    expect(report).toHaveProperty('budgets', (await ledger.now()).states());
  });

  it("gives a month's rows as CSV, this month's where none is named", async () => {
    const { ask, ledger, clock } = openReporter();
    await charge(ledger, CHARGE);
    clock.advance(20 * DAY_MS);
    await charge(ledger, { ...CHARGE, credits: 7 });
    const header = 'day,operation,purpose,outcome,credits,count,rule,askedBy\r\n';
    const now = await ask('/spend.csv');
    expect(now.body).toBe(`${header}2026-11-09,reverseEmail,live,match,7,1,,\r\n`);
    expect(now.headers['content-disposition']).toBe('attachment; filename="spend-2026-11.csv"');
    const before = await ask('/spend.csv', { query: { month: '2026-10' } });
    expect(before.body).toBe(`${header}2026-10-20,reverseEmail,live,match,3,1,,\r\n`);
  });

  it.each([
    ['/spend', 'month=2026-10&month=2026-11'],
    ['/spend.json', 'purpose=live&purpose=live'],
    ['/spend/charges', 'record=contacts%231&record=contacts%232'],
  ])('refuses a parameter that comes twice: %s?%s', async (path, rawQuery) => {
    expect((await openReporter().ask(path, { rawQuery })).statusCode).toBe(400);
  });

  const long = 'a'.repeat(3_000);
  it.each([
    ['/spend', { month: long }],
    ['/spend.csv', { from: '2026-10-01', to: long }],
    ['/spend.json', { purpose: long }],
    ['/spend/charges', { record: `contacts#${'1'.repeat(3_000)}` }],
    ['/spend/charges.csv', { before: '1'.repeat(3_000) }],
    ['/spend/waiting', { place: long }],
  ])('refuses a parameter above its limit: %s', async (path, query) => {
    expect((await openReporter().ask(path, { query })).statusCode).toBe(400);
  });
});

/** Names of the landmarks of a page: sections by their headings, regions by their labels. */
function landmarksIn(page: string): string[] {
  const headed = [...page.matchAll(/<section [^>]*aria-labelledby="([^"]+)"/g)].map(
    ([, id]) => new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1] ?? `no heading ${id}`,
  );
  const labelled = [
    ...page.matchAll(/<(?:section|div role="region"|div [^>]*role="region")[^>]*aria-label="([^"]+)"/g),
  ];
  return [...headed, ...labelled.map(([, label = '']) => label)];
}

it.each(['/spend', '/spend/charges', '/spend/waiting', '/spend/statement'])(
  '%s names each landmark once, so that a screen reader tells them apart',
  async (path) => {
    const reporter = openReporter();
    const openedAtMs = reporter.clock.now();
    const run = { id: 'run', purpose: 'import', openedAtMs, credits: 0 } as const;
    const waiting = { reason: 'budget', untilMs: openedAtMs };
    await reporter.putState({ ...newRecordState('contacts', '1'), runsOpened: 1, run, waiting });
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 9, reason: 'invoice' });
    const { statusCode, body } = await reporter.ask(path);
    expect(statusCode).toBe(200);
    const names = landmarksIn(body);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  },
);

async function opened() {
  const reporter = openReporter();
  const { ledger } = reporter;
  await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' });
  await charge(ledger, { operation: 'personProfile', purpose: 'import', credits: 5, reason: 'no-match' });
  return reporter;
}

/** Every call of the function that the widget offers. */
function calls(html: string): unknown[] {
  return [...html.matchAll(/<cwdb-action action="call" endpoint="([^"]*)">([^<]*)<\/cwdb-action>/g)].map(
    ([, endpoint, json = '']) => {
      expect(endpoint).toBe(FUNCTION_ARN);
      return JSON.parse(json.replaceAll('&quot;', '"'));
    },
  );
}

describe('the widget', () => {
  it('shows the report in the colours of the dashboard', async () => {
    const { widget } = await opened();
    const [light, dark] = [await widget(), await widget({}, { theme: 'dark' })];
    expect(figuresAt(light, 'data-figure="spent-today"')?.[0]).toBe('8');
    expect(rowsOf(light, 'results')).toHaveLength(2 + 1);
    for (const words of [label('live'), ACCOUNT]) expect(light).toContain(words);
    expect(light).toContain('color-scheme: light');
    expect(dark).toContain('color-scheme: dark');
    expect(dark.replace(/<style>.*<\/style>/s, '')).toBe(light.replace(/<style>.*<\/style>/s, ''));
  });

  it('has no script, no link and no handler, which the console would refuse', async () => {
    const html = await (await opened()).widget();
    expect(html).not.toMatch(/<(?:script|iframe|link|use|a)\b|\son\w+=|javascript:|https?:/i);
  });

  it('takes range and filter from its form, and its month from its own parameters', async () => {
    const { widget } = await opened();
    expect(calls(await widget())).toContainEqual({ view: 'spend' });
    const all = { from: '2026-10-20', to: '2026-10-20', purpose: 'live', operation: '', outcome: '' };
    const picked = await widget({ view: 'spend' }, { forms: { all } });
    const day = { from: '2026-10-20', to: '2026-10-20' };
    expect(picked).toContain(selectionWords({ ...day, purpose: 'live' }));
    expect(textAt(await widget({ month: '2026-09' }), 'data-none="purpose"')).toContain(
      inSelection({ from: '2026-09-01', to: '2026-09-30' }),
    );
  });

  it.each([
    { view: 'charges', query: { from: 'today' } },
    { view: 'spend', query: { month: 'x' } },
    { view: 'waiting', query: { place: 'here' } },
  ])('says what is wrong with %j', async (asked) => {
    const html = await (await opened()).widget(asked);
    const [name] = Object.keys(asked.query).slice(-1);
    expect(textAt(html, `data-code="[\\w-]+" data-parameter="${name}"`)).toBeDefined();
  });

  it('has no style that reaches out of it into the console', async () => {
    const html = await (await opened()).widget({}, { theme: 'dark' });
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    const selectors = [...style.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
    expect(selectors.length).toBeGreaterThan(40);
    expect(
      selectors.map((selector) => selector.trim()).filter((each) => !each.startsWith('.credit-spend')),
    ).toEqual([]);
  });
});
