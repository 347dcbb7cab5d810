import type { Clock, Random } from '#shared/kernel';
import type { VersionedItems } from '#shared/store';
import { createMemoryItems } from '../../harness/memory-items.ts';

export interface CountedItems<V> extends VersionedItems<V> {
  counts(): { readonly reads: number; readonly writes: number; readonly conflicts: number };
}

/** Memory items with DynamoDB's latency: 2 to 8 ms for each request. */
export function createRemoteItems<V>({ clock, random }: { clock: Clock; random: Random }): CountedItems<V> {
  const items = createMemoryItems<V>();
  const counts = { reads: 0, writes: 0, conflicts: 0 };
  const travel = () => clock.sleep(2 + random() * 6);
  return {
    read: async (key) => {
      counts.reads += 1;
      await travel();
      return items.read(key);
    },
    write: async (change) => {
      await travel();
      const result = await items.write(change);
      counts[result === 'conflict' ? 'conflicts' : 'writes'] += 1;
      return result;
    },
    counts: () => ({ ...counts }),
  };
}
