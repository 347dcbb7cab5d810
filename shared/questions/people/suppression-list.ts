import { type Clock, SECOND_MS } from '#shared/kernel';
import { change, type ItemKey, type VersionedItems } from '#shared/versioned-items';
import type { SuppressionItem } from '../schemas.ts';
import { suppressionKind } from '../stored-kinds.ts';

export interface SuppressionListServices {
  readonly items: VersionedItems<SuppressionItem>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'monotonic'>;
}

/** The identifiers of forgotten people, who must not be looked up again. */
export interface SuppressionList {
  /** Returns those of `keys` that are on the list. It needs one read while the list has not changed since the last check. */
  among(keys: readonly string[]): Promise<readonly string[]>;
  /** The same by a copy that is at most half a minute old; mostly without a read. */
  lately(keys: readonly string[]): Promise<readonly string[]>;
  /** Returns after every later `among`, in any process, finds them. */
  add(keys: readonly string[]): Promise<void>;
}

/** 128 of the 256 bits, enough to distinguish identifiers. So an item holds twice as many. */
const HASH_CHARS = 32;
/** 64 items of 400 KB hold 700,000 identifiers. */
const BUCKET_BITS = 6;
/** Age of a copy that `lately` accepts. A forgetting is repeated later, which also covers answers checked by an old copy. */
const LATELY_MS = 30 * SECOND_MS;
const EPOCH = suppressionKind.key('epoch');

/**
 * Some items of hashes, and one item that counts their changes. A process keeps its copy while the count stays the same,
 * so a check of a whole page costs one small read. The count rises after the hashes are written, so a reader of the new
 * count also reads the new hashes. A reader of the old count has stored its data before, so the forgetting finds them.
 * The count is never lower than the time, so a list restored from a backup never has a count that a process remembers.
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
  /** Shares one read between callers of the same moment; it starts after all of them have called. */
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

/** Keys are hexadecimal; a key in another form also gets a bucket. */
function bucketOf(key: string): ItemKey {
  const number = Number.parseInt(key.slice(0, 2), 16);
  return suppressionKind.key((Number.isNaN(number) ? 0 : number) % 2 ** BUCKET_BITS);
}
