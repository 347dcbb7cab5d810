import type { Clock, Digest, Random } from '#shared/kernel';
import type { RetentionPolicy, Storage } from '#shared/store';
import type { Budgets } from './budgets.ts';
import { createLedger, createLedgerReader } from './ledger.ts';
import { createLedgerStore } from './store.ts';

export interface BooksToReadSettings extends Storage {
  readonly policy: RetentionPolicy & { readonly budgets: Budgets; readonly timeZone: string };
  readonly clock: Clock;
}

export interface BooksSettings extends BooksToReadSettings {
  readonly random: Random;
  readonly digest: Digest;
}

/** Opens the ledger for readers, which need no secret. */
export function createBooksToRead(settings: BooksToReadSettings) {
  const services = ledgerServices(settings);
  return { ledgerStore: services.store, ledger: createLedgerReader(services) };
}

export function createDynamoBooks(settings: BooksSettings) {
  const { random, digest } = settings;
  const services = ledgerServices(settings);
  return { ledgerStore: services.store, ledger: createLedger({ ...services, random, digest }) };
}

function ledgerServices({ store: items, account, clock, policy }: BooksToReadSettings) {
  const { budgets, timeZone } = policy;
  const store = createLedgerStore(items);
  return { store, account, clock, budgets, timeZone };
}
