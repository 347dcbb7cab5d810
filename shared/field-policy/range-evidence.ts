import { textAt } from './mapping/map-answer.ts';

/** Parses a range of the vendor: `51 to 200`, `10,001+`, `<$1M`, `$1M-$10M`. @returns `undefined` for other texts. */
export function parseRange(text: string): readonly [least: number, most: number] | undefined {
  const numbers = [...text.matchAll(NUMBER)].map(([, digits = '', unit = '']) => numberOf(digits, unit));
  const [first, second, ...more] = numbers;
  if (first === undefined || more.length > 0) return undefined;
  if (second !== undefined) return first <= second ? [first, second] : undefined;
  if (/[<≤]|under|less|up to/i.test(text)) return [0, first];
  if (/[+>≥]|over|more/i.test(text)) return [first, Number.POSITIVE_INFINITY];
  return [first, first];
}

const NUMBER = /(\d[\d,.]*)\s*([kmb])?/gi;
const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

function numberOf(digits: string, unit: string): number {
  return Number(digits.replace(/,/g, '').replace(/\.$/, '')) * (UNITS[unit.toLowerCase()] ?? 1);
}

/** Keys that a search has only as a range. A profile has a number, or another text of the range. */
const RANGE_KEYS: ReadonlyMap<string, string> = new Map([
  ['employee_count', 'employee_count_range'],
  ['company_size', 'employee_count_range'],
  ['annual_revenue', 'revenue_range'],
]);

/** Whether a range from a search can confirm the key's value, although it does not contain the value. */
export function canConfirmByRange(key: string): boolean {
  return RANGE_KEYS.has(key);
}

/** Whether a range from a search contradicts the stored value of a key. A missing range contradicts nothing. */
export function rangeContradicts(
  answer: Readonly<Record<string, unknown>>,
  key: string,
  value: string,
): boolean {
  const range = parseRange(textAt(answer, [RANGE_KEYS.get(key) ?? '']) ?? '');
  const storedRange = parseRange(value);
  if (!range || !storedRange) return false;
  return storedRange[0] < range[0] || storedRange[1] > range[1];
}
