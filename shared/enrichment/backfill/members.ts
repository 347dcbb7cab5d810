import type { Digest } from '#shared/kernel';
import type { IndexedItems, IndexPosition } from '#shared/versioned-items';
import type { Backfill, Member } from './schemas.ts';

export interface BackfillItems {
  readonly backfills: IndexedItems<Backfill>;
  readonly members: IndexedItems<Member>;
}

export function memberKey({ backfillId, id }: Pick<Member, 'backfillId' | 'id'>): string {
  return `member#${backfillId}#${id}`;
}

export function membersPartition(backfillId: string, stratum: number): string {
  return `members#${backfillId}#${stratum}`;
}

export function memberPlace({ backfillId, stratum, order }: Member): IndexPosition {
  return { partition: membersPartition(backfillId, stratum), order };
}

export function memberExpiry({ untilMs }: Member): number {
  return untilMs;
}

const HASH_DIGITS = 13;

/** A number that nobody chose: the first records by it are a random sample of all. 52 bits. */
export function orderOf({ backfillId, id }: Pick<Member, 'backfillId' | 'id'>, digest: Digest): number {
  return Number.parseInt(digest.keyed(JSON.stringify(['member', backfillId, id])).slice(0, HASH_DIGITS), 16);
}
