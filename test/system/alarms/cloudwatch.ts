import { MINUTE_MS } from '#shared/kernel';
import type { AlarmDefinition } from '../../../infra/aws/alarm-list.ts';

/**
 * Alarms as the CloudWatch user guide has them ("Alarm evaluation" and "Configuring how CloudWatch alarms treat missing
 * data"): each is evaluated every minute over windows that end then. CloudWatch looks at some more periods than an alarm
 * names, because data may be missing; how many it does not say, and in its examples they are two.
 */
export const MORE_PERIODS = 2;

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

interface Minute {
  readonly sum: number;
  readonly max: number;
  readonly min: number;
}

export type Statistic = 'Sum' | 'Maximum' | 'Minimum';

export type MetricStore = ReturnType<typeof createMetricStore>;

/** Values by series and minute. */
export function createMetricStore() {
  const series = new Map<string, Map<number, Minute>>();
  const minutesOf = (name: string) => {
    const known = series.get(name) ?? new Map<number, Minute>();
    series.set(name, known);
    return known;
  };
  return {
    put: (name: string, value: number, atMs: number): void => {
      const minutes = minutesOf(name);
      const minute = Math.floor(atMs / MINUTE_MS);
      const { sum, max, min } = minutes.get(minute) ?? {
        sum: 0,
        max: Number.NEGATIVE_INFINITY,
        min: Number.POSITIVE_INFINITY,
      };
      minutes.set(minute, { sum: sum + value, max: Math.max(max, value), min: Math.min(min, value) });
    },
    /** One value over the minutes from `from` to before `to`; nothing where none has data. */
    over: (name: string, window: { from: number; to: number }, statistic: Statistic): number | undefined => {
      const minutes = minutesOf(name);
      const found: Minute[] = [];
      for (let minute = window.from; minute < window.to; minute += 1) {
        const one = minutes.get(minute);
        if (one) found.push(one);
      }
      if (found.length === 0) return undefined;
      if (statistic === 'Sum') return found.reduce((sum, one) => sum + one.sum, 0);
      return statistic === 'Maximum'
        ? Math.max(...found.map(({ max }) => max))
        : Math.min(...found.map(({ min }) => min));
    },
  };
}

export type Rule = Pick<
  AlarmDefinition,
  'comparison' | 'threshold' | 'periodMinutes' | 'periods' | 'breaching' | 'missing'
>;

interface Looking {
  readonly store: MetricStore;
  readonly series: string;
  readonly statistic: Statistic;
  /** When it is evaluated: the minute that has just ended was the one before. */
  readonly minute: number;
  /** What it was a minute ago. */
  readonly before: AlarmState;
  readonly morePeriods?: number;
}

export function evaluate(rule: Rule, looking: Looking): AlarmState {
  const { store, series, statistic, minute, before, morePeriods = MORE_PERIODS } = looking;
  const points = Array.from({ length: rule.periods + morePeriods }, (_, nth) => {
    const to = minute - nth * rule.periodMinutes;
    const value = store.over(series, { from: to - rule.periodMinutes, to }, statistic);
    return value === undefined ? undefined : breaches(rule, value);
  });
  return stateOf(rule, points, before);
}

function breaches({ comparison, threshold }: Rule, value: number): boolean {
  return comparison === 'at-least' ? value >= threshold : value <= threshold;
}

/** @param points newest first: whether it breaches, nothing where data is missing. */
export function stateOf(
  { periods, breaching = periods, missing }: Pick<Rule, 'periods' | 'breaching' | 'missing'>,
  points: readonly (boolean | undefined)[],
  before: AlarmState,
): AlarmState {
  const real = points.filter((point) => point !== undefined).slice(0, periods);
  const bad = real.filter((point) => point).length;
  if (bad >= breaching) return 'ALARM';
  if (missing === 'fine' || real.length === periods) return 'OK';
  if (real.length === 0) return missing === 'silence' ? 'INSUFFICIENT_DATA' : before;
  // What is there is judged alone.
  if (bad < Math.min(breaching, real.length)) return 'OK';
  return missing === 'silence' ? 'ALARM' : before;
}
