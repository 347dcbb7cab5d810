import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusingBudget } from '#inside/credit-ledger/budgets.ts';
import { dailyReserve, releasedBefore, reservedNow } from '#inside/credit-ledger/lead-reserve.ts';
import { HOUR_MS } from '#shared/kernel';
import { openBooks, post, reserve } from './books.ts';

const credits = fc.nat({ max: 100_000 });
const settings = { seed: 20_261_123, numRuns: 300 };

describe('the reserve for leads of one day', () => {
  it('is what leads used on three of four days, at least a fifth of the budget, at most half', () => {
    expect(dailyReserve([], 100)).toBe(20);
    expect(dailyReserve([100, 100], 100)).toBe(50);
    expect(dailyReserve([30, 10, 35, 40], 100)).toBe(35);
    const busyDays = (count: number) => [...Array(count).fill(100), ...Array(28 - count).fill(30)];
    expect(dailyReserve(busyDays(7), 100)).toBe(30);
    expect(dailyReserve(busyDays(8), 100)).toBe(50);
  });
});

describe('what is held back of a budget', () => {
  const reserved = fc.record({
    perDayCredits: fc.double({ min: 0, max: 5_000, noNaN: true }),
    usedCredits: credits,
    daysToCome: fc.nat({ max: 30 }),
  });

  it('falls in a straight line to nothing of today', () => {
    const left = (hours: number) =>
      reservedNow({ perDayCredits: 50, usedCredits: 20, daysToCome: 0, msLeftToday: hours * HOUR_MS });
    expect([25, 6, 4, 3, 1, 0].map(left)).toEqual([30, 30, 20, 15, 5, 0]);
  });

  it('fits the request from the returned time on, and not before it', () => {
    fc.assert(
      fc.property(reserved, credits, (given, most) => {
        const beforeMs = releasedBefore(given, most);
        const held = (msLeftToday: number) => reservedNow({ ...given, msLeftToday });
        if (beforeMs === Number.POSITIVE_INFINITY) expect(held(25 * HOUR_MS)).toBeLessThanOrEqual(most);
        else if (beforeMs === 0) expect(held(0)).toBeGreaterThan(most);
        else {
          expect(held(Math.max(0, beforeMs - 1))).toBeLessThanOrEqual(most);
          expect(held(beforeMs + 1)).toBeGreaterThan(most);
        }
      }),
      settings,
    );
  });
});

describe('a refused import', () => {
  const at = (now: string, perDay = 100) => {
    const view = {
      totals: undefined,
      budgets: { perDay },
      nowMs: Date.parse(now),
      timeZone: 'Europe/Berlin',
    };
    return (amountCredits: number) => refusingBudget(view, { purpose: 'import', amountCredits });
  };

  it.each([
    ['a day of 24 hours', '2026-11-18T09:00:00Z', '2026-11-18T20:00:00Z'],
    ['a day of 23 hours', '2026-03-29T09:00:00Z', '2026-03-29T19:00:00Z'],
    ['a day of 25 hours', '2026-10-25T09:00:00Z', '2026-10-25T20:00:00Z'],
  ])('is told when the reserve of today has shrunk enough: %s', (_, now, opens) => {
    const refusal = at(now)(90);
    expect(refusal).toMatchObject({ leftCredits: 100, keptCredits: 20, neededCredits: 90 });
    const opensAtMs = refusal?.opensAtMs ?? 0;
    // Half of the reserve is gone three hours before midnight, to the half credit.
    expect(Math.abs(opensAtMs - Date.parse(opens))).toBeLessThan(HOUR_MS / 6);
    expect(at(new Date(opensAtMs).toISOString())(90)).toBeUndefined();
    expect(at(new Date(opensAtMs - 1_000).toISOString())(90)).toBeDefined();
  });

  it('gets the next day as its time if the budget itself is too small', () => {
    expect(at('2026-11-18T09:00:00Z')(101)).toMatchObject({
      opensAtMs: Date.parse('2026-11-18T23:00:00Z'),
    });
  });
});

describe("a month's budget", () => {
  it('is not used up by imports day after day', async () => {
    const books = openBooks({ budgets: { perMonth: 3_000 }, at: '2026-11-01T12:00:00Z' });
    const spent = [];
    for (let day = 1; day <= 5; day += 1) {
      books.setTime(`2026-11-0${day}T12:00:00Z`);
      const amountCredits = (await books.ledger.now()).left('import');
      spent.push(amountCredits);
      await books.append(reserve(`q${day}:1`, { purpose: 'import', amountCredits }));
      await books.append(post(`q${day}:1`, amountCredits));
    }
    expect(spent).toEqual([2_400, 20, 20, 20, 20]);
  });
});
