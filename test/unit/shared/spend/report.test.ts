import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMonth, foldIntoMonth } from '#inside/spend/forecast.ts';
import { buildReport, type ReportInput } from '#inside/spend/report.ts';
import type { SpendRow } from '#inside/spend/schemas.ts';
import type { Spend } from '#inside/spend/selection.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { HOUR_MS, monthOfDay } from '#shared/kernel';
import type { YieldCount } from '#shared/records';
import { monthsNeeded } from '#shared/spend';
import { repeated } from '../../../harness/repeated.ts';
import { ACCOUNT, bookKeeping, charge, handClock, logOf, logSteps, row, TIME_ZONE } from './random-log.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 30);

function report(given: Partial<ReportInput> = {}) {
  const base = {
    account: ACCOUNT,
    rows: [],
    newest: undefined,
    budgets: [],
    nowMs: NOW_MS,
    timeZone: TIME_ZONE,
  };
  return buildReport({ ...base, ...given });
}

function rowsOf(log: readonly LedgerEntry[]): SpendRow[] {
  const months = [...new Set(log.map(({ day }) => monthOfDay(day)))];
  return months.flatMap((month) => foldIntoMonth(emptyMonth(month), log).rows);
}

function dayWith(yields: readonly YieldCount[]) {
  return [{ day: '2026-11-20', yields, stops: [] }];
}

function creditsIn(shares: readonly Pick<Spend, 'credits'>[]): number {
  return shares.reduce((sum, { credits }) => sum + credits, 0);
}

describe('the report', () => {
  it("agrees with the ledger's own totals, and every division of the month has the month's sum", async () => {
    const property = fc.asyncProperty(logSteps, async (steps) => {
      const log = await logOf(steps);
      const newest = log.at(-1);
      if (!newest) return;
      const made = report({ rows: rowsOf(log), newest, nowMs: newest.atMs });
      const { periods, lifetime } = newest.totals;
      const posted = (period: string) =>
        Object.values(periods[period] ?? {}).reduce((sum, amounts) => sum + amounts.posted, 0);
      expect(made.spentMonthCredits).toBe(posted(made.month));
      expect(made.spentTodayCredits).toBe(posted(made.today));
      expect(creditsIn(rowsOf(log))).toBe(lifetime.posted);
      for (const parts of [made.yields.operation, made.yields.purpose, made.yields.source, [made.total]])
        expect(creditsIn(parts)).toBe(made.spentMonthCredits);
      expect(made.chargedCredits).toBe(lifetime.posted);
      for (const { credits, purposes } of made.byDay) expect(creditsIn(purposes)).toBe(credits);
      for (const { name, credits } of made.yields.purpose) {
        expect(credits).toBe(
          Object.entries(periods[made.month] ?? {}).find(([key]) => key === name)?.[1].posted,
        );
      }
      const listed = creditsIn(made.openDoubts.map((doubt) => ({ credits: doubt.amountCredits })));
      expect(listed).toBe(lifetime.doubtful);
      expect(made).toMatchObject({ pendingCredits: lifetime.pending, doubtfulCredits: lifetime.doubtful });
    });
    await fc.assert(property, { seed: 20_261_123, numRuns: repeated(150) });
  });

  it('has each day of the month up to today once, in order, days without spend as zero', () => {
    const { byDay } = report({ rows: [row('2026-10-31', 50), row('2026-11-01', 4), row('2026-11-21', 7)] });
    expect(byDay).toHaveLength(21);
    expect(byDay[0]).toEqual({
      day: '2026-11-01',
      credits: 4,
      count: 1,
      purposes: [{ purpose: 'live', credits: 4 }],
    });
    expect(byDay[1]).toEqual({ day: '2026-11-02', credits: 0, count: 0, purposes: [] });
    expect(byDay[20]).toEqual({
      day: '2026-11-21',
      credits: 7,
      count: 1,
      purposes: [{ purpose: 'live', credits: 7 }],
    });
    expect(byDay.map(({ day }) => day)).toEqual(byDay.map(({ day }) => day).toSorted());
    expect(creditsIn(byDay)).toBe(11);
  });

  it('reads this month and the month before', () => {
    expect(monthsNeeded({ nowMs: NOW_MS, timeZone: TIME_ZONE })).toEqual(['2026-10', '2026-11']);
    expect(monthsNeeded({ nowMs: Date.UTC(2027, 0, 31, 12), timeZone: 'UTC' })).toEqual([
      '2026-12',
      '2027-01',
    ]);
  });

  it('forecasts the spend, the waiting records and the usual leads of the whole month', async () => {
    const clock = handClock(Date.parse('2026-11-20T12:00:00Z'));
    const { ledger } = bookKeeping(clock);
    await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 30, reason: 'match' });
    clock.advance(36 * HOUR_MS);
    await charge(ledger, { operation: 'reverseEmail', purpose: 'import', credits: 4, reason: 'match' });
    const inTurn = [{ purpose: 'import', records: 5, credits: 20, oldestMs: 0 }] as const;
    const made = report({
      rows: [row('2026-11-20', 30), row('2026-11-22', 4, { purpose: 'import' })],
      newest: await ledger.newest(),
      budgets: (await ledger.now()).states(),
      nowMs: Date.parse('2026-11-22T00:00:00+01:00'),
      waiting: { inTurn, timed: [], timedCredits: 7 },
    });
    // Leads used 30 credits in the two days that the ledger knows, and nine days are to come.
    expect(made.forecastMonthCredits).toBe(30 + 4 + 20 + 7 + 9 * 15);
  });

  it("takes today and the month from the policy's time zone", () => {
    const nowMs = Date.UTC(2026, 9, 31, 23, 30);
    const rows = [row('2026-10-31', 3), row('2026-11-01', 5)];
    expect(report({ rows, nowMs })).toMatchObject({
      today: '2026-11-01',
      month: '2026-11',
      spentTodayCredits: 5,
      spentMonthCredits: 5,
    });
    expect(report({ rows, nowMs, timeZone: 'UTC' })).toMatchObject({
      today: '2026-10-31',
      spentTodayCredits: 3,
      spentMonthCredits: 3,
    });
  });

  it('knows a balance only where something was granted', async () => {
    const { ledger } = bookKeeping(handClock());
    await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 30, reason: 'match' });
    expect(report({ newest: await ledger.newest() })).not.toHaveProperty('balanceCredits');
    await ledger.apply({ kind: 'grant', id: 'g', amountCredits: 1_000, reason: 'bought' });
    await ledger.apply({ kind: 'adjust', id: 'a', amountCredits: -5, reason: 'compared' });
    expect(report({ newest: await ledger.newest() })).toMatchObject({
      grantedCredits: 1_000,
      balanceCredits: 965,
    });
  });

  it('tells what the month brought, where runs are counted', () => {
    const rows = [row('2026-11-20', 30), row('2026-10-30', 500)];
    const yields = [
      { purpose: 'live', kind: 'filled', runs: 12, fields: 60 },
      { purpose: 'live', kind: 'unmatched', runs: 5, fields: 0 },
      { purpose: 'live', kind: 'skipped', runs: 99, fields: 0 },
      { purpose: 'refresh', kind: 'confirmed', runs: 3, fields: 0 },
      { purpose: 'refresh', kind: 'gone', runs: 1, fields: 0 },
    ] as const;
    const spent = { credits: 30, charges: 1, wastedCredits: 0, matchRate: 1 };
    expect(report({ rows, days: dayWith(yields) }).total).toEqual({
      ...spent,
      filledFields: 60,
      costPerFilledField: 0.5,
    });
    expect(report({ rows, days: [] }).total).toEqual({ ...spent, filledFields: 0 });
    expect(report({ rows }).total).toEqual(spent);
    const selection = { from: '2026-10-01', to: '2026-10-31' };
    const of = (picked: object) =>
      report({ rows, days: dayWith(yields), picked: { ...selection, ...picked } }).total;
    expect(of({})).toMatchObject({ costPerFilledField: 500 / 60, matchRate: 1 });
    expect(of({ purpose: 'refresh' })).toMatchObject({ filledFields: 0, credits: 0 });
    expect(of({ outcome: 'match' })).not.toHaveProperty('filledFields');
    expect(of({ askedBy: 'user' })).toMatchObject({ filledFields: 0 });
  });
});
