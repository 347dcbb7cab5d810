import { afterAll, expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { HOUR_MS } from '#shared/kernel';
import { row } from '../../unit/shared/spend/random-log.ts';
import { startChromium } from './laptop.ts';

const browser = await startChromium();
afterAll(() => browser.close());

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);

function budget(name: string, limitCredits: number, usedCredits: number): BudgetState {
  const leftCredits = limitCredits - usedCredits;
  const resetsAtMs = NOW_MS + 9 * HOUR_MS;
  return { budget: name, limitCredits, usedCredits, leftCredits, keptCredits: 12_000, resetsAtMs };
}

it('the figures of the spend page stand in one row on a screen of 1100 px, also long ones', async () => {
  const rows = [row('2026-11-20', 112_000), row('2026-11-21', 34_567)];
  const budgets = [budget('total/day', 150_000, 34_567), budget('total/month', 2_000_000, 146_567)];
  const when = { nowMs: NOW_MS, timeZone: 'UTC' };
  const report = buildReport({ ...when, account: 'main', rows, newest: undefined, budgets });
  const bought = { matchRate: 0.71, wastedCredits: 12_345, filledFields: 510_389, costPerFilledField: 0.12 };
  const page = await browser.newPage({ viewport: { width: 1_100, height: 900 } });
  await page.setContent(spendPage({ ...report, total: { ...report.total, ...bought } }));
  const tops = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.figures [data-figure]')].map((each) => each.getBoundingClientRect().top)`,
  );
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
});
