import type { Metrics } from '#inside/metrics/metrics.ts';

/** What AWS sees of the system. */
export interface Watch {
  /** What the functions emit. */
  readonly metrics: Metrics;
  /** A function was called, and ended well or with an error. */
  readonly invoked: (
    name: 'receive-webhook' | 'enrich-records' | 'reconcile' | 'refresh-stale',
    isWell: boolean,
  ) => void;
  /** What the API answered to a delivery. */
  readonly answered: (status: number) => void;
  /** With what status the API answers by itself now, before any function. */
  readonly turnedAway?: () => number | undefined;
}

/** The handler, as AWS counts its calls. */
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
