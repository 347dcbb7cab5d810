import { expect, it } from 'vitest';
import { repeated } from '../harness/repeated.ts';
import { chargedIn } from './sharing-portal.ts';

const SEEDS = Array.from({ length: repeated(12) }, (_, index) => index + 1);

it.each(SEEDS)('portal %i is charged at most its quote', async (seed) => {
  const { charged, spent, state, atMost } = await chargedIn(seed);
  expect({ state, spent }).toEqual({ state: 'done', spent: charged });
  expect(charged).toBeLessThanOrEqual(atMost);
});
