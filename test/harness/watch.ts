import type { Metrics } from '#shared/metrics';

/** Observations of the system from outside, as AWS makes them. */
export interface Watch {
  /** Metrics of the functions. */
  readonly metrics: Metrics;
  /** Called when a function ended, with its result. */
  readonly invoked: (
    name: 'receive-webhook' | 'enrich-records' | 'reconcile' | 'refresh-stale',
    isWell: boolean,
  ) => void;
  /** Status of the API's answer to a delivery. */
  readonly answered: (status: number) => void;
  /** Status with which the API itself currently refuses deliveries, before any function. */
  readonly turnedAway?: () => number | undefined;
}

/** Wraps the handler to count its calls, as AWS does. */
export function invoking<A extends unknown[], R>(
  watch: Watch | undefined,
  name: Parameters<Watch['invoked']>[0],
  handle: (...given: A) => Promise<R>,
): (...given: A) => Promise<R> {
  return async (...given) => {
    try {
      const result = await handle(...given);
      watch?.invoked(name, true);
      return result;
    } catch (error) {
      watch?.invoked(name, false);
      throw error;
    }
  };
}
