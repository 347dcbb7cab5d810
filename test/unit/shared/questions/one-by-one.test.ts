import { describe, expect, it } from 'vitest';
import { createOneByOne } from '#inside/questions/one-by-one.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

function open() {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const course: string[] = [];
  const oneByOne = createOneByOne(clock);
  const start = (
    name: string,
    ms: number,
    rest: { key?: string; notAfterMs?: number; signal?: AbortSignal } = {},
  ) =>
    oneByOne({
      key: 'a',
      notAfterMs: 60_000,
      ...rest,
      run: async () => {
        course.push(`${name} begins`);
        await clock.sleep(ms);
        course.push(`${name} ends`);
        return name;
      },
    });
  return { clock, course, oneByOne, start };
}

describe('work that goes one by one', () => {
  it('leaves nobody asleep', async () => {
    const { clock, start } = open();
    await Promise.all([start('first', 20), start('second', 10)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.sleepers()).toBe(0);
    expect(clock.now()).toBe(30);
  });
});
