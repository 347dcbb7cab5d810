import { expect, it } from 'vitest';
import { repeated } from '../builders/repeated.ts';
import { chargedIn } from '../builders/sharing-portal.ts';

const SEEDS = Array.from({ length: repeated(12) }, (_, index) => index + 1);

it.each(SEEDS)('portal %i is charged at most its quote', async (seed) => {
  const { charged, spent, state, atMost } = await chargedIn(seed);
  expect({ state, spent }).toEqual({ state: 'done', spent: charged });
  expect(charged).toBeLessThanOrEqual(atMost);
});
