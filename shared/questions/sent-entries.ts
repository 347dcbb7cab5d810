import { inAccount, type Storage } from '#shared/store';
import { questionItemSchema } from './schemas.ts';

/**
 * Reads the ledger entry of each question's last attempt, as a hash by entry number. The ledger must still hold these
 * entries. Reads the whole table of questions, so only a check that a person starts uses this.
 */
export async function readSentEntries({
  store,
  account,
}: Pick<Storage, 'store' | 'account'>): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const attempts = questionItemSchema.pick({ attempt: true });
  for await (const { key, body } of store.scan('questions')) {
    if (!key.startsWith(inAccount(account, '')) || !Object.hasOwn(Object(body), 'attempt')) continue;
    const { entry } = attempts.parse(body).attempt ?? {};
    if (entry) hashes.set(entry.seq, entry.hash);
  }
  return hashes;
}
