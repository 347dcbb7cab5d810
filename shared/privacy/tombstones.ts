import type { SideItem } from '../questions/side-item.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { changeSideItem } from './side-items.ts';

/** The identifiers of people who are to be left alone for good. */
export interface Tombstones {
  /** Those of `keys` that have a tombstone: one read while none was added since this process last looked. */
  among(keys: readonly string[]): Promise<readonly string[]>;
  /** Returns when every later look, in any process, finds them. */
  add(keys: readonly string[]): Promise<void>;
}

/** 128 of the 256 bits: enough to tell identifiers apart, and twice as many fit into an item. */
const HASH_CHARS = 32;
/** 64 items of 400 KB hold 700,000 identifiers. */
const BUCKET_BITS = 6;
const EPOCH = 'forgotten#epoch';

/**
 * A few items of hashes, and one that counts their changes. A process keeps what it has read for as long as the
 * count stays the same, so that the list of a whole page is checked at the price of one small read. The count
 * rises after the hashes are written: whoever reads the new one reads them too, and whoever still reads the old
 * one came before, so that what it stored is there to be purged.
 */
export function createTombstones(items: VersionedItems<SideItem>): Tombstones {
  let known = { epoch: -1, buckets: new Map<string, ReadonlySet<string>>() };
  const readBucket = async (bucket: string): Promise<ReadonlySet<string>> => {
    const stored = await items.read(bucket);
    return new Set(stored?.value.kind === 'tombstones' ? stored.value.hashes : []);
  };
  return {
    among: async (keys) => {
      if (keys.length === 0) return [];
      const stored = await items.read(EPOCH);
      const epoch = stored?.value.kind === 'epoch' ? stored.value.count : 0;
      if (epoch === 0) return [];
      if (known.epoch !== epoch) known = { epoch, buckets: new Map() };
      const { buckets } = known;
      const missing = [...new Set(keys.map(bucketOf))].filter((bucket) => !buckets.has(bucket));
      await Promise.all(missing.map(async (bucket) => buckets.set(bucket, await readBucket(bucket))));
      return keys.filter((key) => buckets.get(bucketOf(key))?.has(hashOf(key)));
    },
    add: async (keys) => {
      const byBucket = Map.groupBy(new Set(keys), bucketOf);
      for (const [bucket, own] of byBucket) {
        await changeSideItem(items, bucket, (item) => {
          const hashes = item?.kind === 'tombstones' ? item.hashes : [];
          const added = own.map(hashOf).filter((hash) => !hashes.includes(hash));
          return added.length === 0 ? undefined : { kind: 'tombstones', hashes: [...hashes, ...added] };
        });
      }
      await changeSideItem(items, EPOCH, (item) => ({
        kind: 'epoch',
        count: (item?.kind === 'epoch' ? item.count : 0) + 1,
      }));
    },
  };
}

function hashOf(key: string): string {
  return key.slice(0, HASH_CHARS);
}

/** Keys are hexadecimal, but a key of any other kind finds its bucket too. */
function bucketOf(key: string): string {
  const number = Number.parseInt(key.slice(0, 2), 16);
  return `forgotten#${(Number.isNaN(number) ? 0 : number) % 2 ** BUCKET_BITS}`;
}
