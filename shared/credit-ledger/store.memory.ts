import { assert, frozen } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import type { LedgerStore } from './store.ts';

/** Behaves like the DynamoDB adapter, in memory, for tests and simulations. */
export function createMemoryLedgerStore(): LedgerStore {
  const logs = new Map<string, LedgerEntry[]>();
  return {
    newest: async (account) => logs.get(account)?.at(-1),
    append: async (entry) => {
      const log = logs.get(entry.account) ?? [];
      const existing = log[entry.seq - 1];
      if (existing) return existing.hash === entry.hash ? 'appended' : 'taken';
      assert(log.length === entry.seq - 1, 'an entry follows the newest one');
      log.push(frozen(structuredClone(entry)));
      logs.set(entry.account, log);
      return 'appended';
    },
    entries: async ({ account, fromSeq, limit }) =>
      (logs.get(account) ?? []).slice(fromSeq - 1, fromSeq - 1 + limit),
  };
}
