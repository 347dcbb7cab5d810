import type { Storage } from '#shared/store';
import { questionItemSchema } from './schemas.ts';
import { questionKind } from './stored-kinds.ts';

/**
 * Reads the ledger entry of each question's last attempt, as a hash by entry number. The ledger must still hold these
 * entries. Reads the whole table, so only a check that a person starts uses this.
 */
export async function readSentEntries({
  store,
}: Pick<Storage, 'store'>): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const attempts = questionItemSchema.pick({ attempt: true });
  for await (const body of store.scan(questionKind)) {
    const { entry } = attempts.parse(body).attempt ?? {};
    if (entry) hashes.set(entry.seq, entry.hash);
  }
  return hashes;
}
