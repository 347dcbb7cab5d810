import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import { type StatusItems, statusKind } from './stored-kinds.ts';

export interface IndexLagServices {
  readonly status: StatusItems;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Looks for the last written marker in the index. If the index does not show the marker yet, its age is the lag. If the
 * index shows it, a new marker is written for the next measurement. Until the index shows the new one, the lag of the
 * marker before counts, so that a constant lag is measured as constant.
 * @returns the lag of the index, in milliseconds.
 */
export async function measureIndexLag({ status, clock }: IndexLagServices): Promise<number> {
  const item = { key: statusKind.key('marker'), kind: 'marker of the index', clock };
  const shownAtMs = await shownMarker(status);
  const { lagMs } = await change(status, item, (known) => {
    const nowMs = clock.now();
    const written = known?.marker;
    if (written && written.atMs !== shownAtMs) {
      const missingMs = nowMs - written.atMs;
      return {
        lagMs: Math.max(missingMs, written.lagBeforeMs),
        value: { marker: { ...written, missingMs } },
      };
    }
    const lagBeforeMs = written?.missingMs ?? 0;
    return { lagMs: lagBeforeMs, value: { marker: { atMs: nowMs, missingMs: 0, lagBeforeMs } } };
  });
  return lagMs;
}

/** Returns the time of the marker, if the index shows it at its place. A listed item is read again, so its place decides. */
async function shownMarker(status: StatusItems): Promise<number | undefined> {
  const atMs = (await status.read(statusKind.key('marker')))?.value.marker?.atMs;
  if (atMs === undefined) return undefined;
  const place = { partition: statusKind.partition('index-marker'), from: atMs, upTo: atMs };
  return (await status.list(place)).length > 0 ? atMs : undefined;
}
