import { type Clock, SECOND_MS } from '#shared/kernel';
import { change, type ItemKey, type VersionedItems } from '#shared/versioned-items';
import type { SuppressionItem } from '../schemas.ts';
import { suppressionKind } from '../stored-kinds.ts';

export interface SuppressionListServices {
  readonly items: VersionedItems<SuppressionItem>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'monotonic'>;
}

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
const EPOCH = suppressionKind.key('epoch');

/**
 * A few items of hashes, and one that counts their changes. A process keeps what it has read while the count stays the
 * same, so a check of a whole page costs one small read. The count rises after the hashes are written. A reader of the
 * new count therefore reads them too, and the data of a reader of the old count is there to be purged. The count is
 * never lower than the time, so a list restored from a backup never has a count that a process remembers.
 */
export function createSuppressionList({ items, clock }: SuppressionListServices): SuppressionList {
  const race = { kind: 'suppression list', clock };
  let known = {
    epoch: -1,
    seenAtMs: Number.NEGATIVE_INFINITY,
    buckets: new Map<ItemKey, ReadonlySet<string>>(),
  };
  const readBucket = async (bucket: ItemKey): Promise<ReadonlySet<string>> => {
    const stored = await items.read(bucket);
    return new Set(hashesIn(stored?.value));
  };
  let next: Promise<typeof known> | undefined;
  /** One read for all who look at the same moment: it begins after each of them has asked. */
  const look = () => {
    next ??= Promise.resolve().then(async () => {
      next = undefined;
      const seenAtMs = clock.monotonic();
      const epoch = epochIn((await items.read(EPOCH))?.value);
      known = { epoch, seenAtMs, buckets: known.epoch === epoch ? known.buckets : new Map() };
      return known;
    });
    return next;
  };
  const marked = async (keys: readonly string[], { epoch, buckets }: typeof known) => {
    if (epoch === 0) return [];
    const missing = [...new Set(keys.map(bucketOf))].filter((bucket) => !buckets.has(bucket));
    await Promise.all(missing.map(async (bucket) => buckets.set(bucket, await readBucket(bucket))));
    return keys.filter((key) => buckets.get(bucketOf(key))?.has(hashOf(key)));
  };
  return {
    among: async (keys) => {
      if (keys.length === 0) return [];
      return marked(keys, await look());
    },
    lately: async (keys) =>
      marked(keys, clock.monotonic() >= known.seenAtMs + LATELY_MS ? await look() : known),
    add: async (keys) => {
      const byBucket = Map.groupBy(new Set(keys), bucketOf);
      for (const [bucket, own] of byBucket) {
        await change(items, { ...race, key: bucket }, (item) => {
          const hashes = hashesIn(item);
          const added = own.map(hashOf).filter((hash) => !hashes.includes(hash));
          if (added.length === 0) return {};
          return { value: { kind: 'hashes', hashes: [...hashes, ...added] } satisfies SuppressionItem };
        });
      }
      await change(items, { ...race, key: EPOCH }, (item) => ({
        value: { kind: 'epoch' as const, count: Math.max(epochIn(item) + 1, clock.now()) },
      }));
    },
  };
}

function hashesIn(item: SuppressionItem | undefined): readonly string[] {
  return item?.kind === 'hashes' ? item.hashes : [];
}

function epochIn(item: SuppressionItem | undefined): number {
  return item?.kind === 'epoch' ? item.count : 0;
}

function hashOf(key: string): string {
  return key.slice(0, HASH_CHARS);
}

/** Keys are hexadecimal, but a key of any other kind finds its bucket too. */
function bucketOf(key: string): ItemKey {
  const number = Number.parseInt(key.slice(0, 2), 16);
  return suppressionKind.key((Number.isNaN(number) ? 0 : number) % 2 ** BUCKET_BITS);
}
