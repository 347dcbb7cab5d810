import { expect, it } from 'vitest';
import { createOneByOne } from '#inside/questions/one-by-one.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

it('work that goes one by one leaves nobody asleep', async () => {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const oneByOne = createOneByOne(clock);
  const start = (ms: number) => oneByOne({ key: 'a', notAfterMs: 60_000, run: () => clock.sleep(ms) });
  await Promise.all([start(20), start(10)]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([clock.sleepers(), clock.now()]).toEqual([0, 30]);
});
