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
  | { readonly kind: 'dead-letters' | 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors' | 'every-run-fails'; readonly of: FunctionName }
  | { readonly kind: 'api-failures' };

export interface AlarmDefinition {
  /** A heading of the runbook. */
  readonly heading: string;
  /** Distinguishes alarms with the same heading. */
  readonly of?: string;
  /** Harm to people while the alarm is on, in one or two sentences. The mail begins with this text. */
  readonly loss: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** Number of recent periods that are evaluated. */
  readonly periods: number;
  /** Number of periods that must breach. All by default. */
  readonly breaching?: number;
  /**
   * Meaning of a period without data. `fine`: the counted event did not happen. `as-before`: nothing was reported, so
   * the state stays. `silence`: the alarm reports missing data. Such an alarm stays off before the first data,
   * because CloudWatch notifies only changes of state.
   */
  readonly missing: 'fine' | 'as-before' | 'silence';
}

/**
 * For gauges that each sweep reports. If the sweep stops, these alarms keep their state, and the sweep's own alarm
 * starts.
 */
export const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1, missing: 'as-before' } as const;
export const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1, missing: 'fine' } as const;
/** One breach is enough. After a breach, the alarm stays on until the next run of an hourly schedule. */
export const ONCE = { ...COUNT, periodMinutes: 90 } as const;
export const SILENCE = { comparison: 'at-most', threshold: 0, missing: 'silence' } as const;

/** File that an alarm's mail refers to. */
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
