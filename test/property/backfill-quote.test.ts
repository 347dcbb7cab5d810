import { expect, it } from 'vitest';
import { repeated } from '../builders/repeated.ts';
import { chargedIn } from '../builders/sharing-portal.ts';

const SEEDS = Array.from({ length: repeated(12) }, (_, index) => index + 1);

it.each(SEEDS)(
  'portal %i is charged what its quote says: at least, at most, and exactly where that is certain',
  async (seed) => {
    const { charged, spent, state, quote, afterCanary } = await chargedIn(seed);
    expect({ state, spent }).toEqual({ state: 'done', spent: charged });
    for (const { minimum, low, high, worst } of [quote, afterCanary]) {
      expect(minimum).toBeLessThanOrEqual(low);
      expect(high).toBeLessThanOrEqual(worst);
      expect(charged).toBeGreaterThanOrEqual(minimum);
      expect(charged).toBeLessThanOrEqual(worst);
    }
  },
);
