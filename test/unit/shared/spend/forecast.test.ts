import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetState } from '#inside/credit-ledger/budgets.ts';
import { PURPOSES, type Purpose } from '#inside/crm/urgency.ts';
import { dayAfter, daysUpTo } from '#inside/kernel/calendar.ts';
import { DAY_MS, HOUR_MS } from '#inside/kernel/clock.ts';
import { figureRange } from '#inside/kernel/format.ts';
import { type ForecastInput, forecastOf, usedUpWords } from '#inside/spend/forecast.ts';
import { repeated } from '../../../builders/repeated.ts';

/** A Saturday; half of it and nine days of the month are to come. */
const TODAY = '2026-11-21';
const NOW_MS = Date.parse(`${TODAY}T12:00:00Z`);

function budget(name: string, limitCredits: number, usedCredits: number): BudgetState {
  const leftCredits = limitCredits - usedCredits;
  return { budget: name, limitCredits, usedCredits, leftCredits, resetsAtMs: NOW_MS + 12 * HOUR_MS };
}

const ROOMY = [budget('total/day', 1_000_000, 0)];

function forecast(given: Partial<ForecastInput>) {
  return forecastOf({ spent: [], budgets: ROOMY, nowMs: NOW_MS, timeZone: 'UTC', ...given });
}

/** Credits of each of the days before today, the oldest day first. */
function daily(creditsOn: (index: number) => number, days = 28, purpose: Purpose = 'live') {
  return daysUpTo(dayAfter(TODAY, -1), days).map((day, index) => ({
    day,
    credits: creditsOn(index),
    purpose,
  }));
}

const days = fc.array(
  fc.record({ ago: fc.nat(45), credits: fc.nat(3_000), purpose: fc.constantFrom(...PURPOSES) }),
  { maxLength: 60 },
);

describe('the forecast', () => {
  it('is never below what is spent, lies within its range, and never exceeds a budget', () => {
    const property = fc.property(
      days,
      fc.record({ day: fc.nat(3_000), month: fc.nat(60_000), imports: fc.nat(3_000) }),
      fc.option(fc.integer({ min: -100, max: 50_000 }), { nil: undefined }),
      fc.integer({ min: 0, max: DAY_MS * 60 }),
      (drawn, { day, month, imports }, balanceCredits, agoMs) => {
        const nowMs = NOW_MS - agoMs;
        const today = new Date(nowMs).toISOString().slice(0, 10);
        const spent = drawn.map(({ ago, ...row }) => ({ ...row, day: dayAfter(today, -ago) }));
        const sum = (prefix: string) =>
          spent.reduce((total, row) => total + (row.day.startsWith(prefix) ? row.credits : 0), 0);
        const spentMonth = sum(today.slice(0, 7));
        const budgets = [
          budget('total/day', day, sum(today)),
          budget('total/month', month, spentMonth),
          budget('import/month', imports, 0),
        ];
        const made = forecastOf({ spent, budgets, balanceCredits, nowMs, timeZone: 'UTC' });
        const { forecastMonthCredits: likely, forecastRange: range } = made;
        const [low, high] = [range?.lowCredits ?? likely, range?.highCredits ?? likely];
        expect(low).toBeGreaterThanOrEqual(spentMonth);
        expect(likely).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(likely);
        expect(high).toBeLessThanOrEqual(Math.max(spentMonth, month));
        const monthDays = new Date(
          Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0),
        ).getUTCDate();
        const later = (monthDays - Number(today.slice(8))) * day + Math.max(0, day - sum(today));
        expect(high).toBeLessThanOrEqual(spentMonth + later);
        for (const { earlyOn, likelyOn = '9', lateOn = '9' } of [made.budgetUsedUp, made.grantUsedUp].flatMap(
          (each) => each ?? [],
        )) {
          expect([earlyOn, likelyOn, lateOn].toSorted()).toEqual([earlyOn, likelyOn, lateOn]);
          expect(earlyOn >= today).toBe(true);
        }
      },
    );
    fc.assert(property, { seed: 20_261_122, numRuns: repeated(60) });
  });

  it('extends the average day to the end of the month', () => {
    expect(forecast({ spent: daily(() => 100) })).toEqual({
      forecastMonthCredits: 2_000 + 950,
      forecastRange: { lowCredits: 2_950, highCredits: 2_950 },
      paceCreditsPerDay: 100,
      paceDays: 28,
    });
  });

  it('takes its range from the week that cost least and the week that cost most', () => {
    const weekly = [10, 40, 20, 30];
    const made = forecast({ spent: daily((index) => weekly[Math.floor(index / 7)] ?? 0) });
    // Six days of 40 and two weeks of 20 and 30 are of this month.
    const spent = 6 * 40 + 7 * 20 + 7 * 30;
    expect(made).toMatchObject({
      forecastMonthCredits: spent + 9.5 * 25 + 0.5,
      forecastRange: { lowCredits: spent + 95, highCredits: spent + 380 },
    });
  });

  it('starts with the first spend, and has no range before two whole weeks', () => {
    const young = forecast({ spent: daily(() => 300, 3) });
    expect(young).toEqual({ forecastMonthCredits: 900 + 2_850, paceCreditsPerDay: 300, paceDays: 3 });
    expect(forecast({ spent: daily(() => 300, 13) })).not.toHaveProperty('forecastRange');
    expect(forecast({ spent: daily(() => 300, 14) })).toHaveProperty('forecastRange');
  });

  it('takes the first day for a whole one: a busy hour is not a pace', () => {
    const made = forecast({ spent: [{ day: TODAY, credits: 100, purpose: 'live' }] });
    expect(made).toMatchObject({ paceDays: 0, paceCreditsPerDay: 100 });
  });

  it('equals the spend if nothing was spent before, or no budget is set', () => {
    expect(forecast({})).toEqual({ forecastMonthCredits: 0, paceCreditsPerDay: 0, paceDays: 0 });
    expect(forecast({ spent: daily(() => 10, 5), budgets: [] })).toMatchObject({ forecastMonthCredits: 50 });
  });

  it('leaves out imports that their budget does not admit', () => {
    const spent = [...daily(() => 10), ...daily(() => 100, 28, 'import')];
    const made = forecast({ spent, budgets: [...ROOMY, budget('import/month', 2_000, 2_000)] });
    expect(made.forecastMonthCredits).toBe(2_000 + 200 + 95);
    expect(forecast({ spent }).forecastMonthCredits).toBe(2_000 + 200 + 95 + 950);
  });

  it('does not extend a backfill', () => {
    const backfill = { day: '2026-11-20', credits: 4_000, purpose: 'backfill' as const };
    expect(forecast({ spent: [...daily(() => 10), backfill] })).toMatchObject({
      forecastMonthCredits: 4_000 + 200 + 95,
      paceCreditsPerDay: 10,
    });
  });

  it('says when the budget of the month is used up', () => {
    const withLeft = (left: number, spent = daily(() => 100)) =>
      forecast({ spent, budgets: [budget('total/month', 2_000 + left, 2_000)] }).budgetUsedUp;
    expect(withLeft(400)).toEqual({ earlyOn: '2026-11-25', likelyOn: '2026-11-25', lateOn: '2026-11-25' });
    const uneven = daily((index) => (index < 7 ? 0.1 : 100));
    expect(withLeft(400, uneven)).toEqual({ earlyOn: '2026-11-25', likelyOn: '2026-11-26' });
    expect(withLeft(-3)).toEqual({ earlyOn: TODAY, likelyOn: TODAY, lateOn: TODAY });
    expect(withLeft(9_000)).toBeUndefined();
  });

  it('says when the bought credits are used up, in later months too', () => {
    const made = forecast({ spent: daily(() => 100), balanceCredits: 3_000 });
    expect(made.grantUsedUp?.likelyOn).toBe('2026-12-21');
    expect(made).not.toHaveProperty('budgetUsedUp');
    expect(forecast({ spent: daily(() => 100), balanceCredits: 90_000 })).not.toHaveProperty('grantUsedUp');
    // A month's budget starts anew with the month.
    const held = [budget('total/month', 2_000, 2_000)];
    const late = forecast({ spent: daily(() => 100), balanceCredits: 1_000, budgets: held });
    expect(late.grantUsedUp?.earlyOn).toBe('2026-12-10');
  });
});

describe('the words of the forecast', () => {
  it.each([
    [
      { earlyOn: '2026-11-20', likelyOn: '2026-11-24', lateOn: '2026-12-01' },
      'about 24 Nov (20 Nov to 1 Dec)',
    ],
    [{ earlyOn: '2026-11-20', likelyOn: '2026-11-24' }, 'about 24 Nov (20 Nov or later)'],
    [{ earlyOn: '2026-11-20' }, 'perhaps from 20 Nov on'],
    [{ earlyOn: '2026-11-20', likelyOn: '2026-11-20', lateOn: '2026-11-20' }, 'about 20 Nov'],
  ])('name the days: %j', (days, words) => {
    expect(usedUpWords(days)).toBe(words);
  });

  it('collapse a range of one number to that number', () => {
    expect(figureRange(2, 2)).toBe('2');
    expect(figureRange(1_000, 2_000)).toBe('1,000 to 2,000');
  });
});
