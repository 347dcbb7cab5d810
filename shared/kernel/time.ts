import { UpstreamError } from './errors.ts';

/** The only source of time in pure code and handlers. Adapters and tests supply it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. It can jump, so never use it to measure a duration. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back. For durations and deadlines in one process. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Allowed difference of a machine's clock. With a larger difference, a machine spends nothing. Times that another
 * worker wrote are taken as this much later. NTP keeps clocks within one second.
 */
export const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

/** A server's time in an answer. */
export interface ClockSight {
  /** From the `Date` header, which is precise to a second. Epoch milliseconds. */
  readonly serverMs: number;
  /** When the answer arrived, by our clock. */
  readonly receivedAtMs: number;
  /** Time from the request to the answer. The server read its clock during this time. */
  readonly tookMs: number;
}

/**
 * Returns how far our clock is certainly ahead of the server's clock. Negative if it is behind. 0 if the two may agree.
 */
export function clockOffsetMs({ serverMs, receivedAtMs, tookMs }: ClockSight): number {
  const maxLeadMs = receivedAtMs - serverMs;
  const minLeadMs = maxLeadMs - SECOND_MS - tookMs;
  return minLeadMs > 0 ? minLeadMs : Math.min(maxLeadMs, 0);
}

/** A server's clock, as its newest answer shows it. */
export interface ReferenceClock {
  /** See `clockOffsetMs`. 0 while no answer has shown the server's time. */
  offsetMs(): number;
}

interface Compared {
  /** If it is absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
}

function wrongByMs(referenceClock: ReferenceClock | undefined): number {
  const offsetMs = referenceClock?.offsetMs() ?? 0;
  return Math.abs(offsetMs) > CLOCK_TOLERANCE_MS ? offsetMs : 0;
}

/** Returns a clock that shows the server's time while this machine's clock is wrong, so that nothing is booked early. */
export function correctedClock(clock: Clock, referenceClock: ReferenceClock | undefined): Clock {
  return { ...clock, now: () => clock.now() - wrongByMs(referenceClock) };
}

/** @returns why this machine must not spend; `undefined` unless its clock is wrong. */
export function wrongClock({ referenceClock }: Compared): string | undefined {
  const offsetMs = wrongByMs(referenceClock);
  if (offsetMs === 0) return undefined;
  const seconds = Math.round(Math.abs(offsetMs) / SECOND_MS);
  return `The clock of this machine is ${seconds} s ${offsetMs < 0 ? 'behind' : 'ahead'}. Nothing is spent until it is correct.`;
}

/**
 * Refuses to book while this machine's clock is wrong. Call this after a request, because the answer shows the server's
 * time.
 * @throws UpstreamError `CLOCK_WRONG`
 */
export function refuseWrongClock(compared: Compared): void {
  const why = wrongClock(compared);
  if (why === undefined) return;
  const message = `${why} Set it by NTP, then try again.`;
  throw new UpstreamError({ code: 'CLOCK_WRONG', message, retryable: true });
}

/** In every time zone, a day starts at a multiple of 15 minutes. */
const QUARTER_MS = HOUR_MS / 4;

/** Cache of the last result by time zone, because successive entries of a log have similar times. */
const lastDays = new Map<string, { readonly quarter: number; readonly day: string }>();

/** Returns the calendar day of an instant in a time zone: `2026-11-21`. */
export function dayOf(atMs: number, timeZone: string): string {
  const quarter = Math.floor(atMs / QUARTER_MS);
  const last = lastDays.get(timeZone);
  if (last?.quarter === quarter) return last.day;
  const day = dayFormat(timeZone).format(atMs);
  lastDays.set(timeZone, { quarter, day });
  return day;
}

/** Returns the calendar day of an instant in UTC: `2026-11-21`. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns the calendar month of a day: `2026-11`. */
export function monthOfDay(day: string): string {
  return day.slice(0, 7);
}

/** Returns the number of days from `first` to `other`. */
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

/** Returns `count` calendar days that end with `last`, oldest first: `2026-11-21`. */
export function daysUpTo(last: string, count: number): string[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => utcDay(lastMs - (count - 1 - index) * DAY_MS));
}

/** Returns the days of a month from its first day to `upTo`: `2026-11-21`. */
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

/** Returns the first instant of the next calendar day, epoch milliseconds. */
export function nextDayStart(atMs: number, timeZone: string): number {
  return firstInstantAfter(atMs, { spanMs: DAY_MS + 3 * HOUR_MS, periodOf: (ms) => dayOf(ms, timeZone) });
}

/** Returns the first instant of the next calendar month, epoch milliseconds. */
export function nextMonthStart(atMs: number, timeZone: string): number {
  return firstInstantAfter(atMs, { spanMs: 32 * DAY_MS, periodOf: (ms) => monthOfDay(dayOf(ms, timeZone)) });
}

/** Whether a name is an IANA time zone such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return dayFormat(name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a cached format for days, because a format is costly to create. The Swedish locale formats dates like ISO
 * 8601.
 */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
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
 * Returns the time zone of the entry after `newest`. A changed zone takes effect when the next month has started in
 * both zones. If it took effect earlier, a month could end and start again, and its budget would be spent twice.
 */
export function zoneInForce(newest: Counted | undefined, wanted: string, atMs: number): string {
  const zoneOfNewest = newest?.timeZone;
  if (!newest || !zoneOfNewest || zoneOfNewest === wanted || !isTimeZone(zoneOfNewest)) return wanted;
  const monthInBoth = (ms: number) =>
    monthOfDay([dayOf(ms, zoneOfNewest), dayOf(ms, wanted)].sort()[0] ?? '');
  const isNewMonth = monthInBoth(atMs) > monthInBoth(newest.atMs);
  // Two zones can differ by more than a day, and a past day must not be used again.
  return isNewMonth && dayOf(atMs, wanted) >= dayOf(newest.atMs, zoneOfNewest) ? wanted : zoneOfNewest;
}
