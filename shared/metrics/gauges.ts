import type { BreakerState } from '../questions/breaker-state.ts';
import type { SpendReport } from '../spend/report.ts';
import { type Measurement, measure } from './metrics.ts';

export interface Gauged {
  readonly report: SpendReport;
  readonly breakers: BreakerState;
  readonly recordsWaiting: number;
  /** HubSpot calls left today, if HubSpot told. */
  readonly hubSpotDailyRemaining: number | undefined;
}

/** How things stand. Alarms look at these, so that each goes on as long as its cause does. */
export function gauges({ report, breakers, recordsWaiting, hubSpotDailyRemaining }: Gauged): Measurement[] {
  const { keyRefused, outOfCredits } = breakers;
  const isOutOfCredits = outOfCredits !== undefined && outOfCredits.untilMs > report.generatedAtMs;
  return [
    ...budgetGauges(report),
    measure('forecastMonth', report.forecastMonthCredits),
    ...(report.balanceCredits === undefined ? [] : [measure('creditBalance', report.balanceCredits)]),
    measure('doubtsOpen', report.openDoubts.length),
    measure('vendorKeyRefused', keyRefused ? 1 : 0),
    measure('vendorOutOfCredits', isOutOfCredits ? 1 : 0),
    measure('recordsWaiting', recordsWaiting),
    ...(hubSpotDailyRemaining === undefined ? [] : [measure('hubSpotDailyRemaining', hubSpotDailyRemaining)]),
    // What record-metrics.ts finds wrong in this run comes on top of it.
    measure('conservationDifference', 0),
  ];
}

function budgetGauges({ budgets }: SpendReport): Measurement[] {
  const used = budgets.map(({ usedCredits, limitCredits }) =>
    limitCredits > 0 ? (usedCredits / limitCredits) * 100 : 100,
  );
  return [
    ...budgets.map(
      ({ budget, leftCredits }): Measurement => ({
        metric: 'budgetLeft',
        value: leftCredits,
        dimensions: { budget },
      }),
    ),
    ...(used.length > 0 ? [measure('budgetUsed', Math.max(...used))] : []),
  ];
}
