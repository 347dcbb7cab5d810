import { describe, expect, it } from 'vitest';
import { createChangeTogether, type VersionedItems } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

function open(pauseMs = 0) {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const stored = createMemoryItems<number>();
  const writes: number[] = [];
  let failures = 0;
  const items: VersionedItems<number, string> = {
    read: stored.read,
    write: async (change) => {
      await clock.sleep(10);
      if (failures-- > 0) throw new Error('The store has a hiccup.');
      writes.push(clock.now());
      return stored.write(change);
    },
  };
  const change = createChangeTogether(items, { key: 'a', kind: 'number', clock, pauseMs: () => pauseMs });
  const add = (added: number) => change((known = 0) => ({ value: known + added, before: known }));
  const value = async () => (await stored.read('a'))?.value;
  const fail = (times: number) => {
    failures = times;
  };
  return { clock, change, add, value, writes, fail };
}

describe('changes of one item by one process', () => {
  it('fail together, and go on', async () => {
    const { add, value, fail } = open();
    fail(2);
    const ends = await Promise.allSettled([1, 2, 4].map(add));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await add(8);
    expect(await value()).toBe(8);
  });

  it('leave a pause between two writes, and none before the first', async () => {
    const { add, writes } = open(1_000);
    await Promise.all([1, 2, 4].map(add));
    expect(writes).toEqual([10, 1_020]);
  });
});
