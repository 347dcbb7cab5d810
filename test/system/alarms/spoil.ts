import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { type Place, put } from '#shared/store';
import { changeState } from '../../harness/steps.ts';
import type { World } from '../../harness/world.ts';

/** Adds runs to a record that it never had. */
export async function loseRuns(world: World): Promise<void> {
  const state = (await world.states()).find(({ run }) => !run);
  if (!state) throw new Error('There is no record yet.');
  await changeState(world, state, ({ runsOpened }) => ({ runsOpened: runsOpened + 2 }));
}

/** Changes the newest entry of the ledger. @returns a function that puts it back. */
export async function spoilEntry({ store, services }: Pick<World, 'store' | 'services'>) {
  const newest = await services.ledgerStore.newest();
  if (!newest) throw new Error('There is no entry yet.');
  const place: Place<LedgerEntry> = { kind: ledgerEntryKind, key: ledgerEntryKind.key(newest.seq) };
  const write = async (value: LedgerEntry) =>
    store.transact([put(place, value, (await store.getMany([place])).get(place))]);
  await write({ ...newest, amountCredits: newest.amountCredits + 1 });
  return async () => void (await write(newest));
}
