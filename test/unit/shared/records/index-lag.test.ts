import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { createWorld } from '../../../harness/world.ts';

/** Measures each minute. */
async function measured(lagMs: number, forMs: number): Promise<readonly number[]> {
  const world = await createWorld();
  world.storeTrouble.set({ faults: [], lagMs });
  const lags: number[] = [];
  for (let atMs = 0; atMs <= forMs; atMs += MINUTE_MS) {
    lags.push(await world.services.indexLagMs());
    await world.clock.sleep(MINUTE_MS);
  }
  return lags;
}

it('measures no lag where the index shows each marker at once', async () => {
  expect(new Set(await measured(0, HOUR_MS))).toEqual(new Set([0]));
});

it('measures a constant lag as constant, once it has lasted', async () => {
  const lags = await measured(HOUR_MS, 5 * HOUR_MS);
  const lasted = lags.slice(61);
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(HOUR_MS - 2 * MINUTE_MS);
  expect(Math.max(...lasted)).toBeLessThanOrEqual(HOUR_MS + 2 * MINUTE_MS);
});

it('measures a lag shorter than its rhythm as none', async () => {
  expect(Math.max(...(await measured(30 * SECOND_MS, HOUR_MS)))).toBe(0);
});
