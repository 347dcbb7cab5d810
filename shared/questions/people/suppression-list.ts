import { type Clock, SECOND_MS } from '#shared/kernel';
import { changeSideItem, type SideItemServices } from './side-items.ts';

/** The identifiers of people who are to be left alone for good. */
export interface SuppressionList {
  /** Those of `keys` that have a mark of a forgetting: one read while none was added since this process last looked. */
  among(keys: readonly string[]): Promise<readonly string[]>;
  /** The same as this process knew it within the last half minute: without a read, mostly. */
  lately(keys: readonly string[]): Promise<readonly string[]>;
  /** Returns when every later look, in any process, finds them. */
  add(keys: readonly string[]): Promise<void>;
}

/** 128 of the 256 bits: enough to tell identifiers apart, and twice as many fit into an item. */
const HASH_CHARS = 32;
/** 64 items of 400 KB hold 700,000 identifiers. */
const BUCKET_BITS = 6;
/** A reader that looked so long ago is as one that reads slowly: what it was told is gone through once more. */
const LATELY_MS = 30 * SECOND_MS;
const EPOCH = 'forgotten#epoch';
const KIND = 'suppression list';

/**
 * A few items of hashes, and one that counts their changes. A process keeps what it has read for as long as the
 * count stays the same, so that the list of a whole page is checked at the price of one small read. The count
 * rises after the hashes are written: whoever reads the new one reads them too, and whoever still reads the old
 * one came before, so that what it stored is there to be purged.
 */
export function createSuppressionList(
  services: SideItemServices & { readonly clock: Pick<Clock, 'sleep' | 'monotonic'> },
): SuppressionList {
  const { sideItems, clock } = services;
  let known = {
    epoch: -1,
    seenAtMs: Number.NEGATIVE_INFINITY,
    buckets: new Map<string, ReadonlySet<string>>(),
  };
  const readBucket = async (bucket: string): Promise<ReadonlySet<string>> => {
    const stored = await sideItems.read(bucket);
    return new Set(stored?.value.kind === 'suppression list' ? stored.value.hashes : []);
  };
  const look = async () => {
    const seenAtMs = clock.monotonic();
    const stored = await sideItems.read(EPOCH);
    const epoch = stored?.value.kind === 'epoch' ? stored.value.count : 0;
    known = { epoch, seenAtMs, buckets: known.epoch === epoch ? known.buckets : new Map() };
  };
  const marked = async (keys: readonly string[]) => {
    const { epoch, buckets } = known;
    if (epoch === 0) return [];
    const missing = [...new Set(keys.map(bucketOf))].filter((bucket) => !buckets.has(bucket));
    await Promise.all(missing.map(async (bucket) => buckets.set(bucket, await readBucket(bucket))));
    return keys.filter((key) => buckets.get(bucketOf(key))?.has(hashOf(key)));
  };
  return {
    among: async (keys) => {
      if (keys.length === 0) return [];
      await look();
      return marked(keys);
    },
    lately: async (keys) => {
      if (clock.monotonic() >= known.seenAtMs + LATELY_MS) await look();
      return marked(keys);
    },
    add: async (keys) => {
      const byBucket = Map.groupBy(new Set(keys), bucketOf);
      for (const [bucket, own] of byBucket) {
        await changeSideItem(services, { key: bucket, kind: KIND }, (item) => {
          const hashes = item?.kind === 'suppression list' ? item.hashes : [];
          const added = own.map(hashOf).filter((hash) => !hashes.includes(hash));
          return added.length === 0 ? undefined : { kind: 'suppression list', hashes: [...hashes, ...added] };
        });
      }
      await changeSideItem(services, { key: EPOCH, kind: KIND }, (item) => ({
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
