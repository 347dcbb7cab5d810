import { DAY_MS } from '../../../../shared/kernel/index.ts';

/** Date of the world's state. All dates in the world are earlier, except those of future job changes. */
export const WORLD_ANCHOR_MS = Date.UTC(2026, 5, 1);

const MONTH_MS = (365.25 / 12) * DAY_MS;

/** `YYYY-MM-DD`, UTC. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whole months between two times; 0 if the second is not later. */
export function monthsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / MONTH_MS));
}

/** Midnight UTC of the day that is `months` average months before the anchor. */
export function monthsBeforeAnchor(months: number): number {
  return Math.floor((WORLD_ANCHOR_MS - months * MONTH_MS) / DAY_MS) * DAY_MS;
}
