import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlacedRow } from '#inside/spend/schemas.ts';
import { joinSpans, weeksBefore } from '#inside/spend/selection.ts';
import { wordingText } from '#shared/kernel';
import {
  BALANCE_TEXTS,
  parseSelection,
  QUERY_REFUSALS,
  type Query,
  type QueryRefusalCode,
  refusedQuery,
  selectionQuery,
} from '#shared/spend';
import { textFaults } from '../../../harness/catalogue.ts';

const TODAY = '2026-11-21';
const parse = (query: Query) => parseSelection(query, { today: TODAY });

describe('what is selected', () => {
  it.each<[Query, object]>([
    [{}, { from: '2026-11-01', to: '2026-11-30' }],
    [{ month: '', from: '', to: '', purpose: '', outcome: '', askedBy: '' }, { from: '2026-11-01' }],
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

  it.each<[name: string, QueryRefusalCode, Query]>([
    ['month', 'not-a-month', { month: '2026-13' }],
    ['month', 'not-a-month', { month: 'x"\r\ny: z' }],
    ['month', 'month-and-range', { month: '2026-11', from: '2026-11-01' }],
    ['from', 'missing-parameter', { to: TODAY }],
    ['from', 'not-a-day', { from: '2026-02-30' }],
    ['from', 'ends-before-start', { from: '2026-11-22' }],
    ['from', 'range-too-long', { from: '2026-08-21', to: TODAY }],
    ['to', 'not-a-day', { from: TODAY, to: 'tomorrow' }],
    ['purpose', 'unknown-choice', { purpose: '__proto__' }],
    ['operation', 'unknown-choice', { operation: 'checkKey' }],
    ['outcome', 'unknown-choice', { outcome: 'match,no-match' }],
  ])('is refused by the name %s and the code %s: %j', (parameter, code, query) => {
    expect(parse(query)).toMatchObject({ kind: 'refused', code, params: { parameter } });
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

it.each([
  ['a Monday', '2026-11-23', '2026-11-17', '2026-11-16', '2026-11-22'],
  ['a Saturday', '2026-11-21', '2026-11-15', '2026-11-09', '2026-11-15'],
  ['a Sunday in another month', '2026-03-01', '2026-02-23', '2026-02-16', '2026-02-22'],
])(
  'the last weeks on %s are seven days with today, and Monday to Sunday before',
  (_, today, from, monday, sunday) => {
    expect(weeksBefore(today)).toEqual({
      last7Days: { from, to: today },
      lastWeek: { from: monday, to: sunday },
    });
  },
);

it('every refusal of a parameter is a sentence that begins with its name', () => {
  for (const code of Object.keys(QUERY_REFUSALS) as QueryRefusalCode[]) {
    const { problem, params } = refusedQuery(code, QUERY_REFUSALS[code].example as never);
    expect([problem.startsWith(params.parameter), ...textFaults(problem)], code).toEqual([true]);
  }
});

it.each(Object.entries(BALANCE_TEXTS))(
  'the comparison with the dashboard is told in sentences: %s',
  (_, text) => {
    const words = wordingText(
      text({ ledgerCredits: 1_087, dashboardCredits: 1_085, openCredits: 3 }),
      undefined,
    );
    expect(words.split(/(?<=\.) /).flatMap((sentence) => textFaults(sentence))).toEqual([]);
  },
);

/** Numbers of entries, some near each other and some far. */
const seqs = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 90, max: 4_000 })), {
    minLength: 1,
    maxLength: 60,
    size: 'max',
  })
  .map((gaps) => {
    let seq = 0;
    return gaps.map((gap) => (seq += gap));
  });

function spansOf(entries: readonly number[]): PlacedRow['spans'] {
  return entries.reduce<PlacedRow['spans']>((spans, seq) => joinSpans(spans, [[seq, seq]]), []);
}

function holds(spans: PlacedRow['spans'], seq: number): boolean {
  return spans.some(([first, last]) => seq >= first && seq <= last);
}

describe('the stretches of a row', () => {
  it('hold every charge, begin and end with one, and are four at most, in order', () => {
    fc.assert(
      fc.property(seqs, (entries) => {
        const spans = spansOf(entries);
        expect(spans.length).toBeLessThanOrEqual(4);
        expect(entries.every((seq) => holds(spans, seq))).toBe(true);
        expect(spans.flat().every((seq) => entries.includes(seq))).toBe(true);
        expect(spans.flat()).toEqual(spans.flat().toSorted((a, b) => a - b));
      }),
      { seed: 20_261_150, numRuns: 300 },
    );
  });

  it('leave out what is far from everything else', () => {
    expect(spansOf([1, 2, 90, 1_000, 9_000, 20_000, 20_500, 90_000])).toEqual([
      [1, 1_000],
      [9_000, 9_000],
      [20_000, 20_500],
      [90_000, 90_000],
    ]);
  });
});
