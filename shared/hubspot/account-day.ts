import { DAY_MS, HOUR_MS } from '#shared/kernel/clock.ts';

/**
 * The midnight at which the day of this instant ends in the account's time zone, epoch milliseconds: the account's
 * daily requests are counted anew from then on. Bisects, so that days of 23 and 25 hours need no special case.
 */
export function endOfDay(atMs: number, timeZone: string): number {
  const today = dayOf(atMs, timeZone);
  let inside = atMs;
  let beyond = atMs + DAY_MS + 3 * HOUR_MS;
  while (beyond - inside > 1) {
    const middle = Math.floor((inside + beyond) / 2);
    if (dayOf(middle, timeZone) === today) inside = middle;
    else beyond = middle;
  }
  return beyond;
}

function dayOf(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(atMs);
}
