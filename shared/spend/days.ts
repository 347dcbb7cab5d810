import { dayOfMonth, monthOfDay } from '#shared/credit-ledger';
import { DAY_MS } from '#shared/kernel';

/** The calendar days up to and including the last one, oldest first: `2026-11-21`. */
export function daysUpTo(last: string, count: number): string[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => isoDay(lastMs - (count - 1 - index) * DAY_MS));
}

/** The days of its month, up to and including this one: `2026-11-21`. */
export function daysOfMonth(upTo: string): string[] {
  return daysUpTo(upTo, dayOfMonth(upTo));
}

/** @param day `2026-11-21` @returns the day that comes `count` days after it. */
export function dayAfter(day: string, count = 1): string {
  return isoDay(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS);
}

export function monthBefore(month: string): string {
  return monthOfDay(isoDay(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS));
}

function isoDay(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}
