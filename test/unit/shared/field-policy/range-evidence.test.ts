import { describe, expect, it } from 'vitest';
import { parseRange, rangeContradicts } from '#inside/field-policy/range-evidence.ts';

const MORE = Number.POSITIVE_INFINITY;

describe('a range as the vendor writes it', () => {
  it.each([
    ['51 to 200', [51, 200]],
    ['51-200', [51, 200]],
    ['1,001 – 5,000 employees', [1_001, 5_000]],
    ['10,001+', [10_001, MORE]],
    ['<$1M', [0, 1e6]],
    ['$1M-$10M', [1e6, 1e7]],
    ['$1.5B+', [1.5e9, MORE]],
    ['Under 50k', [0, 50_000]],
    ['more than 10000', [10_000, MORE]],
    ['7', [7, 7]],
    ['200 to 51', undefined],
    ['1 to 2 to 3', undefined],
    ['many', undefined],
    ['', undefined],
  ] as const)('%s', (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });
});

describe('what a search tells of a number', () => {
  const answer = { employee_count_range: '51 to 200', revenue_range: '$1M-$10M' };

  it.each([
    ['a head count in the range', 'employee_count', '200', false],
    ['a head count beyond it', 'employee_count', '201', true],
    ['the same range in other words', 'company_size', '51-200', false],
    ['another range', 'company_size', '201-500', true],
    ['a revenue in the range', 'annual_revenue', '9999999.5', false],
    ['a revenue below it', 'annual_revenue', '999999', true],
    ['nothing', 'employee_count', '', false],
    ['what it says nothing of', 'phone', '12', false],
  ] as const)('against %s', (_, key, value, speaks) => {
    expect(rangeContradicts(answer, key, value)).toBe(speaks);
  });

  it('is nothing where it tells no range', () => {
    expect(rangeContradicts({ employee_count_range: 'unknown' }, 'employee_count', '5')).toBe(false);
    expect(rangeContradicts({}, 'employee_count', '5')).toBe(false);
  });
});
