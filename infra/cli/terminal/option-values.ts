import { toCalendarDate } from '#shared/field-policy';
import { RefusedValue } from './refusals.ts';

export function text(given: string): string {
  const trimmed = given.trim();
  if (trimmed === '') throw new RefusedValue('empty-text', {});
  return trimmed;
}

/** Parses a person's reason for an entry. The ledger is permanent and must have no personal data. */
export function noteText(given: string): string {
  const trimmed = text(given);
  if (/\S@\S/.test(trimmed)) throw new RefusedValue('address-in-note', {});
  return trimmed;
}

/** @throws RefusedValue unless it is a day such as 2027-03-31 */
export function calendarDay(given: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && toCalendarDate(given) === given) return given;
  throw new RefusedValue('not-a-day', {});
}

/** @throws RefusedValue unless it is a whole number from `min` on */
export function wholeNumber(min: number): (given: string) => number {
  return (given) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min) return number;
    throw new RefusedValue('not-a-number', { min });
  };
}

/** @returns a share, 0 to 1. @throws RefusedValue unless it is a whole percentage */
export function percentage(given: string): number {
  const number = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
  if (number <= 100) return number / 100;
  throw new RefusedValue('not-a-percentage', {});
}

/** @returns epoch milliseconds. @throws RefusedValue unless it is a day or a time with its zone */
export function moment(given: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(given);
  const ms = isTime ? Date.parse(given) : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw new RefusedValue('not-a-moment', {});
}

/** @throws RefusedValue unless it is a port number. */
export function portNumber(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port > 0 && port < 65_536) return port;
  throw new RefusedValue('not-a-port', {});
}
