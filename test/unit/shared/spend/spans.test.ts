import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlacedRow } from '#inside/spend/schemas.ts';
import { joinSpans } from '#inside/spend/selection.ts';

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
