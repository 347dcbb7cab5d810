import { describe, expect, it } from 'vitest';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import type { SuppressionItem } from '#inside/questions/schemas.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../../harness/memory-items.ts';
import { digest } from '../asking.ts';

function open() {
  const items = createMemoryItems<SuppressionItem>();
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const reads: string[] = [];
  const counted = {
    ...items,
    read: (key: string) => {
      reads.push(key);
      return items.read(key);
    },
  };
  return { items, clock, reads, worker: () => createSuppressionList({ items: counted, clock }) };
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

  it('restored from a backup is read anew, also after it has grown as far as before', async () => {
    const { items, clock, worker } = open();
    const [reader, writer] = [worker(), worker()];
    await writer.add(keys.slice(0, 1));
    const backup = await items.read('epoch');
    await clock.sleep(1_000);
    await writer.add(keys.slice(1, 2));
    expect(await reader.among(keys)).toEqual(keys.slice(0, 2));
    const now = await items.read('epoch');
    if (!backup || !now) throw new Error('There is no count of changes.');
    await items.write({ key: 'epoch', value: backup.value, expectedVersion: now.version });
    await clock.sleep(1_000);
    await worker().add(keys.slice(2, 3));
    expect(await reader.among(keys)).toEqual(keys.slice(0, 3));
  });

  it('of many who are added at once by many are all there', async () => {
    const { worker } = open();
    const some = keys.slice(0, 30);
    await Promise.all(some.map((key) => worker().add([key])));
    expect(await worker().among(keys)).toEqual(some);
  });
});
