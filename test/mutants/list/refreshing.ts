import type { Breakages } from '../mutant.ts';

const CHOICE = [
  'test/unit/functions/refresh-stale/handler.test.ts',
  'test/unit/shared/records/choose-by-worth.test.ts',
];

/** The refresh: the highest worth for a credit goes first, and few records are read to find it. */
export const REFRESHING: readonly Breakages[] = [
  {
    file: 'shared/records/choose-by-worth.ts',
    suites: CHOICE,
    breakages: [
      [
        'the price of a refresh counts for nothing',
        'highestValue = head.worth / head.credits;',
        'highestValue = head.worth;',
      ],
      ['all of a cell is read', 'Math.min(most, Math.max(1, cell.read * 2))', 'most'],
    ],
  },
  {
    file: 'shared/records/change-rate.ts',
    suites: ['test/unit/shared/records/change-rate.test.ts'],
    breakages: [
      ['watching teaches nothing', 'b: b + days };', 'b };'],
      ['a change teaches nothing', 'a: changed ? a + changes : a,', 'a,'],
    ],
  },
  {
    file: 'shared/enrichment/write-back/observe-change.ts',
    suites: ['test/e2e/refresh-worth.test.ts'],
    breakages: [
      ["what a person wrote counts as the vendor's change", 'isOurs(property),', "property !== '',"],
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
