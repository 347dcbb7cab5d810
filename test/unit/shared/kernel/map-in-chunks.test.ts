import { describe, expect, it } from 'vitest';
import { mapInChunks } from '#shared/kernel';

describe('calls in chunks', () => {
  it('are at most 25 at the same time, and answer in order', async () => {
    let [inFlight, peak] = [0, 0];
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const doubled = await mapInChunks(numbers, async (number) => {
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return 2 * number;
    });
    expect(doubled).toEqual(numbers.map((number) => 2 * number));
    expect(peak).toBe(25);
  });
});
