import type { PlacedRow } from './schemas.ts';

type Spans = PlacedRow['spans'];
type Span = Spans[number];

const MAX_SPANS = 4;
/** Spans with a gap of at most this number of entries become one, because one read of the log returns this number. */
const CLOSE = 100;

/** Appends later spans. If this makes more than four, the two closest spans become one. */
export function joinSpans(spans: Spans, later: Spans): Spans {
  let joined = spans;
  for (const span of later) {
    joined = append(joined, span);
    if (joined.length > MAX_SPANS) joined = joinClosest(joined);
  }
  return joined;
}

function append(spans: Spans, [first, last]: Span): Spans {
  const before = spans.at(-1);
  if (!before || first - before[1] > CLOSE) return [...spans, [first, last]];
  return [...spans.slice(0, -1), [before[0], Math.max(before[1], last)]];
}

function joinClosest(spans: Spans): Spans {
  const gaps = spans.slice(1).map(([first], index) => first - (spans[index]?.[1] ?? 0));
  const smallest = gaps.indexOf(Math.min(...gaps));
  return spans.flatMap((span, index): Spans => {
    const next = spans[index + 1];
    if (index === smallest + 1) return [];
    return [index === smallest && next ? [span[0], next[1]] : span];
  });
}

/** Returns the spans of several rows, newest first, without overlaps. Cuts each span at `beforeSeq`. */
export function spansBefore(rows: readonly Pick<PlacedRow, 'spans'>[], beforeSeq: number): Spans {
  const sorted = rows
    .flatMap(({ spans }) => spans)
    .filter(([first]) => first < beforeSeq)
    .map(([first, last]): Span => [first, Math.min(last, beforeSeq - 1)])
    .sort(([a], [b]) => a - b);
  const merged: Span[] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before && first - before[1] <= CLOSE)
      merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
    else merged.push([first, last]);
  }
  return merged.toReversed();
}
