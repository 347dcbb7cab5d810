import type { Lane } from '#shared/crm/names.ts';
import { METRICS, type MetricId } from '#shared/metrics/names.ts';
import type { FunctionName } from './names.ts';

/** What an alarm looks at: a metric of ours, or one that AWS measures. */
export type AlarmSource =
  | {
      readonly kind: 'own';
      readonly metric: MetricId;
      /** Of a metric that has dimensions, the series. */
      readonly dimensions?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dead-letters' | 'oldest-dead-letter' | 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors' | 'throttles' | 'invocations'; readonly of: FunctionName }
  | { readonly kind: 'api-failures' };

export interface AlarmDefinition {
  /** A heading of the runbook. */
  readonly heading: string;
  /** Tells the alarms of one heading apart. */
  readonly of?: string;
  /** What people lose while it rings, in one sentence or two. The mail begins with it. */
  readonly loss: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** The last so many periods are looked at. */
  readonly periods: number;
  /** So many of them must breach; all of them unless told. */
  readonly breaching?: number;
  /**
   * What a period without data means. `fine`: what is counted did not happen. `as-before`: nobody told, so nothing is
   * known. `silence`: it is what this alarm looks for; it does not ring before there was ever data, since CloudWatch
   * tells changes of state only, and an alarm begins in the state that silence leads to.
   */
  readonly missing: 'fine' | 'as-before' | 'silence';
}

/** Each run of the sweep tells it. Should the sweep stop, that has an alarm of its own, and none of these is over. */
export const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1, missing: 'as-before' } as const;
export const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1, missing: 'fine' } as const;
/**
 * What is tried again every quarter of an hour at the least, and goes on failing. An hour is looked at, so that it does
 * not end between two tries.
 */
export const AGAIN_AND_AGAIN = { ...COUNT, periods: 12, breaching: 3 } as const;
/** Once is enough, and it lasts from one run of an hourly schedule to the next. */
export const ONCE = { ...COUNT, periodMinutes: 90 } as const;
export const SILENCE = { comparison: 'at-most', threshold: 0, missing: 'silence' } as const;

export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 1_440;

/** Where an alarm's mail sends its reader. */
const RUNBOOK = 'docs/operations/runbook.md';

/** `Messages wait (bulk)`. */
export function titleOf({ heading, of }: Pick<AlarmDefinition, 'heading' | 'of'>): string {
  return of === undefined ? heading : `${heading} (${of})`;
}

/** The text of the alarm's mail. */
export function descriptionOf({ heading, loss }: Pick<AlarmDefinition, 'heading' | 'loss'>): string {
  return `${loss} See "${heading}" in ${RUNBOOK}.`;
}

export function own(metric: MetricId, dimensions: Readonly<Record<string, string>> = {}): AlarmSource {
  const named = Object.keys(dimensions).join();
  if (METRICS[metric].dimensions.join() !== named) throw new Error(`${metric}: name one series of it.`);
  return { kind: 'own', metric, dimensions };
}
