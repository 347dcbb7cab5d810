import { expect, it } from 'vitest';
import { reasonOfAll } from '#inside/enrichment/backfill/hold-now.ts';

const started = (count: number) => ({
  outstanding: Array.from({ length: count }, (_, index) => ({
    ...{ id: `${index}`, stratum: 0, runId: `run-${index}` },
  })),
});

it('a backfill whose started records all wait names the most frequent reason', () => {
  expect(reasonOfAll(started(3), ['first', 'second', 'second'])).toBe('second');
  expect(reasonOfAll(started(3), ['second', 'second', 'first'])).toBe('second');
  expect(reasonOfAll(started(4), ['first', 'second', 'second'])).toBeUndefined();
  expect(reasonOfAll(started(0), [])).toBeUndefined();
});
