import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { recordKind } from '#shared/records';
import { type Place, put } from '#shared/store';
import type { World } from '../../harness/world.ts';

/** Adds runs to a record that it never had. */
export async function loseRuns({ items, states }: World): Promise<void> {
  const state = (await states()).find(({ run }) => !run);
  const records = items(recordKind);
  const known = state && (await records.read(recordKind.key(state)));
  if (!state || !known) throw new Error('There is no record yet.');
  const value = { ...known.value, runsOpened: known.value.runsOpened + 2 };
  await records.write({ key: recordKind.key(state), value, expectedVersion: known.version });
}

/** Changes the newest entry of the ledger. @returns a function that puts it back. */
export async function spoilEntry({ store, services }: Pick<World, 'store' | 'services'>) {
  const newest = await services.ledgerStore.newest();
  if (!newest) throw new Error('There is no entry yet.');
  const place: Place<LedgerEntry> = {
    kind: ledgerEntryKind,
    key: ledgerEntryKind.key(newest.seq),
  };
  const write = async (value: LedgerEntry) =>
    store.transact([put(place, value, (await store.getMany([place])).get(place))]);
  await write({ ...newest, amountCredits: newest.amountCredits + 1 });
  return async () => void (await write(newest));
}
