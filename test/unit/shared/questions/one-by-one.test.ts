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
  it('begins when the one before it with the same key has ended', async () => {
    const { course, start } = open();
    const results = await Promise.all([start('first', 20), start('second', 10), start('third', 0)]);
    expect(results).toEqual(['first', 'second', 'third']);
    expect(course).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('does not wait for work with another key', async () => {
    const { course, start } = open();
    await Promise.all([start('first', 20), start('other', 10, { key: 'b' })]);
    expect(course).toEqual(['first begins', 'other begins', 'other ends', 'first ends']);
  });

  it('goes on after a failure, which is the failing one’s alone', async () => {
    const { oneByOne, start } = open();
    const failing = oneByOne({
      key: 'a',
      notAfterMs: 60_000,
      run: async () => Promise.reject(new Error('no')),
    });
    const next = start('next', 1);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('leaves nobody asleep', async () => {
    const { clock, start } = open();
    await Promise.all([start('first', 20), start('second', 10)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.sleepers()).toBe(0);
    expect(clock.now()).toBe(30);
  });
});
