import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { PURPOSES } from '#shared/crm/purpose.ts';
import { DAY_MS, HOUR_MS } from '#shared/kernel/clock.ts';
import { dayAfter, daysUpTo } from '#shared/spend/days.ts';
import { type ForecastInput, forecastOf } from '#shared/spend/forecast.ts';
import { plannedOf } from '#shared/spend/planned.ts';
import { usedUpWords } from '#shared/spend/used-up.ts';
import { repeated } from '../../../builders/repeated.ts';

/** A Saturday. */
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

/** As much on each of the days before today, as told by its weekday (0 is Sunday). */
function daily(creditsOn: (weekday: number) => number, days = 28) {
  return daysUpTo(dayAfter(TODAY, -1), days).map((day) => ({
    day,
    credits: creditsOn(new Date(day).getUTCDay()),
    purpose: 'live' as const,
  }));
}

const days = fc.array(
  fc.record({ ago: fc.nat(45), credits: fc.nat(3_000), purpose: fc.constantFrom(...PURPOSES) }),
  {
    maxLength: 60,
  },
);

describe('the forecast', () => {
  it('is never below what is spent, in order, and never above what the budgets leave', () => {
    const property = fc.property(
      days,
      fc.record({ day: fc.nat(3_000), month: fc.nat(60_000), low: fc.nat(9_000), more: fc.nat(9_000) }),
      fc.option(fc.integer({ min: -100, max: 50_000 }), { nil: undefined }),
      fc.integer({ min: 0, max: DAY_MS * 60 }),
      (drawn, { day, month, low, more }, balanceCredits, agoMs) => {
        const nowMs = NOW_MS - agoMs;
        const today = new Date(nowMs).toISOString().slice(0, 10);
        const spent = drawn.map(({ ago, ...row }) => ({ ...row, day: dayAfter(today, -ago) }));
        const sum = (prefix: string) =>
          spent.reduce((total, row) => total + (row.day.startsWith(prefix) ? row.credits : 0), 0);
        const spentMonth = sum(today.slice(0, 7));
        const budgets = [budget('total/day', day, sum(today)), budget('total/month', month, spentMonth)];
        const planned = { lowCredits: low, highCredits: low + more };
        const input = { spent, budgets, planned, balanceCredits, nowMs, timeZone: 'UTC' };
        const made = forecastOf(input);
        const { forecastLowCredits, forecastMonthCredits, forecastHighCredits } = made;
        expect(forecastLowCredits).toBeGreaterThanOrEqual(spentMonth);
        expect(forecastMonthCredits).toBeGreaterThanOrEqual(forecastLowCredits);
        expect(forecastHighCredits).toBeGreaterThanOrEqual(forecastMonthCredits);
        expect(forecastHighCredits).toBeLessThanOrEqual(Math.max(spentMonth, month));
        const daysLeft = new Date(
          Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0),
        ).getUTCDate();
        const later = (daysLeft - Number(today.slice(8))) * day + Math.max(0, day - sum(today));
        expect(forecastHighCredits).toBeLessThanOrEqual(spentMonth + later);
        for (const { earlyOn, likelyOn = '9', lateOn = '9' } of [made.budgetUsedUp, made.grantUsedUp].flatMap(
          (each) => each ?? [],
        )) {
          expect([earlyOn, likelyOn, lateOn].toSorted()).toEqual([earlyOn, likelyOn, lateOn]);
          expect(earlyOn >= today).toBe(true);
        }
        expect(forecastOf(input)).toEqual(made);
      },
    );
    fc.assert(property, { seed: 20_261_122, numRuns: repeated(60) });
  });

  it('goes on as it did, by weekday', () => {
    const made = forecast({ spent: daily((weekday) => (weekday === 0 || weekday === 6 ? 0 : 100)) });
    // Fourteen working days so far, six to come.
    expect(made.forecastMonthCredits).toBeGreaterThan(1_940);
    expect(made.forecastMonthCredits).toBeLessThan(2_120);
    expect(made.paceCreditsPerDay).toBeCloseTo(500 / 7, -1);
    expect(made.paceDays).toBe(26);
  });

  it('takes the pace of an installation from its first spend on, and knows little of it', () => {
    const young = forecast({ spent: daily(() => 300, 3) });
    expect(young.paceDays).toBe(3);
    expect(young.paceCreditsPerDay).toBeCloseTo(300, 0);
    // Three days, and nine and a half to come.
    expect(young.forecastMonthCredits).toBeGreaterThan(3_200);
    const old = forecast({ spent: daily(() => 300) });
    const width = ({ forecastHighCredits: high, forecastLowCredits: low }: typeof old) => high - low;
    expect(width(young)).toBeGreaterThan(2 * width(old));
  });

  it('takes the first day for a whole one: a busy hour is not a pace', () => {
    const made = forecast({ spent: [{ day: TODAY, credits: 100, purpose: 'live' }] });
    expect(made).toMatchObject({ paceDays: 0, paceCreditsPerDay: 100 });
  });

  it('knows of nothing where nothing was spent, nor where nothing may be', () => {
    const nothing = { forecastMonthCredits: 0, forecastLowCredits: 0, forecastHighCredits: 0 };
    expect(forecast({})).toEqual({ ...nothing, paceCreditsPerDay: 0, paceDays: 0 });
    const spent = daily(() => 10, 5);
    const all = { forecastMonthCredits: 50, forecastLowCredits: 50, forecastHighCredits: 50 };
    expect(forecast({ spent, budgets: [] })).toMatchObject(all);
  });

  it('says between which days the budget is used up', () => {
    const spent = daily(() => 100);
    const withLeft = (left: number) =>
      forecast({ spent, budgets: [budget('total/month', 2_000 + left, 2_000)] });
    const { budgetUsedUp } = withLeft(400);
    expect(budgetUsedUp?.likelyOn).toBe('2026-11-25');
    expect(budgetUsedUp && budgetUsedUp.earlyOn < '2026-11-25').toBe(true);
    expect(withLeft(-3).budgetUsedUp).toEqual({ earlyOn: TODAY, likelyOn: TODAY, lateOn: TODAY });
    expect(withLeft(9_000)).not.toHaveProperty('budgetUsedUp');
  });

  it('says between which days the grant is used up, in later months too', () => {
    const made = forecast({ spent: daily(() => 100), balanceCredits: 3_000 });
    expect(made.grantUsedUp?.likelyOn).toMatch(/^2026-12-(?:1[6-9]|2[0-5])$/);
    expect(made).not.toHaveProperty('budgetUsedUp');
    expect(forecast({ spent: daily(() => 100), balanceCredits: 90_000 })).not.toHaveProperty('grantUsedUp');
    // A month's budget begins anew with the month.
    const held = [budget('total/month', 2_000, 2_000)];
    const late = forecast({ spent: daily(() => 100), balanceCredits: 1_000, budgets: held });
    expect(late.grantUsedUp?.earlyOn.slice(0, 7)).toBe('2026-12');
  });

  it('adds what is planned, and takes a backfill for no habit', () => {
    const spent = daily(() => 10);
    const plain = forecast({ spent });
    const more = forecast({ spent, planned: { lowCredits: 5_000, highCredits: 5_000 } });
    // The draws are the same ones, and whole credits are planned.
    expect(more.forecastLowCredits - plain.forecastLowCredits).toBeGreaterThan(4_950);
    expect(more.forecastHighCredits - plain.forecastHighCredits).toBeLessThan(5_050);
    const backfilled = forecast({
      spent: [...spent, { day: '2026-11-20', credits: 4_000, purpose: 'backfill' }],
    });
    expect(backfilled.forecastHighCredits - 4_000).toBe(plain.forecastHighCredits);
    // As fast as the budgets let it.
    const slow = forecast({
      spent,
      budgets: [budget('total/day', 50, 0)],
      planned: { lowCredits: 5_000, highCredits: 5_000 },
    });
    expect(slow.forecastHighCredits).toBe(200 + 10 * 50);
  });
});

describe('what is planned', () => {
  it('is what running backfills have left, and imports that wait, at what one costs', () => {
    const one = {
      id: 'b',
      objectType: 'contacts',
      scope: 'all',
      createdAtMs: 0,
      seen: 9,
      records: 9,
      ended: 0,
    };
    const quote = { minimum: 0, low: 100, high: 300, worst: 900 };
    const planned = plannedOf({
      rows: [
        {
          day: TODAY,
          operation: 'reverseEmail',
          purpose: 'import',
          outcome: 'match',
          credits: 30,
          count: 10,
        },
      ],
      backfills: [
        { ...one, state: 'running', spent: 150, quote },
        { ...one, state: 'quoted', spent: 0, quote },
      ],
      waiting: { inTurn: [{ purpose: 'import', records: 7, oldestMs: 0 }], forATime: 0 },
    });
    expect(planned).toEqual({ lowCredits: 21, highCredits: 171 });
  });
});

describe('the words of when it is used up', () => {
  it.each([
    [
      { earlyOn: '2026-11-20', likelyOn: '2026-11-24', lateOn: '2026-12-01' },
      'about 24 Nov (20 Nov to 1 Dec)',
    ],
    [{ earlyOn: '2026-11-20', likelyOn: '2026-11-24' }, 'about 24 Nov (20 Nov or later)'],
    [{ earlyOn: '2026-11-20' }, 'perhaps from 20 Nov on'],
    [{ earlyOn: '2026-11-20', likelyOn: '2026-11-20', lateOn: '2026-11-20' }, 'on 20 Nov'],
  ])('are short: %j', (days, words) => {
    expect(usedUpWords(days)).toBe(words);
  });
});
