import type { SweepWindow } from '#shared/crm';
import type { SweepCursor } from './schemas.ts';

/**
 * HubSpot's search may show a new record minutes late. So each window begins this time before the end of the last
 * window.
 */
const OVERLAP_MS = 10 * 60_000;

/** Returns the window of the next page; `undefined` while no new time is to be checked. */
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
  /** Number of consecutive unreported records, including those of the previous page. */
  readonly unreported?: number;
}

/** Returns the cursor after a page. `full` means that the window may hold more records. */
export function afterPage(window: SweepWindow, page: SweptPage): SweepCursor {
  const { full, lastId, installedAtMs, unreported = 0 } = page;
  const counted = unreported > 0 && { unreported };
  if (full && lastId)
    return { fromMs: window.fromMs, window: { toMs: window.toMs, afterId: lastId }, ...counted };
  return { fromMs: Math.max(installedAtMs, window.fromMs, window.toMs - OVERLAP_MS), ...counted };
}
