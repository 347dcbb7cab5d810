import type { Lane } from '#shared/crm';
import { METRICS, type MetricId } from '#shared/metrics';
import type { FunctionName } from './names.ts';

/** Source of an alarm: our own metric, or a metric of AWS. */
export type AlarmSource =
  | {
      readonly kind: 'own';
      readonly metric: MetricId;
      /** Values of the metric's dimensions, which select one series. */
      readonly dimensions?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dead-letters' | 'oldest-dead-letter' | 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors' | 'throttles' | 'invocations'; readonly of: FunctionName }
  | { readonly kind: 'api-failures' };

export interface AlarmDefinition {
  /** A heading of the runbook. */
  readonly heading: string;
  /** Distinguishes alarms with the same heading. */
  readonly of?: string;
  /** What people lose while the alarm is on, in one or two sentences. The mail begins with it. */
  readonly loss: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** Number of recent periods that are evaluated. */
  readonly periods: number;
  /** Number of periods that must breach; all by default. */
  readonly breaching?: number;
  /**
   * Meaning of a period without data. `fine`: the counted event did not happen. `as-before`: no report, so the state
   * stays. `silence`: missing data is what this alarm looks for. It stays off before the first data, because CloudWatch
   * notifies only changes of state.
   */
  readonly missing: 'fine' | 'as-before' | 'silence';
}

/** For gauges that each sweep reports. If the sweep stops, its own alarm starts, and these alarms keep their state. */
export const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1, missing: 'as-before' } as const;
export const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1, missing: 'fine' } as const;
/**
 * For failures of work that is retried at least every quarter of an hour. It evaluates an hour, so that the alarm does
 * not clear between two retries.
 */
export const AGAIN_AND_AGAIN = { ...COUNT, periods: 12, breaching: 3 } as const;
/** One breach is enough. The alarm lasts from one run of an hourly schedule to the next. */
export const ONCE = { ...COUNT, periodMinutes: 90 } as const;
export const SILENCE = { comparison: 'at-most', threshold: 0, missing: 'silence' } as const;

export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 1_440;

/** The runbook link in an alarm's mail. */
const RUNBOOK = 'docs/operations/runbook.md';

/** `Messages wait (bulk)`. */
export function titleOf({ heading, of }: Pick<AlarmDefinition, 'heading' | 'of'>): string {
  return of === undefined ? heading : `${heading} (${of})`;
}

/** Writes the text of the alarm's mail. */
export function descriptionOf({ heading, loss }: Pick<AlarmDefinition, 'heading' | 'loss'>): string {
  return `${loss} See "${heading}" in ${RUNBOOK}.`;
}

export function own(metric: MetricId, dimensions: Readonly<Record<string, string>> = {}): AlarmSource {
  const named = Object.keys(dimensions).join();
  if (METRICS[metric].dimensions.join() !== named)
    throw new Error(`${metric} has dimensions: select one series.`);
  return { kind: 'own', metric, dimensions };
}
