import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ForecastInput, forecastOf } from '#inside/spend/forecast.ts';
import type { BudgetState } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { HOUR_MS } from '#shared/kernel';
import { repeated } from '../../../harness/repeated.ts';

/** Half of this day and nine days of the month are to come. */
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

function budget(name: string, limitCredits: number, usedCredits = 0): BudgetState {
  const leftCredits = limitCredits - usedCredits;
  return { budget: name, limitCredits, usedCredits, leftCredits, resetsAtMs: NOW_MS + 12 * HOUR_MS };
}

const ROOMY = [budget('total/day', 1_000_000)];

function forecast(given: Partial<ForecastInput>) {
  const usual = { spentCredits: 100, needs: [], leadsPerDay: 0, budgets: ROOMY };
  return forecastOf({ ...usual, nowMs: NOW_MS, timeZone: 'UTC', ...given });
}

const IMPORTS = [{ purpose: 'import', credits: 500 }] as const;

describe('the forecast', () => {
  it.each<[string, Partial<ForecastInput>, number]>([
    ['is the spend if no record waits and no leads are usual', {}, 100],
    ['adds the waiting records', { needs: [...IMPORTS, { credits: 7 }] }, 607],
    ['adds the usual leads of the rest of the month', { leadsPerDay: 10 }, 100 + 95],
    ['adds nothing without a budget for all spend', { needs: IMPORTS, leadsPerDay: 10, budgets: [] }, 100],
    ["stays within the month's budget", { needs: IMPORTS, budgets: [budget('total/month', 300, 100)] }, 300],
    [
      'stays within what the budgets of the days allow until the end of the month',
      { needs: IMPORTS, budgets: [budget('total/day', 20, 15)] },
      100 + 5 + 9 * 20,
    ],
    [
      "stays within the purpose's budget",
      { needs: IMPORTS, leadsPerDay: 10, budgets: [...ROOMY, budget('import/month', 50, 20)] },
      100 + 30 + 95,
    ],
    [
      'counts leads that wait and leads that come against one budget',
      {
        needs: [{ purpose: 'live', credits: 40 }],
        leadsPerDay: 10,
        budgets: [...ROOMY, budget('live/month', 60)],
      },
      160,
    ],
    [
      'counts no day of the next month, which the ledger may have reached already',
      { needs: IMPORTS, nowMs: Date.parse('2026-10-31T12:00:00Z'), budgets: [budget('total/day', 20)] },
      120,
    ],
    [
      'adds nothing to an overdrawn budget',
      { needs: IMPORTS, budgets: [budget('total/month', 90, 100)] },
      100,
    ],
  ])('%s', (_, given, credits) => {
    expect(forecast(given)).toBe(credits);
  });

  it('is never below the spend, and never above spend and budget', () => {
    const need = fc.record({ purpose: fc.constantFrom(...PURPOSES), credits: fc.nat(3_000) });
    const property = fc.property(
      fc.array(need, { maxLength: 8 }),
      fc.double({ min: 0, max: 500, noNaN: true }),
      fc.record({
        day: fc.nat(300),
        month: fc.nat(6_000),
        imports: fc.nat(3_000),
        spentCredits: fc.nat(6_000),
      }),
      (needs, leadsPerDay, { day, month, imports, spentCredits }) => {
        const budgets = [
          budget('total/day', day),
          budget('total/month', month, spentCredits),
          budget('import/month', imports),
        ];
        const made = forecast({ spentCredits, needs, leadsPerDay, budgets });
        expect(made).toBeGreaterThanOrEqual(spentCredits);
        expect(made).toBeLessThanOrEqual(Math.max(spentCredits, month));
        expect(made).toBeLessThanOrEqual(spentCredits + 10 * day);
      },
    );
    fc.assert(property, { seed: 20_261_122, numRuns: repeated(60) });
  });
});
