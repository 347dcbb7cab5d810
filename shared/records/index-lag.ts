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
  const [indexed] = await status.list({ partition: statusKind.partition('index-marker'), limit: 1 });
  const { lagMs } = await change(status, item, (known) => {
    const nowMs = clock.now();
    const written = known?.marker;
    if (written && written.atMs !== indexed?.marker?.atMs) {
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
