import { describe, expect, it } from 'vitest';
import { DARK, LIGHT } from '#inside/spend/page/component-style.ts';
import { dayChart } from '#inside/spend/page/day-chart.ts';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { SpendYield } from '#inside/spend/yields.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { HOUR_MS, html } from '#shared/kernel';
import { type SpendReport, spendCsv } from '#shared/spend';
import { tablesIn } from '../../functions/report-spend/read-html.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);
const HOSTILE = `<img src=x onerror="alert('1')">&`;
const HOSTILE_ESCAPED = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;';

function budget(name: string, limitCredits: number, usedCredits: number): BudgetState {
  const leftCredits = limitCredits - usedCredits;
  return { budget: name, limitCredits, usedCredits, leftCredits, resetsAtMs: NOW_MS + 9 * HOUR_MS };
}

function row(day: string, credits: number, given: Partial<SpendRow> = {}): SpendRow {
  return { day, operation: 'personProfile', purpose: 'live', outcome: 'match', credits, count: 1, ...given };
}

function report(given: Partial<SpendReport> = {}): SpendReport {
  const rows = [row('2026-11-20', 1_200), row('2026-11-21', 345)];
  const when = { nowMs: NOW_MS, timeZone: 'UTC' };
  return { ...buildReport({ ...when, account: 'main', rows, newest: undefined, budgets: [] }), ...given };
}

const DOUBT = {
  id: 'key:3',
  questionKey: 'key',
  operation: 'reverseEmail',
  purpose: 'live',
  amountCredits: 1,
  day: '2026-11-21',
  atMs: NOW_MS,
} as const;

const BROUGHT = {
  filledRecords: 3,
  filledFields: 12,
  matchRate: 0.75,
  costPerFilledRecord: 1.5,
  costPerFilledField: 0.375,
  refresh: { changed: 4, unchanged: 5, gone: 1 },
};

function yieldNamed(name: string): SpendYield {
  const runs = { filledRecords: 1, filledFields: 4, unmatched: 0, review: 0, skipped: 0 };
  return { name, credits: 1, charges: 1, matches: 1, wastedCredits: 0, ...runs };
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('the page', () => {
  it('escapes every value that comes from outside', () => {
    const share = { name: HOSTILE, credits: 1, count: 1, share: 1 };
    const page = spendPage(
      report({
        account: HOSTILE,
        openDoubts: [{ ...DOUBT, questionKey: HOSTILE, operation: HOSTILE }],
        budgets: [budget(`${HOSTILE}/day`, 10, 11)],
        byOperation: [share],
        byPurpose: [share],
        byOutcome: [share],
        yields: { rule: [yieldNamed(HOSTILE)], purpose: [], source: [] },
      }),
    );
    expect(page).not.toContain('<img');
    // Account, doubt (2), budget (list and notice), three tables and the results by rule, with a link each.
    expect(page.split(HOSTILE_ESCAPED)).toHaveLength(1 + 13);
  });

  it("breaks a rule's name anywhere, so that a long one fits a narrow screen", () => {
    const share = { name: 'x'.repeat(60), credits: 1, count: 1, share: 1 };
    const yields = { rule: [yieldNamed(share.name)], purpose: [], source: [] };
    const page = spendPage(report({ yields, byOperation: [share] }));
    expect(page).toMatch(/\.typed \{[^}]*overflow-wrap: anywhere/);
    expect(page.match(/<th scope="row" class="typed">/g)).toHaveLength(1);
  });

  it('needs nothing from elsewhere and runs nothing', () => {
    const page = spendPage(report());
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|https?:|url\((?!#)|@import|\son\w+=/i);
  });

  it('says everything in words and figures, not by colour or drawing alone', () => {
    const page = spendPage(
      report({ budgets: [budget('total/day', 1_000, 345), budget('refresh/month', 20, 20)] }),
    );
    expect(page).toContain('345 of 1,000 used (35%)');
    expect(page).toContain('<b>655</b> left');
    expect(page).toContain('resets in 9 hours, 21 Nov 2026, 23:30');
    expect(page).toContain('Scheduled refresh, per month');
    expect(page).toContain('used up');
    expect(page).toContain('most on 20 Nov: 1,200');
    expect(page).toContain(
      '<th scope="row">Fri 20 Nov</th><td class="number"><a href="spend/charges?from=2026-11-20&amp;to=2026-11-20" aria-label="1 charge: Fri 20 Nov">1</a></td><td class="number">1,200</td>',
    );
    expect(page.match(/<table>/g)).toHaveLength(page.match(/<caption>/g)?.length ?? 0);
    expect(
      page.match(/<svg(?![^>]*(?:role="(?:img|group)" aria-label="[^"]|aria-hidden="true"))/g),
    ).toBeNull();
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it.each([
    ['without any spend', report({ byDay: [], byOperation: [], byPurpose: [], byOutcome: [] })],
    [
      'with all there is',
      report({ balanceCredits: -12, grantedCredits: 50, brought: BROUGHT, service: 'real' }),
    ],
    [
      'with a limit of nothing',
      report({ budgets: [budget('total/day', 0, 0), budget('total/month', 0, 0)] }),
    ],
  ])('shows no gap in its figures %s', (_, made) => {
    expect(spendPage(made)).not.toMatch(/undefined|NaN|Infinity|\[object|Invalid/);
  });

  it('draws each bar to the scale of the highest', () => {
    const page = spendPage(report());
    const heights = [...page.matchAll(/class="bar [^>]*height="([\d.]+)"/g)].map(([, height]) =>
      Number(height),
    );
    expect(heights).toEqual([100, 28.75]);
    expect(page.match(/class="day"/g)).toHaveLength(21);
  });

  it('stacks a day by purpose, with a legend, and the same in words', () => {
    const rows = [row('2026-11-21', 30), row('2026-11-21', 10, { purpose: 'import' })];
    const when = { nowMs: NOW_MS, timeZone: 'UTC', account: 'main', newest: undefined, budgets: [] };
    const chart = dayChart({ days: buildReport({ ...when, rows }).byDay, limit: undefined }).markup;
    expect(
      [...chart.matchAll(/"bar of-(\w+)" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g)].map(
        ([, ...of]) => of,
      ),
    ).toEqual([
      ['live', '25', '75'],
      ['import', '0', '25'],
    ]);
    expect(chart).toContain('Sat 21 Nov: 40 credits, 2 charges; New and changed records: 30; Imports: 10');
    expect(chart).toMatch(/class="legend".*Imports: 10 credits.*New and changed records: 30 credits/);
    expect(chart).toContain('credits a day');
  });

  it('leads from each day to where it is told to', () => {
    const { byDay: days } = report();
    const chart = dayChart({ days, limit: undefined, hrefOf: (day) => `?day=${day}&x` }).markup;
    expect(chart).toContain(
      '<a href="?day=2026-11-21&amp;x" aria-label="Sat 21 Nov: 345 credits, 1 charge; New and changed records: 345">',
    );
    // Days without a charge lead nowhere.
    expect(chart.match(/<a /g)).toHaveLength(2);
    expect(chart).toContain('role="group"');
  });

  it.each([
    [49, undefined],
    [50, 'past 50%'],
    [80, 'past 80%'],
    [99, 'past 80%'],
    [100, undefined],
  ])('says which mark a budget has passed: %i of 100', (used, words) => {
    const page = spendPage(report({ budgets: [budget('total/day', 100, used)] }));
    expect(/past \d+%/.exec(page)?.[0]).toBe(words);
    expect(page).toContain('<path class="mark" d="M50 0V1M80 0V1"/>');
    expect(page).toContain(used >= 80 ? (used >= 100 ? 'meter full' : 'meter nearly') : 'meter calm');
  });

  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('has colours that stand out of its panels: %s', (_, colours) => {
    const named = new Map(
      [...colours.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name, colour]) => [name, colour]),
    );
    const panel = luminance(named.get('panel') ?? '');
    const contrast = (name: string) => {
      const [a = 0, b = 0] = [panel, luminance(named.get(name) ?? '')].toSorted((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    for (const name of [...PURPOSES, 'accent', 'nearly', 'full'])
      expect([name, contrast(name) >= 3]).toEqual([name, true]);
    for (const name of ['text', 'muted', 'accent', 'full'])
      expect([name, contrast(name) >= 4.5]).toEqual([name, true]);
  });

  it('draws the limit of a day where the bars do not vanish beside it', () => {
    const withLimit = (limit: number) => spendPage(report({ budgets: [budget('total/day', limit, 345)] }));
    expect(withLimit(2_400)).toContain('limit 2,400 a day');
    expect(withLimit(2_401)).not.toContain('limit 2,401 a day');
  });

  it('calls doubts out, with what to do, and only where there are any', () => {
    const page = spendPage(report({ openDoubts: [DOUBT], doubtfulCredits: 1 }));
    expect(page).toContain('1 request has an unknown outcome: 1 credit in doubt');
    expect(page).toContain('No usable answer came: the connection was lost, or the data service failed.');
    expect(page).toContain('npm run -s cli -- doubts resolve KEY --charged');
    expect(page).toContain('<code>key</code>');
    expect(spendPage(report())).not.toContain('an unknown outcome');
  });

  it('shows doubts that were booked as charged apart from open ones', () => {
    const booked = {
      questionKey: 'key',
      operation: 'companyProfile',
      purpose: 'refresh',
      credits: 9,
    } as const;
    const doubts = [{ ...booked, reservationId: 'key:1', sentAtMs: NOW_MS, bookedAtMs: NOW_MS }];
    const page = spendPage(report({ bookedDoubts: { doubts, credits: 9, isMore: false } }));
    expect(page).toContain('1 request without an answer was booked as charged: 9 credits');
    expect(page).not.toContain('an unknown outcome');
    expect(spendPage(report({ bookedDoubts: { doubts: [], credits: 0, isMore: false } }))).not.toContain(
      'booked as charged',
    );
  });

  it('says by how much a budget is overdrawn', () => {
    expect(spendPage(report({ budgets: [budget('total/day', 10, 13)] }))).toContain(
      'All spend, per day: 3 credits over.',
    );
  });

  it('tells what the credits brought', () => {
    const page = spendPage(report({ brought: BROUGHT }));
    expect(page).toContain('<dt>Match rate</dt><dd class="value">75%</dd>');
    expect(page).toContain('<dt>Cost per filled record</dt><dd class="value">1.50</dd>');
    expect(page).toContain('credits; 0.38 a field. 3 records and 12 fields filled in November 2026');
    expect(page).toContain('records changed, of 10 refreshed in November 2026; 5 unchanged, 1 gone');
  });

  it('shows the expected cost of a backfill, its highest cost, and what it filled', () => {
    const one = { id: 'b', objectType: 'contacts', scope: 'all', createdAtMs: 0, state: 'running' } as const;
    const counts = { seen: 9, records: 9, ended: 3, hits: 2, misses: 1, others: 0, notLookedUp: 0 };
    const costs = { spent: 3, filled: 2, matchRate: 0.5, expected: 7, quote: { atMost: 9 } };
    const page = spendPage(report({ backfills: [{ ...one, ...counts, ...costs }] }));
    const [columns = [], row = []] =
      tablesIn(page).find(({ rows }) => rows[0]?.includes('Expected'))?.rows ?? [];
    const shown = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
    expect(shown).toMatchObject({ Expected: '7', 'At most': '9', Spent: '3', Filled: '2' });
  });

  it('says whether credits are real', () => {
    expect(spendPage(report({ service: 'real' }))).toContain('REAL credits');
    expect(spendPage(report({ service: 'stand-in' }))).toContain('stand-in: no real credits');
    expect(spendPage(report())).not.toContain('class="badge');
  });

  it('says what to do next before anything was asked, and shows no zeros', () => {
    const page = spendPage(report({ isEmpty: true }));
    expect(page).toContain('Nothing was looked up yet');
    expect(page).toContain('What to do next');
    expect(page).not.toContain('class="tiles"');
    expect(page).toContain('No budget is set.');
    expect(spendPage(report())).not.toContain('Nothing was looked up yet');
  });

  it('says that nothing is spent without a budget', () => {
    expect(spendPage(report())).toContain('No budget is set.');
  });
});

describe('an html template', () => {
  it('escapes texts, keeps what is HTML already, joins lists, and leaves out what is not there', () => {
    const items = ['<', '"'].map((text) => html`<i>${text}</i>`);
    expect(html`<p title="${`a"b`}">${items}${undefined}${0}</p>`.markup).toBe(
      '<p title="a&quot;b"><i>&lt;</i><i>&quot;</i>0</p>',
    );
  });
});

describe('the CSV', () => {
  it('has a header, one line a row, each ended by CRLF', () => {
    expect(spendCsv([row('2026-11-20', 1_200, { count: 7 })])).toBe(
      'day,operation,purpose,outcome,credits,count,rule,askedBy\r\n2026-11-20,personProfile,live,match,1200,7,,\r\n',
    );
    expect(spendCsv([])).toBe('day,operation,purpose,outcome,credits,count,rule,askedBy\r\n');
  });

  it('quotes fields with commas, quotes and line ends', () => {
    const lines = spendCsv([row('2026-11-20', 1, { operation: 'a,"b"\r\nc' })]);
    expect(lines).toContain('\r\n2026-11-20,"a,""b""\r\nc",live,match,1,1,,\r\n');
  });
});
