import { describe, expect, it } from 'vitest';
import { comingDays, dayChart } from '#inside/spend/page/chart.ts';
import { DARK, LIGHT, pageLinks } from '#inside/spend/page/frame.ts';
import { reportView, spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { SpendYield } from '#inside/spend/spend-book.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { HOUR_MS, html, instant, weekday } from '#shared/kernel';
import { type BackfillSummary, budgetLabel, type SpendReport, spendCsv } from '#shared/spend';
import { addressesIn, figuresAt, rowsOf, textAt } from '../../functions/report-spend/read-html.ts';
import { row } from './random-log.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);
const HOSTILE = `<img src=x onerror="alert('1')">&`;
const HOSTILE_ESCAPED = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;';

function budget(name: string, limitCredits: number, usedCredits: number): BudgetState {
  const leftCredits = limitCredits - usedCredits;
  return { budget: name, limitCredits, usedCredits, leftCredits, resetsAtMs: NOW_MS + 9 * HOUR_MS };
}

function report(given: Partial<SpendReport> = {}): SpendReport {
  const rows = [row('2026-11-20', 1_200), row('2026-11-21', 345)];
  const when = { nowMs: NOW_MS, timeZone: 'UTC' };
  return { ...buildReport({ ...when, account: 'main', rows, newest: undefined, budgets: [] }), ...given };
}

const BACKFILL: BackfillSummary = {
  id: 'b',
  objectType: 'contacts',
  scope: 'all',
  createdAtMs: 0,
  state: 'running',
  seen: 9,
  records: 9,
  ended: 3,
  hits: 2,
  misses: 1,
  others: 0,
  notLookedUp: 0,
  spent: 3,
  filled: 2,
  matchRate: 0.5,
  expected: 7,
  quote: { atMost: 9 },
};
const PAUSE = { by: 'person', from: 'running', atMs: 0, reason: 'budget review', examples: [] } as const;

const TOTAL = {
  credits: 4.5,
  charges: 3,
  wastedCredits: 0,
  filledFields: 12,
  matchRate: 0.75,
  costPerFilledField: 0.375,
};

function yieldNamed(name: string): SpendYield {
  return { name, credits: 1, charges: 1, wastedCredits: 0, filledFields: 4 };
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
    const stop = { kind: 'key-refused', what: HOSTILE, whatToDo: HOSTILE, setting: HOSTILE } as const;
    const yields = [yieldNamed(HOSTILE)];
    const made = report({
      account: HOSTILE,
      stops: [stop],
      stopDays: [{ ...stop, day: '2026-11-21', fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }],
      budgets: [budget(`${HOSTILE}/day`, 10, 11)],
      backfills: [{ ...BACKFILL, scope: HOSTILE, pause: { ...PAUSE, reason: HOSTILE } }],
      yields: { rule: yields, purpose: yields, source: yields, operation: yields },
    });
    // Account, stop (3), its day (line and table), budget (warning and table), backfill (2).
    const everywhere = 10;
    for (const by of ['rule', 'purpose', 'source', 'operation'] as const) {
      const { main, about } = reportView(made, pageLinks('', {}), { by, sort: 'credits', day: '2026-11-21' });
      const shown = about.markup + main.markup;
      expect(shown).not.toContain('<img');
      // The row's words and the label of its link.
      expect([by, shown.split(HOSTILE_ESCAPED).length]).toEqual([by, 1 + everywhere + 2]);
    }
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
    expect(rowsOf(page, 'budgets')).toEqual([
      [budgetLabel('total/day'), '345', '1,000', '655', '0', instant(NOW_MS + 9 * HOUR_MS, 'UTC')],
      [budgetLabel('refresh/month'), '20', '20', '0', '0', instant(NOW_MS + 9 * HOUR_MS, 'UTC')],
    ]);
    expect(textAt(page, 'class="unseen"')).toContain('1,200');
    expect(rowsOf(page, 'days')).toContainEqual([weekday('2026-11-20'), '1', '1,200']);
    expect(page).toMatch(
      /<a href="spend\/charges\?from=2026-11-20&amp;to=2026-11-20" aria-label="[^"]+">1<\/a>/,
    );
    expect(page.match(/<table\b/g)).toHaveLength(page.match(/<caption>/g)?.length ?? 0);
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it.each([
    [
      'without any spend',
      report({ byDay: [], yields: { rule: [], purpose: [], source: [], operation: [] } }),
    ],
    ['with all there is', report({ balanceCredits: -12, grantedCredits: 50, total: TOTAL, service: 'real' })],
    [
      'with a limit of nothing',
      report({ budgets: [budget('total/day', 0, 0), budget('total/month', 0, 0)] }),
    ],
  ])('shows no gap in its figures %s', (_, made) => {
    expect(spendPage(made)).not.toMatch(/undefined|NaN|Infinity|\[object|Invalid/);
  });

  it('draws each bar to the scale of the highest', () => {
    const page = spendPage(report());
    const heights = [...page.matchAll(/<i class="of-live" style="height:([\d.]+)%"/g)].map(([, height]) =>
      Number(height),
    );
    expect(heights).toEqual([100, 28.75]);
  });

  it('stacks a day by purpose, with a legend that filters, and the same in words', () => {
    const rows = [row('2026-11-21', 30), row('2026-11-21', 10, { purpose: 'import' })];
    const when = { nowMs: NOW_MS, timeZone: 'UTC', account: 'main', newest: undefined, budgets: [] };
    const page = spendPage(buildReport({ ...when, rows }));
    expect(
      [...page.matchAll(/<i class="of-(\w+)" style="height:([\d.]+)%"/g)].map(([, ...of]) => of),
    ).toEqual([
      ['live', '75'],
      ['import', '25'],
    ]);
    const titles = [...page.matchAll(/class="day" title="([^"]*)" aria-label/g)].map(([, title]) => title);
    expect(titles.map((title) => title?.match(/\d+/g))).toEqual([['21', '40', '2', '30', '10']]);
    expect(figuresAt(page, 'class="legend"')).toEqual(['30', '10']);
    expect(addressesIn(page)).toContain('spend?purpose=import');
  });

  it('opens the line of a day with its stops and the way to its lookups', () => {
    const made = report({
      stopDays: [
        { kind: 'key-refused', what: 'No key.', day: '2026-11-20', fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS },
      ],
    });
    const closed = spendPage(made);
    expect(textAt(closed, 'id="day"')).toBeUndefined();
    expect(addressesIn(closed).filter((address) => address.includes('day='))).toEqual([
      ...['spend?day=2026-11-20#day', 'spend?day=2026-11-21#day'],
    ]);
    const choice = { sort: 'credits', day: '2026-11-20' } as const;
    const opened = reportView(made, pageLinks('', {}), choice).main.markup;
    const line = textAt(opened, 'id="day"') ?? '';
    for (const words of ['1,200', '13:30 to 14:30', 'No key.']) expect(line).toContain(words);
    expect(opened).toContain('class="day chosen stopped"');
    expect(opened.match(/class="stop-label[^"]*"/g)).toHaveLength(1);
  });

  it('names in the chart each kind of stop with its days and the hours of its table', () => {
    const stop = { what: 'No key.', fromMs: NOW_MS - 2 * HOUR_MS, toMs: NOW_MS };
    const stopDays = [
      ...['2026-11-10', '2026-11-11', '2026-11-18'].map((day) => ({ ...stop, kind: 'budget-used-up', day })),
      { ...stop, kind: 'key-refused', day: '2026-11-18' },
    ];
    const page = spendPage(report({ stopDays }));
    const labels = [...page.matchAll(/class="stop-label[^>]*>([^<]*)</g)].map(([, words = '']) => words);
    expect(labels.map((words) => words.match(/\d+/g)?.map(Number))).toEqual([
      [10, 11, 4],
      [18, 2],
      [18, 2],
    ]);
    const places = [...page.matchAll(/--row:(\d);--line:\d;left:([\d.]+)%/g)].map(([, ...of]) =>
      of.join(' '),
    );
    expect(new Set(places).size).toBe(3);
  });

  it('hatches no day on which only the reserve for leads was kept', () => {
    const stop = { what: 'Kept.', day: '2026-11-20', fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS };
    const page = spendPage(report({ stopDays: [{ kind: 'reserved-for-leads', ...stop }] }));
    expect(page).not.toContain('class="day stopped"');
    expect(rowsOf(page, 'stops')).toHaveLength(1);
  });

  it('spreads the forecast over the coming days, and the rest on today', () => {
    const month = { today: '2026-11-28', spentMonthCredits: 100 };
    const lastDay = '2026-11-30';
    const days = ['2026-11-28', '2026-11-29', '2026-11-30'];
    const spread = (forecastMonthCredits: number, limitCredits?: number) =>
      comingDays({ ...month, forecastMonthCredits }, { lastDay, limitCredits }).map(({ credits }) => credits);
    expect(comingDays({ ...month, forecastMonthCredits: 140 }, { lastDay }).map(({ day }) => day)).toEqual(
      days,
    );
    expect(spread(140)).toEqual([0, 20, 20]);
    expect(spread(140, 15)).toEqual([10, 15, 15]);
    expect(spread(100)).toEqual([0, 0, 0]);
    const last = { ...month, today: lastDay, forecastMonthCredits: 130 };
    expect(comingDays(last, { lastDay })).toEqual([{ day: lastDay, credits: 30 }]);
  });

  it('links no day without links, and no day without a lookup or a stop', () => {
    const { byDay: days } = report();
    const today = '2026-11-21';
    expect(dayChart({ days, today }).markup).not.toContain('<a ');
    const chart = dayChart({ days, today, hrefOf: (day) => `?day=${day}&x` }).markup;
    expect(chart.match(/href="[^"]*"/g)).toEqual([
      ...['href="?day=2026-11-20&amp;x"', 'href="?day=2026-11-21&amp;x"'],
    ]);
    expect(chart.match(/<a [^>]*aria-label="[^"]+"/g)).toHaveLength(2);
  });

  it('says the month in one line: spent, budget, and one forecast', () => {
    const budgets = [
      budget('total/month', 2_000, 1_545),
      { ...budget('total/day', 400, 345), keptCredits: 20 },
    ];
    const page = spendPage(report({ budgets, forecastMonthCredits: 1_910 }));
    expect(figuresAt(page, 'data-figure="spent"')).toEqual(['2026', '21', '30', '1,545', '2,000']);
    expect(figuresAt(page, 'data-figure="forecast"')).toEqual(['1,910', '90']);
    expect(figuresAt(page, 'data-figure="spent-today"')).toEqual(['345', '400', '55', '20']);
    expect(figuresAt(page, 'class="budget"')).toEqual(['77%']);
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
    for (const name of [...PURPOSES, 'accent']) expect([name, contrast(name) >= 3]).toEqual([name, true]);
    for (const name of ['text', 'muted', 'accent', 'warn', 'bad'])
      expect([name, contrast(name) >= 4.5]).toEqual([name, true]);
  });

  it('draws the limit of a day where the bars do not vanish beside it', () => {
    const withLimit = (limit: number) => spendPage(report({ budgets: [budget('total/day', limit, 345)] }));
    expect(figuresAt(withLimit(2_400), 'class="limit"')).toEqual(['2,400']);
    expect(figuresAt(withLimit(2_401), 'class="limit"')).toBeUndefined();
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
    const page = spendPage(report({ total: TOTAL }));
    const shown = (name: string) => figuresAt(page, `data-figure="${name}"`);
    expect(shown('match-rate')).toEqual(['75%', '0']);
    expect(shown('field-cost')).toEqual(['0.38', '12']);
  });

  it('shows the expected cost of a backfill, its highest cost, and what it filled', () => {
    const page = spendPage(report({ backfills: [BACKFILL] }));
    expect(figuresAt(page, 'data-backfill="b"')).toEqual(['3', '9', '50%', '2', '3', '9', '7']);
  });

  it('shows backfills that have not ended first, and folds all but four', () => {
    const ended = { ...BACKFILL, state: 'done' } as const;
    const ids = ['5', '4', '3', '2', '1'];
    const backfills = ids.map((id) => ({ ...(id === '1' ? BACKFILL : ended), id }));
    const page = spendPage(report({ backfills }));
    const order = [...page.matchAll(/data-backfill="(\d)"/g)].map(([, id]) => id);
    expect(order).toEqual(['1', '5', '4', '3', '2']);
    const folded = page.slice(page.indexOf('data-backfill="3"'), page.indexOf('data-backfill="2"'));
    expect(folded).toContain('<details');
  });

  it('says whether credits are real', () => {
    for (const service of ['real', 'stand-in'] as const)
      expect(textAt(spendPage(report({ service })), `data-service="${service}"`)).toBeDefined();
    expect(spendPage(report())).not.toContain('data-service');
  });

  it('says what to do next before anything was asked, and shows no zeros', () => {
    const page = spendPage(report({ isEmpty: true }));
    expect(textAt(page, 'aria-labelledby="empty"')).toContain('enrich contacts/ID');
    expect(page).not.toContain('data-figure');
    expect(textAt(page, 'id="no-budget"')).toBeDefined();
    expect(textAt(spendPage(report()), 'id="empty"')).toBeUndefined();
  });
});

it('an html template escapes texts, keeps what is HTML already, joins lists, and leaves out what is not there', () => {
  const items = ['<', '"'].map((text) => html`<i>${text}</i>`);
  expect(html`<p title="${`a"b`}">${items}${undefined}${0}</p>`.markup).toBe(
    '<p title="a&quot;b"><i>&lt;</i><i>&quot;</i>0</p>',
  );
});

it('the CSV quotes fields with commas, quotes and line ends', () => {
  const lines = spendCsv([row('2026-11-20', 1, { operation: 'a,"b"\r\nc' })]);
  expect(lines).toContain('\r\n2026-11-20,"a,""b""\nc",live,match,1,1,,\r\n');
});
