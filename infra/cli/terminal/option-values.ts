import { InvalidArgumentError } from 'commander';
import { toCalendarDate } from '#shared/field-policy';

export function text(given: string): string {
  const trimmed = given.trim();
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.');
  return trimmed;
}

/** Parses a person's reason for an entry. The ledger is permanent and must have no personal data. */
export function noteText(given: string): string {
  const trimmed = text(given);
  if (/\S@\S/.test(trimmed)) throw new InvalidArgumentError('It must not contain an email address.');
  return trimmed;
}

/** @throws InvalidArgumentError unless it is a day such as 2027-03-31 */
export function calendarDay(given: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && toCalendarDate(given) === given) return given;
  throw new InvalidArgumentError('It must be a day such as 2027-03-31.');
}

/** @throws InvalidArgumentError unless it is a whole number from `min` on */
export function wholeNumber(min: number): (given: string) => number {
  return (given) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min) return number;
    throw new InvalidArgumentError(`It must be a whole number, ${min} or more.`);
  };
}

/** @returns a share, 0 to 1. @throws InvalidArgumentError unless it is a whole percentage */
export function percentage(given: string): number {
  const number = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
  if (number <= 100) return number / 100;
  throw new InvalidArgumentError('It must be a whole number from 0 to 100.');
}

/** @returns epoch milliseconds. @throws InvalidArgumentError unless it is a day or a time with its zone */
export function moment(given: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(given);
  const ms = isTime ? Date.parse(given) : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a day (UTC) or a time such as 2026-11-21T10:00Z.');
}

/** @throws InvalidArgumentError unless it is a port number. */
export function portNumber(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('It must be a port from 1 to 65535.');
}
