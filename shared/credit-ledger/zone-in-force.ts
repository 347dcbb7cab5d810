import { dayOf, isTimeZone, monthOfDay } from '#shared/kernel/calendar.ts';

interface Counted {
  readonly atMs: number;
  readonly timeZone: string;
}

/**
 * The zone in which an entry after this one is counted. Another one than before takes effect with the first month that
 * has begun in both: until then the month that is open in either would be left and entered again, and its budget spent
 * twice. Whoever changes the policy mostly waits for the end of the month.
 */
export function zoneInForce(newest: Counted | undefined, wanted: string, atMs: number): string {
  const counted = newest?.timeZone;
  if (!newest || !counted || counted === wanted || !isTimeZone(counted)) return wanted;
  const monthInBoth = (ms: number) => monthOfDay([dayOf(ms, counted), dayOf(ms, wanted)].sort()[0] ?? '');
  const isNewMonth = monthInBoth(atMs) > monthInBoth(newest.atMs);
  // Zones may lie more than a day apart: a day that was counted in must not come again either.
  return isNewMonth && dayOf(atMs, wanted) >= dayOf(newest.atMs, counted) ? wanted : counted;
}
