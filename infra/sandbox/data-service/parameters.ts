import { badRequest } from './errors.ts';

/**
 * Reads a trimmed parameter. A blank parameter counts as absent. If a parameter is repeated, the first value counts.
 */
export function readText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  return text === undefined || text === '' ? undefined : text;
}

/** Reads `include` or `exclude`, in any case; absent means exclude. @throws ApiError 400 */
export function readSwitch(value: unknown, name: string): boolean {
  if (value === undefined || value === null || value === '') return false;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'include') return true;
  if (word === 'exclude') return false;
  throw badRequest(`Invalid ${name} value. Must be include or exclude`);
}

/**
 * Reads `limit` or `per_page`: 1 to 100 (specification, "Paging limits").
 * @throws ApiError 400 with the specification's text for both.
 */
export function readPageSize(value: unknown, fallback: number): number {
  const size = readWholeNumber(value, fallback);
  if (size === undefined || size < 1 || size > 100) {
    throw badRequest('Invalid limit value. Must be between 1 and 100');
  }
  return size;
}

/** Reads a `page`, which counts from 1, or an `offset`, which counts from 0. @throws ApiError 400 */
export function readPosition(value: unknown, name: 'page' | 'offset'): number {
  const minimum = name === 'page' ? 1 : 0;
  const position = readWholeNumber(value, minimum);
  if (position === undefined || position < minimum) {
    throw badRequest(`Invalid ${name} value. Must be ${minimum} or more`);
  }
  return position;
}

/** Reads a number of a JSON body, or digits of a query string. */
function readWholeNumber(value: unknown, fallback: number): number | undefined {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'string') return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

export interface ContactOptions {
  readonly email: boolean;
  readonly phone: boolean;
}

/** @throws ApiError 400 */
export function readContactOptions(query: URLSearchParams): ContactOptions {
  return {
    email: readSwitch(query.get('include_email'), 'include_email'),
    phone: readSwitch(query.get('include_phone'), 'include_phone'),
  };
}

const EMAIL_CREDITS = 2;
const PHONE_CREDITS = 3;

/** Credits of an email and a phone, the same in every operation that offers them (specification, "Credits"). */
export function contactCredits({ email, phone }: ContactOptions): number {
  return (email ? EMAIL_CREDITS : 0) + (phone ? PHONE_CREDITS : 0);
}
