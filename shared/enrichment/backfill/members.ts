import type { Digest } from '#shared/kernel';
import type { IndexedItems } from '#shared/store';
import type { Backfill, Member } from './schemas.ts';

export interface BackfillItems {
  readonly backfills: IndexedItems<Backfill>;
  readonly members: IndexedItems<Member>;
}

const HASH_DIGITS = 13;

/** Returns a random number of 52 bits. In the order of these numbers, the first records are a random sample. */
export function orderOf({ backfillId, id }: Pick<Member, 'backfillId' | 'id'>, digest: Digest): number {
  return Number.parseInt(digest.keyed(JSON.stringify(['member', backfillId, id])).slice(0, HASH_DIGITS), 16);
}
