import { describe, expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { buildReport } from '#inside/spend/report.ts';
import type { WaitingLine } from '#inside/spend/waiting-summary.ts';
import { refusalSentence } from '#shared/credit-ledger';
import { waitingSentence } from '#shared/spend';

const NOW_MS = Date.UTC(2026, 10, 21, 14);
const budget = {
  budget: 'total/day',
  limitCredits: 100,
  usedCredits: 60,
  leftCredits: 40,
  keptCredits: 40,
  resetsAtMs: Date.UTC(2026, 10, 22),
};
const refusal = { ...budget, neededCredits: 1, opensAtMs: Date.UTC(2026, 10, 21, 18, 9) };
const line: WaitingLine = {
  purpose: 'import',
  records: 150,
  credits: 450,
  oldestMs: Date.UTC(2026, 10, 20, 14),
  days: 4,
  refusal,
};

describe('why a budget refuses', () => {
  it.each([
    [{}, "Today's budget of 100 credits has 40 left, reserved for new leads."],
    [
      { keptCredits: 38, neededCredits: 3 },
      "Today's budget of 100 credits has 40 left, 38 of them reserved for new leads. This needs 3 credits.",
    ],
    [{ leftCredits: 0, keptCredits: 0 }, "Today's budget of 100 credits is used up."],
    [{ leftCredits: -2, keptCredits: 0 }, "Today's budget of 100 credits is used up."],
    [
      { budget: 'import/month', leftCredits: 1, keptCredits: 0, neededCredits: 3 },
      'This month\'s budget of 100 credits for "Imports" has 1 left. This needs 3 credits.',
    ],
    [{ budget: 'total/none-set' }, 'No budget is set: nothing is spent.'],
  ])('%j', (change, words) => {
    expect(refusalSentence({ ...refusal, ...change })).toBe(words);
  });
});

describe('records that the reserve for leads keeps waiting', () => {
  const report = buildReport({
    ...{ nowMs: NOW_MS, timeZone: 'UTC', account: 'main', rows: [], newest: undefined },
    budgets: [budget],
    waiting: { inTurn: [line], timed: [], timedCredits: 0 },
  });

  it('are shown with the reason and the time of the next start', () => {
    expect(waitingSentence(line, 'UTC')).toBe(
      "150 imported records have been waiting since 20 Nov 2026, 14:00. Today's budget of 100 credits has 40 left, reserved for new leads. The next one may start on 21 Nov 2026, 18:09, unless other records use the credits first. At this pace the last one starts in 4 days.",
    );
  });

  it('stand on the page among the stops, below what waits and beside the budget', () => {
    expect(report.stops).toMatchObject([
      { kind: 'reserved-for-leads', records: 150, untilMs: refusal.opensAtMs },
    ]);
    expect(spendPage(report)).toContain('The next one may start on 21 Nov 2026, 18:09, unless');
    expect(spendPage(report)).toContain('Until 21 Nov 2026, 18:09 at the earliest; 150 records wait for it.');
    expect(spendPage(report)).toContain('60 of 100 used (60%), past 50%; 40 reserved for new leads');
  });
});
