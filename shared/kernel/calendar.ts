import { DAY_MS, HOUR_MS } from './clock.ts';

/** In every time zone, a day starts at a multiple of 15 minutes. */
const QUARTER_MS = HOUR_MS / 4;

/** Cache of the last quarter of an hour by time zone, because entries of a log have similar times. */
const lastDays = new Map<string, { readonly quarter: number; readonly day: string }>();

/** The calendar day of an instant in a time zone: `2026-11-21`. */
export function dayOf(atMs: number, timeZone: string): string {
  const quarter = Math.floor(atMs / QUARTER_MS);
  const last = lastDays.get(timeZone);
  if (last?.quarter === quarter) return last.day;
  const day = dayFormat(timeZone).format(atMs);
  lastDays.set(timeZone, { quarter, day });
  return day;
}

/** The calendar day of an instant in UTC: `2026-11-21`. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The calendar month of a day: `2026-11`. */
export function monthOfDay(day: string): string {
  return day.slice(0, 7);
}

/** Days from the first to the other. */
export function daysBetween(first: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(first)) / DAY_MS);
}

/** @param month `2026-11` */
export function daysInMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

export function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}

/** Calendar days ending with `last`, oldest first: `2026-11-21`. */
export function daysUpTo(last: string, count: number): string[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => utcDay(lastMs - (count - 1 - index) * DAY_MS));
}

/** Days of a month from its first day to this one: `2026-11-21`. */
export function daysOfMonth(upTo: string): string[] {
  return daysUpTo(upTo, dayOfMonth(upTo));
}

/** @param day `2026-11-21` @returns the day that is `count` days later. */
export function dayAfter(day: string, count = 1): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS);
}

export function monthBefore(month: string): string {
  return monthOfDay(utcDay(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS));
}

/** The first instant of the next calendar day, epoch milliseconds. */
export function nextDayStart(atMs: number, timeZone: string): number {
  return firstInstantAfter(atMs, { spanMs: DAY_MS + 3 * HOUR_MS, periodOf: (ms) => dayOf(ms, timeZone) });
}

/** The first instant of the next calendar month, epoch milliseconds. */
export function nextMonthStart(atMs: number, timeZone: string): number {
  return firstInstantAfter(atMs, { spanMs: 32 * DAY_MS, periodOf: (ms) => monthOfDay(dayOf(ms, timeZone)) });
}

/** Whether it is an IANA name such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return dayFormat(name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The Swedish locale formats dates like ISO 8601. A format is costly to create, so it is cached. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

/** Finds the change of period by bisection, so that days of 23 and 25 hours need no special case. */
function firstInstantAfter(
  atMs: number,
  { spanMs, periodOf }: { spanMs: number; periodOf: (ms: number) => string },
): number {
  const current = periodOf(atMs);
  let inside = atMs;
  let beyond = atMs + spanMs;
  while (beyond - inside > 1) {
    const middle = Math.floor((inside + beyond) / 2);
    if (periodOf(middle) === current) inside = middle;
    else beyond = middle;
  }
  return beyond;
}

interface Counted {
  readonly atMs: number;
  readonly timeZone: string;
}

/**
 * The time zone of the entry after `newest`. A changed zone takes effect with the next month that has started in both zones.
 * Earlier, a month could end and start again, and its budget would be spent twice.
 */
export function zoneInForce(newest: Counted | undefined, wanted: string, atMs: number): string {
  const counted = newest?.timeZone;
  if (!newest || !counted || counted === wanted || !isTimeZone(counted)) return wanted;
  const monthInBoth = (ms: number) => monthOfDay([dayOf(ms, counted), dayOf(ms, wanted)].sort()[0] ?? '');
  const isNewMonth = monthInBoth(atMs) > monthInBoth(newest.atMs);
  // Zones may differ by more than a day, and a past day must not be used again.
  return isNewMonth && dayOf(atMs, wanted) >= dayOf(newest.atMs, counted) ? wanted : counted;
}
