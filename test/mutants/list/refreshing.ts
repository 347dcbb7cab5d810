import type { Breakages } from '../mutant.ts';

/** The refresh: the highest age times the square root of the weight goes first, within the budget. */
export const REFRESHING: readonly Breakages[] = [
  {
    file: 'shared/records/plan-refresh.ts',
    suites: [
      'test/unit/functions/refresh-stale/handler.test.ts',
      'test/unit/shared/records/plan-refresh.test.ts',
    ],
    breakages: [
      ['the weight counts whole', 'Math.sqrt(weightOf(state))', 'weightOf(state)'],
      ['the lowest priority goes first', 'b.priority - a.priority', 'a.priority - b.priority'],
      ['records are chosen above the budget', '|| record.credits > credits', ''],
      ['earlier choices count for nothing', ' - (await reservedCredits(services))', ''],
      ['records are refreshed before they are stale', 'upTo: nowMs, ', ''],
    ],
  },
  {
    file: 'shared/enrichment/settle-record.ts',
    suites: ['test/e2e/refresh-order.test.ts'],
    breakages: [
      ['a weight that goes stays', '{ weight: row?.weight }', '{ ...(row && { weight: row.weight }) }'],
    ],
  },
  {
    file: 'shared/credit-ledger/plan.ts',
    suites: ['test/unit/shared/credit-ledger/plan.test.ts'],
    breakages: [
      [
        'credits lapse',
        'Math.max(shareOfToday(view, purpose), creditsToUseUp(view, purpose))',
        'shareOfToday(view, purpose)',
      ],
      ['credits that lapse open a budget', 'Math.min(leftFor(view, { purpose }), planned)', 'planned'],
    ],
  },
];
