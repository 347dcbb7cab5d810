import { recordKey } from '#inside/crm/crm-record.ts';
import type { World } from '../builders/world.ts';

/** Changes the hash that the audit of the books ended at. */
export async function spoilAudit({ stores }: World): Promise<void> {
  const key = 'ledger-audit#default';
  const known = await stores.auditCursors.read(key);
  if (!known) throw new Error('Nothing was audited yet.');
  const value = { ...known.value, hash: 'another' };
  await stores.auditCursors.write({ key, value, expectedVersion: known.version });
}

/** Adds runs to a record that it never had. */
export async function loseRuns({ stores, states }: World): Promise<void> {
  const state = (await states()).find(({ run }) => !run);
  const known = state && (await stores.records.read(recordKey(state)));
  if (!state || !known) throw new Error('There is no record yet.');
  const value = { ...known.value, runsOpened: known.value.runsOpened + 2 };
  await stores.records.write({ key: recordKey(state), value, expectedVersion: known.version });
}

/** Changes an entry that every audit so far has found as it should be. */
export function spoilEntry({ stores }: World): void {
  const { ledger } = stores;
  const spoilt: typeof ledger = {
    ...ledger,
    entries: async (query) =>
      (await ledger.entries(query)).map((entry) =>
        entry.seq === 3 ? { ...entry, amountCredits: entry.amountCredits + 1 } : entry,
      ),
  };
  Object.assign(stores, { ledger: spoilt });
}
