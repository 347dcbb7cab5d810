import { describe, expect, it } from 'vitest';
import { createManualClock } from './manual-clock.ts';

describe('a clock that is moved by hand', () => {
  it('wakes sleepers in the order of their times, and those of one time in the order of their sleep', async () => {
    const clock = createManualClock({ startMs: 1_000 });
    const woken: string[] = [];
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['b2', 20],
    ] as const)
      void clock.sleep(ms).then(() => woken.push(`${name}@${clock.now()}`));
    await clock.advance(20);
    expect(woken).toEqual(['a@1010', 'b@1020', 'b2@1020']);
    expect(clock.sleepers()).toBe(1);
    await clock.advance(100);
    expect(woken.at(-1)).toBe('c@1030');
    expect([clock.now(), clock.monotonic()]).toEqual([1_120, 120]);
  });

  it('wakes those who fall asleep on the way, at their own times', async () => {
    const clock = createManualClock({ startMs: 0 });
    const times: number[] = [];
    const ticking = async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    };
    void ticking();
    await clock.advance(25);
    expect(times).toEqual([10, 20]);
  });

  it('gives a sleeper up when its signal is aborted, at once or later', async () => {
    const clock = createManualClock({ startMs: 0 });
    const aborter = new AbortController();
    const sleeping = clock.sleep(10, aborter.signal);
    aborter.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    await expect(clock.sleep(10, aborter.signal)).rejects.toThrow('enough');
    expect(clock.sleepers()).toBe(0);
  });
});

it('a clock that moves by itself jumps to the next sleeper when there is nothing else to do', async () => {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const times: number[] = [];
  const sleep = async (ms: number) => {
    await clock.sleep(ms);
    times.push(clock.now());
  };
  await Promise.all([sleep(86_400_000), sleep(5), sleep(0)]);
  expect(times).toEqual([0, 5, 86_400_000]);
  await sleep(1);
  expect(clock.now()).toBe(86_400_001);
});
