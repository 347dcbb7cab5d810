import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../../infra/cli/terminal/progress.ts';

describe('a progress line', () => {
  it('shows share, count, rate and time left', () => {
    expect(progressLine({ done: 50, total: 200, noun: 'results', elapsedMs: 5_000 })).toBe(
      '[########                      ] 50 of 200 results, 10.0/s, 15 s left',
    );
  });

  it('counts where nobody knows the whole', () => {
    expect(progressLine({ done: 50, noun: 'records', elapsedMs: 5_000 })).toBe('50 records, 10.0/s');
  });

  it('promises no end while nothing is done', () => {
    expect(progressLine({ done: 0, total: 200, noun: 'results', elapsedMs: 5_000 })).toBe(
      `[${' '.repeat(30)}] 0 of 200 results, 0.0/s`,
    );
  });
});
