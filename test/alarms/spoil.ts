import { recordKind } from '#shared/records';
import type { World } from '../builders/world.ts';

/** Adds runs to a record that it never had. */
export async function loseRuns({ stores, states }: World): Promise<void> {
  const state = (await states()).find(({ run }) => !run);
  const known = state && (await stores.records.read(recordKind.key(state)));
  if (!state || !known) throw new Error('There is no record yet.');
  const value = { ...known.value, runsOpened: known.value.runsOpened + 2 };
  await stores.records.write({ key: recordKind.key(state), value, expectedVersion: known.version });
}

/** Changes the newest entry of the ledger. @returns a function that puts it back. */
export async function spoilEntry({ stores }: Pick<World, 'stores'>): Promise<() => void> {
  const { ledger } = stores;
  const { entries } = ledger;
  const spoilt = await ledger.newest('default');
  Object.assign(ledger, {
    entries: async (query: Parameters<typeof entries>[0]) =>
      (await entries(query)).map((entry) =>
        entry.seq === spoilt?.seq ? { ...entry, amountCredits: entry.amountCredits + 1 } : entry,
      ),
  });
  return () => void Object.assign(ledger, { entries });
}
