import { METRICS, type MetricId } from './names.ts';

type DimensionsOf<M extends MetricId> = Readonly<Record<(typeof METRICS)[M]['dimensions'][number], string>>;

/** One value of one metric. Its dimensions are words from short lists, never an id or personal data. */
export type Measurement = Plain | Dimensioned;

interface Plain {
  readonly metric: WithoutDimensions;
  readonly value: number;
  readonly dimensions: Readonly<Record<never, string>>;
}

type Dimensioned = {
  readonly [M in Exclude<MetricId, WithoutDimensions>]: {
    readonly metric: M;
    readonly value: number;
    readonly dimensions: DimensionsOf<M>;
  };
}[Exclude<MetricId, WithoutDimensions>];

export interface Metrics {
  emit(measurements: readonly Measurement[]): void;
}

type WithoutDimensions = {
  [M in MetricId]: (typeof METRICS)[M]['dimensions'] extends readonly [] ? M : never;
}[MetricId];

/** Creates a measurement of a metric that has no dimensions of its own. */
export function measure(metric: WithoutDimensions, value: number): Measurement {
  return { metric, value, dimensions: {} };
}

/** Returns the metric's name, unit and dimensions. */
export function definitionOf({ metric }: Measurement) {
  return METRICS[metric];
}
