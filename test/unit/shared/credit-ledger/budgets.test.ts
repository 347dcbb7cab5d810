import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budgets,
  dailyReserve,
  refusingBudget,
  releasedBefore,
  reservedNow,
} from '#inside/credit-ledger/budgets.ts';
import { EMPTY_TOTALS, withGrant } from '#inside/credit-ledger/totals.ts';
import { type BudgetState, nextExpiry } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { HOUR_MS } from '#shared/kernel';
import { verify } from '../../../harness/ledger-logs.ts';
import { grant, late, openBooks, post, reserve } from './books.ts';

/** Midnight in Berlin after 18 November. */
const NEXT_DAY = Date.parse('2026-11-18T23:00:00Z');

async function refusal(
  books: ReturnType<typeof openBooks>,
  purpose: Purpose,
  amountCredits: number,
): Promise<BudgetState | undefined> {
  const result = await books.apply(reserve(`try-${purpose}-${amountCredits}:1`, { purpose, amountCredits }));
  return result.kind === 'over-budget' ? result.budget : undefined;
}

it('a budget goes below nothing by a late charge, and then refuses everything', async () => {
  const books = openBooks({ budgets: { perDay: 5 } });
  await books.append(late('late:1', { amountCredits: 8 }));
  expect(await refusal(books, 'live', 1)).toMatchObject({ usedCredits: 8, leftCredits: -3 });
  expect((await books.ledger.now()).left('live')).toBe(0);
});

it.each<[string, Budgets]>([
  ['no budget at all', {}],
  ['only a budget for a purpose', { purposes: { live: { perDay: 100 } } }],
])('without a budget in all nothing is spent: %s', async (_, budgets) => {
  const books = openBooks({ budgets });
  expect(await refusal(books, 'live', 1)).toEqual({
    budget: 'total/none-set',
    limitCredits: 0,
    usedCredits: 0,
    leftCredits: 0,
    neededCredits: 1,
    resetsAtMs: NEXT_DAY,
    opensAtMs: NEXT_DAY,
  });
  expect((await books.ledger.now()).left('live')).toBe(0);
});

describe('what is left', () => {
  it('is the least of all budgets that apply', async () => {
    const books = openBooks({
      budgets: { perDay: 100, perMonth: 1_000, purposes: { refresh: { perDay: 30, perMonth: 20 } } },
    });
    await books.append(reserve('q:1', { purpose: 'refresh', amountCredits: 5 }));
    expect((await books.ledger.now()).left('refresh')).toBe(15);
    expect((await books.ledger.now()).left('live')).toBe(95);
    expect(
      (await books.ledger.now()).states().map(({ budget, leftCredits }) => [budget, leftCredits]),
    ).toEqual([
      ['total/day', 95],
      ['total/month', 995],
      ['refresh/day', 25],
      ['refresh/month', 15],
    ]);
  });

  it('is told for the books, not for a clock that lags behind them', async () => {
    const books = openBooks({ budgets: { perDay: 100 }, at: '2026-11-18T23:00:01Z' });
    await books.append(reserve('q:1', { amountCredits: 60 }));
    books.setTime('2026-11-18T22:59:59Z');
    expect((await books.ledger.now()).left('live')).toBe(40);
    expect((await books.ledger.now()).states()).toMatchObject([{ usedCredits: 60 }]);
  });
});

const credits = fc.nat({ max: 100_000 });

const settings = { seed: 20_261_123, numRuns: 300 };

it('the reserve for leads of one day is what leads used on three of four days, at least a fifth of the budget, at most half', () => {
  expect(dailyReserve([], 100)).toBe(20);
  expect(dailyReserve([100, 100], 100)).toBe(50);
  expect(dailyReserve([30, 10, 35, 40], 100)).toBe(35);
  const busyDays = (count: number) => [...Array(count).fill(100), ...Array(28 - count).fill(30)];
  expect(dailyReserve(busyDays(7), 100)).toBe(30);
  expect(dailyReserve(busyDays(8), 100)).toBe(50);
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

it("a day's budget keeps from imports what leads used on the days before", async () => {
  const books = openBooks({ budgets: { perDay: 100 } });
  for (const day of [16, 17]) {
    books.setTime(`2026-11-${day}T09:00:00Z`);
    await books.append(reserve(`q${day}:1`, { amountCredits: 40 }));
    await books.append(post(`q${day}:1`, 40));
  }
  books.setTime('2026-11-18T09:00:00Z');
  expect((await books.ledger.now()).left('import')).toBe(60);
});

it("a month's budget is not used up by imports day after day", async () => {
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

/** 13 days of November are left, this one counted. */
const NOW = '2026-11-18T12:00:00Z';

const PLENTY: Budgets = { perMonth: 100_000 };

const open = (budgets: Budgets) => openBooks({ budgets, at: NOW });

type Books = ReturnType<typeof open>;

async function spend(books: Books, id: string, amountCredits: number): Promise<void> {
  await books.append(reserve(`${id}:1`, { purpose: 'refresh', amountCredits }));
  await books.append(post(`${id}:1`, amountCredits));
}

const planned = async ({ ledger }: ReturnType<typeof openBooks>) => (await ledger.now()).planned('refresh');

describe('what is planned for the refresh today', () => {
  it("is of a month's budget an even share for each day that is left, less what today has had", async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 130 } } });
    expect(await planned(books)).toBe(10);
    await spend(books, 'a', 4);
    expect(await planned(books)).toBe(6);
    books.setTime('2026-11-19T12:00:00Z');
    // 126 for 12 days: what was not spent yesterday is spread over them.
    expect(await planned(books)).toBe(10);
    books.setTime('2026-11-30T12:00:00Z');
    expect(await planned(books)).toBe(126);
  });

  it("is the whole of a day's budget, and never more than is left", async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perDay: 50, perMonth: 10_000 } } });
    expect(await planned(books)).toBe(50);
    await spend(books, 'a', 45);
    expect(await planned(books)).toBe(5);
    expect(await planned(open({}))).toBe(0);
  });
});

describe('credits that expire', () => {
  const expiring = { ...grant('g', 1_000), expiresOn: '2026-11-22' } as const;

  it('are spent before they lapse: what is left of them, evenly, and all on their last day', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 1_300 } } });
    await books.append(expiring);
    // Five days; the month alone would allow 100 a day.
    expect(await planned(books)).toBe(200);
    await spend(books, 'a', 150);
    expect(await planned(books)).toBe(50);
    await spend(books, 'b', 50);
    books.setTime('2026-11-22T12:00:00Z');
    expect(await planned(books)).toBe(800);
    books.setTime('2026-11-23T12:00:00Z');
    expect(await planned(books)).toBeLessThan(200);
  });

  it('first are spent first, whichever were granted first', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 1_300 } } });
    const later = { ...grant('later', 500), expiresOn: '2026-12-31' } as const;
    await books.append(later);
    await books.append(expiring);
    expect(await planned(books)).toBe(200);
  });

  it('on the same day count together', async () => {
    const books = open(PLENTY);
    for (const id of ['one', 'two']) {
      const until = { ...grant(id, 500), expiresOn: '2026-12-31' } as const;
      await books.append(until);
    }
    const totals = (await books.log()).at(-1)?.totals;
    expect(nextExpiry(totals, '2026-11-18')).toEqual({ day: '2026-12-31', leftCredits: 1_000 });
  });

  it('are used in the order of their last days, each charge once', () => {
    const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
    const step = fc.record({
      amountCredits: fc.integer({ min: 1, max: 20 }),
      expiresOn: fc.option(fc.constantFrom(...days), { nil: undefined }),
    });
    const holds = fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let totals = EMPTY_TOTALS;
      const lastDays: string[] = [];
      for (const { amountCredits, expiresOn } of steps) {
        if (expiresOn !== undefined) {
          totals = withGrant(totals, { amountCredits, expiresOn });
          lastDays.push(...Array.from({ length: amountCredits }, () => expiresOn));
          lastDays.sort();
        } else {
          const { lifetime } = totals;
          totals = { ...totals, lifetime: { ...lifetime, posted: lifetime.posted + amountCredits } };
          lastDays.splice(0, amountCredits);
        }
        const [day] = lastDays;
        const leftCredits = lastDays.filter((each) => each === day).length;
        expect(nextExpiry(totals, '2026-11-18')).toEqual(day && { day, leftCredits });
      }
    });
    fc.assert(holds, { seed: 4, numRuns: 300 });
  });

  it('open no budget', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perDay: 50 } } });
    await books.append(expiring);
    expect(await planned(books)).toBe(50);
  });

  it('leave what fresh leads use a day until then', async () => {
    const books = open({ ...PLENTY, purposes: { refresh: { perMonth: 1_300 } } });
    await books.append(reserve('lead:1', { purpose: 'live', amountCredits: 60 }));
    await books.append(post('lead:1', 60));
    books.setTime('2026-11-19T12:00:00Z');
    await books.append(expiring);
    // Four days: 250 a day, of which leads use 60.
    expect(await planned(books)).toBe(190);
  });

  it('are in the books, which hold with them and do not without', async () => {
    const books = open(PLENTY);
    await books.append(expiring);
    await spend(books, 'a', 10);
    const log = await books.log();
    expect((await verify(log)).problems).toEqual([]);
    expect(log.at(-1)?.totals.expiring).toEqual([{ day: '2026-11-22', credits: 1_000, postedBefore: 0 }]);
    const later = log.map((entry) => (entry.seq === 1 ? { ...entry, expiresOn: '2027-11-22' } : entry));
    expect((await verify(later)).problems).not.toEqual([]);
  });
});
