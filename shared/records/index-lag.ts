import type { Clock } from '#shared/kernel';
import { change, type IndexedItems } from '#shared/store';
import type { IndexMarker } from './passes/schemas.ts';
import { indexMarkerKind } from './stored-kinds.ts';

export interface IndexLagServices {
  /** Markers in the table of records. The lag of the table's index is measured. */
  readonly markers: IndexedItems<IndexMarker>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Looks for the last written marker in the index. If the index does not show the marker yet, its age is the lag. If the
 * index shows it, a new marker is written for the next measurement. Until the index shows the new one, the lag of the
 * marker before counts, so that a constant lag is measured as constant.
 * @returns the lag of the index, in milliseconds.
 */
export async function measureIndexLag({ markers, clock }: IndexLagServices): Promise<number> {
  const item = { key: indexMarkerKind.key(), kind: 'marker of the index', clock };
  const [indexed] = await markers.list({ partition: indexMarkerKind.partition('index-marker'), limit: 1 });
  const { lagMs } = await change(markers, item, (written) => {
    const nowMs = clock.now();
    if (written && written.atMs !== indexed?.atMs) {
      const missingMs = nowMs - written.atMs;
      return { lagMs: Math.max(missingMs, written.lagBeforeMs), value: { ...written, missingMs } };
    }
    const lagBeforeMs = written?.missingMs ?? 0;
    return { lagMs: lagBeforeMs, value: { atMs: nowMs, missingMs: 0, lagBeforeMs } };
  });
  return lagMs;
}
