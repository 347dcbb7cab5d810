import { describe, expect, it } from 'vitest';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import type { SideItem } from '#inside/questions/schemas.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import { createManualClock } from '../../../../builders/manual-clock.ts';
import { digest } from '../asking.ts';

function open() {
  const items = createMemoryItems<SideItem>();
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const reads: string[] = [];
  const counted = {
    ...items,
    read: (key: string) => {
      reads.push(key);
      return items.read(key);
    },
  };
  return { reads, worker: () => createSuppressionList({ sideItems: counted, clock }) };
}

const keys = Array.from({ length: 300 }, (_, index) => digest.keyed(`person ${index}`));

describe('suppression list', () => {
  it('cost one read where there are none, however many people are looked up', async () => {
    const { reads, worker } = open();
    expect(await worker().among(keys)).toEqual([]);
    expect(reads).toHaveLength(1);
  });

  it('are seen at once by every process, and by none for somebody else', async () => {
    const { worker } = open();
    const [one, other] = [worker(), worker()];
    expect(await other.among(keys)).toEqual([]);
    await one.add(keys.slice(0, 2));
    expect(await other.among(keys)).toEqual(keys.slice(0, 2));
    await other.add(keys.slice(1, 3));
    expect(await one.among(keys)).toEqual(keys.slice(0, 3));
  });

  it('cost one read again once they are known', async () => {
    const { reads, worker } = open();
    const suppressionList = worker();
    await suppressionList.add(keys.slice(0, 5));
    await suppressionList.among(keys);
    const before = reads.length;
    expect(await suppressionList.among(keys)).toHaveLength(5);
    expect(reads.length - before).toBe(1);
  });

  it('of many who are added at once by many are all there', async () => {
    const { worker } = open();
    const some = keys.slice(0, 30);
    await Promise.all(some.map((key) => worker().add([key])));
    expect(await worker().among(keys)).toEqual(some);
  });
});
