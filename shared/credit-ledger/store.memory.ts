import { assert } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import type { LedgerStore } from './store.ts';

/** Behaves as the DynamoDB adapter does, in this process: for tests and simulations. */
export function createMemoryLedgerStore(): LedgerStore {
  const logs = new Map<string, LedgerEntry[]>();
  const log = (account: string) => {
    const known = logs.get(account) ?? [];
    logs.set(account, known);
    return known;
  };
  return {
    newest: async (account) => structuredClone(log(account).at(-1)),
    append: async (entry) => {
      const there = log(entry.account)[entry.seq - 1];
      if (there) return there.hash === entry.hash ? 'appended' : 'taken';
      assert(log(entry.account).length === entry.seq - 1, 'an entry follows the newest one');
      log(entry.account).push(structuredClone(entry));
      return 'appended';
    },
    entries: async ({ account, fromSeq, limit }) =>
      structuredClone(log(account).slice(fromSeq - 1, fromSeq - 1 + limit)),
  };
}
