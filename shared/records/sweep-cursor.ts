import type { SweepWindow } from '#shared/crm/crm.ts';
import type { SweepCursor } from './schemas.ts';

/** HubSpot's search may show a new record minutes late, so each window begins this much before the last one's end. */
const OVERLAP_MS = 10 * 60_000;

/** The next page to look at; `undefined` while there is nothing new to see. */
export function nextWindow(
  cursor: SweepCursor | undefined,
  bounds: { installedAtMs: number; toMs: number },
): SweepWindow | undefined {
  const fromMs = cursor?.fromMs ?? bounds.installedAtMs;
  if (cursor?.window) return { fromMs, ...cursor.window };
  return bounds.toMs > fromMs ? { fromMs, toMs: bounds.toMs } : undefined;
}

/** The cursor after a page: `full` when the window may hold more. */
export function afterPage(
  window: SweepWindow,
  page: { lastId: string | undefined; full: boolean; installedAtMs: number },
): SweepCursor {
  if (page.full && page.lastId)
    return { fromMs: window.fromMs, window: { toMs: window.toMs, afterId: page.lastId } };
  return { fromMs: Math.max(page.installedAtMs, window.fromMs, window.toMs - OVERLAP_MS) };
}
