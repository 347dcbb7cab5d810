import type { SweepWindow } from '#shared/crm';
import type { SweepCursor } from './schemas.ts';

/** HubSpot's search may show a new record minutes late, so each window begins this much before the last one's end. */
const OVERLAP_MS = 10 * 60_000;

/** Returns the window of the next page; `undefined` while there is nothing new. */
export function nextWindow(
  cursor: SweepCursor | undefined,
  bounds: { installedAtMs: number; toMs: number },
): SweepWindow | undefined {
  const fromMs = cursor?.fromMs ?? bounds.installedAtMs;
  if (cursor?.window) return { fromMs, ...cursor.window };
  return bounds.toMs > fromMs ? { fromMs, toMs: bounds.toMs } : undefined;
}

interface SweptPage {
  readonly lastId: string | undefined;
  readonly full: boolean;
  readonly installedAtMs: number;
  /** Consecutive unreported records, including those of the previous page. */
  readonly unreported?: number;
}

/** Returns the cursor after a page. `full`: the window may hold more records. */
export function afterPage(window: SweepWindow, page: SweptPage): SweepCursor {
  const { full, lastId, installedAtMs, unreported = 0 } = page;
  const counted = unreported > 0 && { unreported };
  if (full && lastId)
    return { fromMs: window.fromMs, window: { toMs: window.toMs, afterId: lastId }, ...counted };
  return { fromMs: Math.max(installedAtMs, window.fromMs, window.toMs - OVERLAP_MS), ...counted };
}
