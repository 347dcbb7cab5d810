import { cleanText } from './clean-texts.ts';
import { type Cleaned, clean, unusable } from './cleaned.ts';
import { plainText } from './plain-text.ts';

/** Largest number that can be a count of people: above any employer on earth. */
const MAX_PEOPLE = 10_000_000;

/** Databases write their largest number, or a row of nines, for an unknown one. */
function isSentinel(value: number): boolean {
  return (
    value <= 0 ||
    /^9{4,}$|^123456(?:789)?$/.test(String(value)) ||
    [32767, 65535, 2147483647, 4294967295].includes(value)
  );
}

/** Cleans a number of employees. */
export function cleanHeadCount(value: number): Cleaned<number> {
  if (!Number.isFinite(value) || isSentinel(value)) return unusable('sentinel');
  return Number.isInteger(value) && value <= MAX_PEOPLE ? clean(value) : unusable('malformed');
}

/** Cleans an amount of money, such as a revenue. A company without any is not known to have none. */
export function cleanAmount(value: number): Cleaned<number> {
  if (!Number.isFinite(value) || isSentinel(value)) return unusable('sentinel');
  return value <= MAX_AMOUNT ? clean(value) : unusable('malformed');
}

/** Above any company on earth, in any currency. */
const MAX_AMOUNT = 5e15;

/** Earliest year that a company's foundation can have. */
const FIRST_YEAR = 1000;

const SENTINEL_YEARS: ReadonlySet<number> = new Set([1000, 1001, 1111, 1234]);

/** Cleans a year of the past, such as a year of foundation. */
export function cleanPastYear(value: number, nowMs: number): Cleaned<number> {
  if (!Number.isInteger(value)) return unusable('malformed');
  const isPast = value >= FIRST_YEAR && value <= new Date(nowMs).getUTCFullYear();
  return isPast && !SENTINEL_YEARS.has(value) ? clean(value) : unusable('sentinel');
}

/** The zero of Unix, also where it is still the day before, and of DOS. Those of other programs are too long ago. */
const SENTINEL_DAYS: ReadonlySet<string> = new Set(['1969-12-31', '1970-01-01', '1980-01-01']);

/**
 * Cleans a day of the past. The day is the written one, whatever its time zone.
 * @param latestMs the latest time that is possible, epoch milliseconds
 */
export function cleanDay(text: string, latestMs: number): Cleaned {
  return cleanText(text, 'other', (plain) => cleanPlainDay(plain, latestMs));
}

function cleanPlainDay(plain: string, latestMs: number): Cleaned {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(plain) ?? [];
  if (day === undefined) return unusable('malformed');
  if (day.startsWith('0000') || SENTINEL_DAYS.has(day)) return unusable('sentinel');
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return unusable('malformed');
  return ms <= latestMs && day >= '1920' ? clean(day) : unusable('sentinel');
}

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const ONE_PERSON = /^(?:myself only|self[- ]?employed)$/i;

/** Cleans a range of numbers of employees, such as `11-50`, `51 to 200 employees` or `10,001+`. */
export function cleanEmployeeRange(text: string): Cleaned {
  const plain = plainText(text);
  if (ONE_PERSON.test(plain)) return clean(plain);
  return cleanText(plain, 'other', cleanPlainRange);
}

function cleanPlainRange(plain: string): Cleaned {
  if (/^-\s*\d/.test(plain)) return unusable('sentinel');
  // A spreadsheet takes `1-50` for a date.
  if (MONTH.test(plain)) return unusable('malformed');
  const numbers = (plain.match(/\d[\d,. ]*\d|\d/g) ?? []).map((digits) =>
    Number(digits.replace(/[,. ]/g, '')),
  );
  const [low, high = low] = numbers;
  if (low === undefined || high === undefined || numbers.length > 2 || high < low)
    return unusable('malformed');
  return high === 0 || isSentinel(high) ? unusable('sentinel') : clean(plain);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Cleans the code of a currency. A sign such as `$` belongs to several currencies. */
export function cleanCurrency(text: string): Cleaned {
  return cleanText(text, 'other', (plain) => {
    const code = plain.toUpperCase();
    if (code === 'XTS') return unusable('placeholder');
    return CURRENCIES.has(code) ? clean(code) : unusable('malformed');
  });
}

/** Cleans an id of the vendor. */
export function cleanId(text: string): Cleaned {
  return cleanText(text, 'other', (plain) =>
    /^-?[0-]+$|^-1$/.test(plain) ? unusable('sentinel') : clean(plain),
  );
}

/** Cleans a postal code. */
export function cleanPostalCode(text: string): Cleaned {
  return cleanText(text, 'place', (plain) => {
    if (/^(?:0+|9{5,}|1{5}|7{5}|123456|1234567890|a1a 1a1)(?:-[09]+)?$/i.test(plain))
      return unusable('sentinel');
    // The city can stand behind it.
    const code = plain.replace(/^(\p{L}{1,2}-)?(\d{4,6}) \p{L}{3,}.*$/u, '$1$2');
    return /\d/.test(code) && !/\d\.\d/.test(code) && code.length >= 3 && code.length <= 16
      ? clean(code)
      : unusable('malformed');
  });
}
