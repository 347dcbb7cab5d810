import type { Clock } from '#shared/kernel';
import { change, type IndexedItems } from '#shared/versioned-items';
import type { IndexMarker } from './rounds/schemas.ts';
import { indexMarkerKind } from './stored-kinds.ts';

export interface IndexLagServices {
  /** In the table of records, whose index is looked at. */
  readonly markers: IndexedItems<IndexMarker>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Looks in the index for the marker that was written last. A marker that is not there yet stays, so that its age is the
 * lag; one that is there is written again, for the next look.
 * @returns for how long the index has been behind, milliseconds.
 */
export async function measureIndexLag({ markers, clock }: IndexLagServices): Promise<number> {
  const item = { key: indexMarkerKind.key(), kind: 'marker of the index', clock };
  const [indexed] = await markers.list({ partition: indexMarkerKind.partition('index-marker'), limit: 1 });
  const { lagMs } = await change(markers, item, (written) => {
    const nowMs = clock.now();
    if (written && written.atMs !== indexed?.atMs) return { lagMs: nowMs - written.atMs };
    return { lagMs: 0, value: { atMs: nowMs } };
  });
  return lagMs;
}
