import { describe, expect, it } from 'vitest';
import { DARK, LIGHT } from '#inside/spend/page/component-style.ts';
import { dayChart } from '#inside/spend/page/day-chart.ts';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { SpendYield } from '#inside/spend/yields.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { fromNow, HOUR_MS, html, instant, weekday } from '#shared/kernel';
import { budgetLabel, label, type SpendReport, spendCsv } from '#shared/spend';
import { addressesIn, figuresAt, rowsOf, textAt } from '../../functions/report-spend/read-html.ts';

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
    // Account, doubt (2), budget (list, its name and notice), three tables and the results by rule, with a link each.
    expect(page.split(HOSTILE_ESCAPED).length).toBe(1 + 14);
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
    const perDay = textAt(page, 'data-budget="total/day"');
    for (const words of [
      fromNow(9 * HOUR_MS),
      instant(NOW_MS + 9 * HOUR_MS, 'UTC'),
      budgetLabel('total/day'),
    ])
      expect(perDay).toContain(words);
    for (const figure of ['345', '1,000', '35%', '655'])
      expect(figuresAt(page, 'data-budget="total/day"')).toContain(figure);
    expect(textAt(page, 'data-budget="refresh/month"')).toContain(budgetLabel('refresh/month'));
    expect(page).toMatch(/<svg [^>]*aria-label="[^"]*\b1,200\b/);
    expect(rowsOf(page, 'days')).toContainEqual([weekday('2026-11-20'), '1', '1,200']);
    expect(page).toMatch(
      /<a href="spend\/charges\?from=2026-11-20&amp;to=2026-11-20" aria-label="[^"]+">1<\/a>/,
    );
    expect(page.match(/<table\b/g)).toHaveLength(page.match(/<caption>/g)?.length ?? 0);
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
    const titles = [...chart.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(titles.at(-1)?.match(/\d+/g)).toEqual(['21', '40', '2', '30', '10']);
    const legend = textAt(chart, 'class="legend"') ?? '';
    expect(legend.match(/\d+/g)).toEqual(['10', '30']);
    expect(legend.indexOf(label('import'))).toBeLessThan(legend.indexOf(label('live')));
  });

  it('leads from each day to where it is told to', () => {
    const { byDay: days } = report();
    const chart = dayChart({ days, limit: undefined, hrefOf: (day) => `?day=${day}&x` }).markup;
    expect(addressesIn(chart)).toEqual(['?day=2026-11-20&x', '?day=2026-11-21&x']);
    expect(chart.match(/<a [^>]*aria-label="[^"]+"/g)).toHaveLength(2);
    // Days without a charge lead nowhere.
    expect(chart.match(/<a /g)).toHaveLength(2);
    expect(chart).toContain('role="group"');
  });

  it.each([
    [49, []],
    [50, ['50%']],
    [80, ['80%']],
    [99, ['80%']],
    [100, []],
  ])('says which mark a budget has passed: %i of 100', (used, marks) => {
    const page = spendPage(report({ budgets: [budget('total/day', 100, used)] }));
    const shares = figuresAt(page, 'data-budget="total/day"')?.filter((figure) => figure.endsWith('%'));
    expect(shares).toEqual([`${used}%`, ...marks]);
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
    expect(figuresAt(withLimit(2_400), 'class="limit-label"')).toEqual(['2,400']);
    expect(figuresAt(withLimit(2_401), 'class="limit-label"')).toBeUndefined();
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
    expect(figuresAt(page, 'id="booked-doubts"')).toEqual(['1', '9']);
    expect(textAt(page, 'id="doubts"')).toBeUndefined();
    const none = spendPage(report({ bookedDoubts: { doubts: [], credits: 0, isMore: false } }));
    expect(textAt(none, 'id="booked-doubts"')).toBeUndefined();
  });

  it('tells what the credits brought', () => {
    const page = spendPage(report({ brought: BROUGHT }));
    const shown = (name: string) => figuresAt(page, `data-figure="${name}"`);
    expect(shown('match-rate')).toEqual(['75%', '2026']);
    expect(shown('cost')).toEqual(['1.50', '0.38', '3', '12', '2026']);
    expect(shown('refresh')).toEqual(['4', '10', '2026', '5', '1']);
  });

  it('shows the expected cost of a backfill, its highest cost, and what it filled', () => {
    const one = { id: 'b', objectType: 'contacts', scope: 'all', createdAtMs: 0, state: 'running' } as const;
    const counts = { seen: 9, records: 9, ended: 3, hits: 2, misses: 1, others: 0, notLookedUp: 0 };
    const costs = { spent: 3, filled: 2, matchRate: 0.5, expected: 7, quote: { atMost: 9 } };
    const page = spendPage(report({ backfills: [{ ...one, ...counts, ...costs }] }));
    const [, , , ended, matchRate, filled, others, ...credits] = rowsOf(page, 'backfills')?.[0] ?? [];
    expect([ended?.match(/\d+/g), matchRate, filled, others]).toEqual([['3', '9'], '50%', '2', '0']);
    expect(credits).toEqual(['7', '9', '3']);
  });

  it('says whether credits are real', () => {
    for (const service of ['real', 'stand-in'] as const)
      expect(textAt(spendPage(report({ service })), `data-service="${service}"`)).toBeDefined();
    expect(spendPage(report())).not.toContain('data-service');
  });

  it('says what to do next before anything was asked, and shows no zeros', () => {
    const page = spendPage(report({ isEmpty: true }));
    expect(textAt(page, 'aria-labelledby="empty"')).toContain('enrich contacts/ID');
    expect(page).not.toContain('class="tiles"');
    expect(textAt(page, 'id="no-budget"')).toBeDefined();
    expect(textAt(spendPage(report()), 'id="empty"')).toBeUndefined();
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
  it('quotes fields with commas, quotes and line ends', () => {
    const lines = spendCsv([row('2026-11-20', 1, { operation: 'a,"b"\r\nc' })]);
    expect(lines).toContain('\r\n2026-11-20,"a,""b""\nc",live,match,1,1,,\r\n');
  });
});
