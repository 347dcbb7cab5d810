import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discounted, estimate, logBetaBinomial } from '#inside/enrichment/backfill/estimate.ts';
import { doesDamage, leavesBand } from '#inside/enrichment/backfill/stop-rules.ts';
import { stratum } from './strata.ts';

describe('the chance of so many matches', () => {
  it('adds up to one, and is even for a belief that is', () => {
    const even = [...logBetaBinomial(10, { alpha: 1, beta: 1 })].map(Math.exp);
    for (const chance of even) expect(chance).toBeCloseTo(1 / 11, 10);
    const skewed = logBetaBinomial(5_000, { alpha: 70.5, beta: 3.5 });
    expect(skewed.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 8);
  });
});

describe('what it will cost', () => {
  it('is certain where a miss costs as much as a match', () => {
    expect(estimate([stratum({ records: 5_000, hitCredits: 1, missCredits: 1, maxCredits: 1 })])).toEqual({
      minimum: 5_000,
      low: 5_000,
      high: 5_000,
      worst: 5_000,
    });
  });

  it('is wide before the canary and narrow after it', () => {
    const before = stratum({ records: 1_000, hitCredits: 3, missCredits: 1, maxCredits: 3 });
    const after = { ...before, letIn: 100, hits: 60, misses: 40, hitSpent: 180, missSpent: 40 };
    const [wide, narrow] = [estimate([before]), estimate([after])];
    expect(wide.high - wide.low).toBeGreaterThan(1_500);
    expect(narrow.high - narrow.low).toBeLessThan(350);
    // 220 are spent, and of the other 900 about 60% are found.
    const middle = (narrow.low + narrow.high) / 2;
    expect(Math.abs(middle - (220 + 900 * (0.6 * 3 + 0.4)))).toBeLessThan(40);
  });

  it('is told in order, and is the same for the same strata', () => {
    const one = fc.record({
      records: fc.integer({ min: 1, max: 400 }),
      missCredits: fc.integer({ min: 0, max: 3 }),
      more: fc.integer({ min: 0, max: 4 }),
      hits: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 3 }), (given) => {
        const strata = given.map(({ records, missCredits, more, hits }) => {
          const hitCredits = missCredits + more;
          const asked = Math.min(hits, records);
          const spent = { letIn: asked, hits: asked, hitSpent: asked * hitCredits };
          return stratum({ records, missCredits, hitCredits, maxCredits: hitCredits, ...spent });
        });
        const { minimum, low, high, worst } = estimate(strata);
        expect(minimum).toBeLessThanOrEqual(low);
        expect(low).toBeLessThanOrEqual(high);
        expect(high).toBeLessThanOrEqual(worst);
        expect(estimate(strata)).toEqual({ minimum, low, high, worst });
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('hears of earlier backfills what six records would tell', () => {
    expect(discounted(45, 15)).toEqual({ hits: 4.5, misses: 1.5 });
    expect(discounted(2, 1)).toEqual({ hits: 2, misses: 1 });
  });
});

describe('the rule on the match rate', () => {
  const band = { lowest: 0.6, highest: 0.8 };
  it.each([
    ['nobody was asked', { of: 1_000, asked: 0, hits: 0 }, false],
    ['the rate lies in the band', { of: 1_000, asked: 100, hits: 70 }, false],
    ['the rate is low, and few were asked', { of: 1_000, asked: 10, hits: 4 }, false],
    ['the rate is low', { of: 1_000, asked: 60, hits: 15 }, true],
    ['the rate is high', { of: 1_000, asked: 100, hits: 99 }, true],
    ['so many cannot be found any more', { of: 100, asked: 50, hits: 0 }, true],
  ])('%s', (_, sample, stops) => {
    expect(leavesBand(sample, band)).toBe(stops);
  });

  it('needs more where there are more of it', () => {
    const sample = { of: 1_000, asked: 40, hits: 13 };
    expect([leavesBand(sample, band, 1), leavesBand(sample, band, 20)]).toEqual([true, false]);
  });
});

describe('the rule on damage', () => {
  it.each([
    [100, 1, false],
    [100, 4, false],
    [100, 6, true],
    [3, 3, true],
  ])('of %i, %i were damaged: %s', (ended, damaged, stops) => {
    expect(doesDamage({ ended, damaged })).toBe(stops);
  });
});
