import { describe, expect, it } from 'vitest';
import { weeksBefore } from '#inside/spend/selection.ts';
import { parseSelection, type Query, selectionQuery } from '#shared/spend';

const TODAY = '2026-11-21';
const parse = (query: Query) => parseSelection(query, { today: TODAY });

describe('what is selected', () => {
  it.each<[Query, object]>([
    [{}, { from: '2026-11-01', to: '2026-11-30' }],
    [{ month: '', from: '', to: '', purpose: '', operation: '', outcome: '' }, { from: '2026-11-01' }],
    [{ month: '2024-02' }, { from: '2024-02-01', to: '2024-02-29' }],
    [
      { from: '2026-10-30', to: '2026-11-02' },
      { from: '2026-10-30', to: '2026-11-02' },
    ],
    [{ from: '2026-11-14' }, { from: '2026-11-14', to: TODAY }],
    [
      { from: '2026-08-22', to: TODAY },
      { from: '2026-08-22', to: TODAY },
    ],
    [
      { purpose: 'import', operation: 'reverseEmail', outcome: 'no-match' },
      { from: '2026-11-01', purpose: 'import', operation: 'reverseEmail', outcome: 'no-match' },
    ],
  ])('is read from %j', (query, selection) => {
    expect(parse(query)).toMatchObject({ kind: 'selected', selection });
  });

  it.each<[name: string, Query]>([
    ['month', { month: '2026-13' }],
    ['month', { month: '2026' }],
    ['month', { month: '2026-11-01' }],
    ['month', { month: 'x"\r\ny: z' }],
    ['month', { month: '2026-11', from: '2026-11-01' }],
    ['from', { to: TODAY }],
    ['from', { from: '2026-02-30' }],
    ['from', { from: '<script>', to: TODAY }],
    ['from', { from: '2026-11-22' }],
    ['from', { from: '2026-08-21', to: TODAY }],
    ['from', { from: '0001-01-01', to: '9999-12-31' }],
    ['to', { from: TODAY, to: 'tomorrow' }],
    ['purpose', { purpose: '__proto__' }],
    ['operation', { operation: 'checkKey' }],
    ['outcome', { outcome: 'match,no-match' }],
  ])('is refused with a sentence that names %s: %j', (name, query) => {
    const refused = parse(query);
    expect(refused).toMatchObject({ kind: 'refused' });
    if (refused.kind === 'refused') expect(refused.problem).toMatch(new RegExp(`\\b${name}\\b.*\\.$`));
  });

  it.each<Query>([
    { month: '2026-02', purpose: 'live' },
    { from: '2026-11-14', to: '2026-11-14', outcome: 'late' },
  ])('comes back from its own parameters: %j', (query) => {
    const parsed = parse(query);
    if (parsed.kind === 'refused') throw new Error(parsed.problem);
    expect(selectionQuery(parsed.selection)).toEqual({
      purpose: undefined,
      operation: undefined,
      outcome: undefined,
      ...query,
    });
  });
});

describe('the last weeks', () => {
  it.each([
    ['a Monday', '2026-11-23', '2026-11-17', '2026-11-16', '2026-11-22'],
    ['a Saturday', '2026-11-21', '2026-11-15', '2026-11-09', '2026-11-15'],
    ['a Sunday in another month', '2026-03-01', '2026-02-23', '2026-02-16', '2026-02-22'],
  ])('on %s are seven days with today, and Monday to Sunday before', (_, today, from, monday, sunday) => {
    expect(weeksBefore(today)).toEqual({
      last7Days: { from, to: today },
      lastWeek: { from: monday, to: sunday },
    });
  });
});
