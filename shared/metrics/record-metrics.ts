import type { EnrichmentObserver } from '#shared/enrichment';
import { lostRuns, type RecordItems, runCounts } from '#shared/records';
import { type Metrics, measure } from './metrics.ts';

/**
 * Wraps the record items, and checks the run counts of each state that is written. So every change is checked without a
 * scan.
 */
export function meterRecords(items: RecordItems, metrics: Metrics): RecordItems {
  return {
    ...items,
    write: async (change) => {
      const written = await items.write(change);
      const difference = lostRuns(runCounts(change.value));
      if (written !== 'conflict' && difference !== 0)
        metrics.emit([measure('checksFailed', Math.abs(difference))]);
      return written;
    },
  };
}

/** Counts runs as they end. */
export function outcomeObserver(metrics: Metrics): EnrichmentObserver {
  return {
    ended: ({ runOutcome }) => {
      if (runOutcome.kind !== 'outcome') return;
      const { outcome } = runOutcome;
      metrics.emit([{ metric: 'outcomes', value: 1, dimensions: { outcome } }]);
    },
    repeated: () => undefined,
  };
}
