import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#inside/kernel/clock.ts';
import { observe, PRIORS, stillTrue, trustedUntilMs, worthOfAsking } from '#inside/records/change-rate.ts';
import type { ChangeRate } from '#inside/records/schemas.ts';

const beliefs = fc.record({
  a: fc.double({ min: 1, max: 12, noNaN: true }),
  b: fc.double({ min: 100, max: 6_000, noNaN: true }),
});
const ages = fc.integer({ min: 1, max: 3_000 });

/** The mean of a function of the rate, by summing over its distribution. */
function meanOver({ a, b }: ChangeRate, of: (rate: number) => number): number {
  const highest = (a + 12 * Math.sqrt(a) + 20) / b;
  const steps = 20_000;
  let [sum, mass] = [0, 0];
  for (let step = 0.5; step < steps; step += 1) {
    const rate = (highest * step) / steps;
    const density = Math.exp((a - 1) * Math.log(rate * b) - rate * b);
    sum += density * of(rate);
    mass += density;
  }
  return sum / mass;
}

function near(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThan(1e-3 * Math.max(1, Math.abs(expected)));
}

describe('what is believed of how often a record changes', () => {
  it('gives the probability that its answer is still true, as the mean over all rates', () => {
    fc.assert(
      fc.property(beliefs, ages, (rate, days) =>
        near(
          stillTrue(rate, days),
          meanOver(rate, (each) => Math.exp(-each * days)),
        ),
      ),
      { numRuns: 30 },
    );
  });

  it('gives what asking is worth, as the mean over all rates', () => {
    fc.assert(
      fc.property(beliefs, ages, (rate, days) => {
        const gain = (x: number) => 1 - (1 + x) * Math.exp(-x);
        near(
          worthOfAsking(rate, days, { w: 2, g: 30 }),
          meanOver(rate, (each) => (2 / each + 30) * gain(each * days)),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is worth more with every day, never more than what is to be had, and nothing without a weight', () => {
    fc.assert(
      fc.property(beliefs, ages, (rate, days) => {
        const weight = { w: 1, g: 5 };
        const now = worthOfAsking(rate, days, weight);
        expect(worthOfAsking(rate, days + 1, weight)).toBeGreaterThan(now - 1e-9 * now);
        if (rate.a > 1.1) expect(now).toBeLessThan(rate.b / (rate.a - 1) + 5);
        expect(worthOfAsking(rate, days, { w: 0, g: 0 })).toBe(0);
      }),
    );
  });

  it('comes down with what was found unchanged and up with what was found changed', () => {
    fc.assert(
      fc.property(beliefs, ages, (rate, days) => {
        const mean = ({ a, b }: ChangeRate) => a / b;
        expect(mean(observe(rate, { days, changed: false }))).toBeLessThan(mean(rate));
        expect(observe(rate, { days, changed: true }).a).toBeGreaterThanOrEqual(rate.a + 1);
      }),
    );
    expect(observe({ a: 1, b: 100 }, { days: 0, changed: true })).toEqual({ a: 2, b: 100 });
  });

  it('says until when an answer is to be trusted: it is still true with four fifths then', () => {
    fc.assert(fc.property(beliefs, (rate) => near(stillTrue(rate, trustedUntilMs(rate, 0) / DAY_MS), 0.8)));
    expect(Math.round(trustedUntilMs(PRIORS.contacts, 0) / DAY_MS)).toBe(304);
  });
});
