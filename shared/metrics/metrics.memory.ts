import type { Measurement, Metrics } from './metrics.ts';

export interface MemoryMetrics extends Metrics {
  /** Everything so far, oldest first. */
  emitted(): readonly Measurement[];
}

export function createMemoryMetrics(): MemoryMetrics {
  const all: Measurement[] = [];
  return { emit: (measurements) => void all.push(...measurements), emitted: () => [...all] };
}
