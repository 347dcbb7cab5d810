import type { Breakages } from '../mutant.ts';

const FORECAST = ['test/unit/shared/spend/forecast.test.ts'];

/** Figures on which people base decisions are correct. */
export const FIGURES: readonly Breakages[] = [
  {
    file: 'shared/enrichment/enrich-batch.ts',
    suites: ['test/e2e/brought.test.ts'],
    breakages: [
      [
        'a run that another worker has taken over is counted all the same',
        'isSettled ? yieldOfRun({ run, rule, runOutcome, fields }) : undefined',
        'yieldOfRun({ run, rule, runOutcome, fields })',
      ],
    ],
  },
  {
    file: 'shared/spend/forecast.ts',
    suites: FORECAST,
    breakages: [
      [
        'a forecast spends more than the budgets let it',
        'Math.round(Math.min(total, ...left))',
        'Math.round(total)',
      ],
      ['a forecast leaves the waiting records out', '[...input.needs, leads]', '[leads]'],
    ],
  },
  {
    file: 'shared/spend/stops.ts',
    suites: ['test/unit/shared/spend/stops.test.ts'],
    breakages: [
      [
        'an empty balance is told of for ever',
        'outOfCredits && isOutOfCredits(breakers, nowMs)',
        'outOfCredits',
      ],
    ],
  },
];
