import { describe, expect, it } from 'vitest';
import { fuzzQueue } from './queue-messages.ts';
import { fuzzReceiver } from './receiver.ts';
import { fuzzServer } from './server.ts';

/** The same every time; `node test/tools/fuzz/main.ts` goes on to a million. */
describe('damaged inputs', () => {
  it('of the receiver are answered as documented, and nothing unsigned is queued', async () => {
    const { counts, problems } = await fuzzReceiver({ seed: 1, runs: 2_500 });
    expect(problems).toEqual([]);
    // Every answer occurs, so none of the checks is idle.
    expect(Object.keys(counts)).toEqual(['200', '400', '401', '503']);
  });

  it('of the card and the action of workflows are refused, and nothing of them is queued', async () => {
    const { counts, problems } = await fuzzServer({ seed: 1, runs: 800 });
    expect(problems).toEqual([]);
    expect(Object.keys(counts)).toEqual(['200', '202', '400', '401', '403', '404']);
  });

  it('of the queue are handed back alone, and the others worked on', async () => {
    const { counts, problems } = await fuzzQueue({ seed: 1, runs: 1_500 });
    expect(problems).toEqual([]);
    expect(counts['handedBack']).toBe(counts['damaged']);
    expect(counts['whole']).toBeGreaterThan(100);
  });
});
