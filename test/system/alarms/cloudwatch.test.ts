import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { type AlarmState, createMetricStore, evaluate, type Rule, stateOf } from './cloudwatch.ts';

/** As in CloudWatch's tables: the oldest first, `X` breaches, `-` is missing. */
function points(text: string): (boolean | undefined)[] {
  return text
    .split(' ')
    .map((point) => (point === '-' ? undefined : point === 'X'))
    .reverse();
}

const RETAINED = 'INSUFFICIENT_DATA';
const states = (text: string, rule: Pick<Rule, 'periods' | 'breaching'>): AlarmState[] =>
  (['silence', 'as-before', 'fine'] as const).map((missing) =>
    stateOf({ ...rule, missing }, points(text), RETAINED),
  );

describe('an alarm', () => {
  // The user guide's tables, columns "missing", "ignore" and "notBreaching".
  it.each([
    ['0 - X - X', ['OK', 'OK', 'OK']],
    ['- - - - 0', ['OK', 'OK', 'OK']],
    ['- - - - -', ['INSUFFICIENT_DATA', RETAINED, 'OK']],
    ['0 X X - X', ['ALARM', 'ALARM', 'ALARM']],
    ['- - X - -', ['ALARM', RETAINED, 'OK']],
  ])('of three out of three looks at %s', (text, expected) => {
    expect(states(text, { periods: 3 })).toEqual(expected);
  });

  it('looks every minute at the periods that end then, with the statistic of its metric', () => {
    const store = createMetricStore();
    for (const minute of [3, 4, 6]) store.put('a', 1, minute * MINUTE_MS + 30_000);
    store.put('a', 0, 4 * MINUTE_MS);
    const rule = {
      comparison: 'at-least',
      threshold: 2,
      periodMinutes: 5,
      periods: 1,
      missing: 'fine',
    } as const;
    const at = (minute: number, statistic: 'Sum' | 'Maximum' = 'Sum') =>
      evaluate(rule, { store, series: 'a', statistic, minute, before: 'OK', morePeriods: 0 });
    expect([4, 5, 7, 8, 9, 12].map((minute) => at(minute))).toEqual([
      'OK',
      'ALARM',
      'ALARM',
      'ALARM',
      'ALARM',
      'OK',
    ]);
    expect(at(7, 'Maximum')).toBe('OK');
  });
});
