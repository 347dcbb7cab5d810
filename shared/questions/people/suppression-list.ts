import { type Clock, SECOND_MS } from '#shared/kernel';
import { change, type ItemKey, type PlacedItems } from '#shared/store';
import type { SuppressionItem } from '../schemas.ts';
import { suppressionKind } from '../stored-kinds.ts';

export interface SuppressionListServices {
  readonly items: PlacedItems<SuppressionItem>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'monotonic'>;
}

/** The identifiers of forgotten people, who must not be looked up again. */
export interface SuppressionList {
  /** Returns the `keys` that are on the list. While the list does not change, a check needs one read. */
  among(keys: readonly string[]): Promise<readonly string[]>;
  /** Like `among`, inside a work of the store: its writes are stored only if the list has not changed until then. */
  amongChecked(keys: readonly string[]): Promise<readonly string[]>;
  /** Like `among`, but uses a copy that is at most half a minute old. Usually needs no read. */
  lately(keys: readonly string[]): Promise<readonly string[]>;
  /** Adds `keys`. After it returns, every later `among` finds them, in any process. */
  add(keys: readonly string[]): Promise<void>;
}

/** 64 items of 400 KB hold 700,000 identifiers. */
const BUCKET_BITS = 6;
/**
 * Age of a copy that `lately` accepts. Each deletion is repeated later, which covers answers that were checked with an
 * old copy.
 */
const LATELY_MS = 30 * SECOND_MS;
const EPOCH = suppressionKind.key('epoch');

/**
 * The list is a set of items with hashes, and one item that counts changes. A process keeps its copy while the count
 * stays the same, so a check of a whole page costs one small read. The count rises after the hashes are written, so a
 * reader of the new count also reads the new hashes. A reader of the old count stored its data before, so the deletion
 * finds the data. The count is never lower than the time. So after the list is restored from a backup, its count
 * differs from every count that a process remembers.
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
  const learnEpoch = (item: SuppressionItem | undefined, seenAtMs: number) => {
    const epoch = epochIn(item);
    known = { epoch, seenAtMs, buckets: known.epoch === epoch ? known.buckets : new Map() };
    return known;
  };
  /** Reads the count. Callers of the same moment share one read, which starts after all of them have called. */
  const readEpoch = () => {
    next ??= Promise.resolve().then(async () => {
      next = undefined;
      const seenAtMs = clock.monotonic();
      return learnEpoch((await items.read(EPOCH))?.value, seenAtMs);
    });
    return next;
  };
  const listedKeys = async (keys: readonly string[], { epoch, buckets }: typeof known) => {
    if (epoch === 0) return [];
    const missing = [...new Set(keys.map(bucketOf))].filter((bucket) => !buckets.has(bucket));
    await Promise.all(missing.map(async (bucket) => buckets.set(bucket, await readBucket(bucket))));
    return keys.filter((key) => buckets.get(bucketOf(key))?.has(key));
  };
  return {
    among: async (keys) => {
      if (keys.length === 0) return [];
      return listedKeys(keys, await readEpoch());
    },
    amongChecked: async (keys) => {
      const seenAtMs = clock.monotonic();
      return listedKeys(keys, learnEpoch((await items.readChecked(EPOCH))?.value, seenAtMs));
    },
    lately: async (keys) =>
      listedKeys(keys, clock.monotonic() >= known.seenAtMs + LATELY_MS ? await readEpoch() : known),
    add: async (keys) => {
      const byBucket = Map.groupBy(new Set(keys), bucketOf);
      for (const [bucket, own] of byBucket) {
        await change(items, { ...race, key: bucket }, (item) => {
          const hashes = hashesIn(item);
          const added = own.filter((key) => !hashes.includes(key));
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

/** Returns the bucket of a key. Keys are hexadecimal, but a key in another form also gets a bucket. */
function bucketOf(key: string): ItemKey {
  const number = Number.parseInt(key.slice(0, 2), 16);
  return suppressionKind.key((Number.isNaN(number) ? 0 : number) % 2 ** BUCKET_BITS);
}
