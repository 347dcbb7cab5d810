import type { Clock, Digest, Random } from '#shared/kernel';
import type { RetentionPolicy, StoreClock } from '#shared/versioned-items';
import { openItems, type Storage } from '#shared/versioned-items/adapters';
import { createBooksAudit, createBooksCheck, readLedgerFault } from './audit.ts';
import type { Budgets } from './budgets.ts';
import { createLedger, createLedgerReader } from './ledger.ts';
import { setBackLog } from './set-back-log.ts';
import { createDynamoLedgerStore } from './store.dynamo.ts';
import type { LedgerStore } from './store.ts';
import { auditCursorKind } from './stored-kinds.ts';

export interface BooksToReadSettings extends Storage<'ledger'> {
  readonly policy: RetentionPolicy & { readonly budgets: Budgets; readonly timeZone: string };
  readonly clock: Clock;
  readonly storeClock: StoreClock;
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

/** Creates the correction of a ledger whose time is ahead. */
export function createSetBack(settings: BooksSettings) {
  const { random, digest } = settings;
  const services = { ...ledgerServices(settings), random, digest };
  return (reason: string) => setBackLog(services, reason);
}

/** Creates the audit. Each run verifies a part of the log. */
export function createAudit(settings: BooksSettings & Storage<'rateLimiter'>, store: LedgerStore) {
  return createBooksAudit(auditServices(settings, store));
}

/** Creates the check of the newest part of the log at a person's request. */
export function createCheckOfBooks(settings: BooksSettings & Storage<'rateLimiter'>, store: LedgerStore) {
  return createBooksCheck(auditServices(settings, store));
}

/** Creates a reader of the last audit's fault. */
export function createLedgerFault(settings: Storage<'rateLimiter'>) {
  const cursors = auditCursors(settings);
  return () => readLedgerFault({ cursors });
}

function auditServices(settings: BooksSettings & Storage<'rateLimiter'>, store: LedgerStore) {
  const { account, clock, digest } = settings;
  return { store, account, cursors: auditCursors(settings), clock, digest };
}

function auditCursors(settings: Storage<'rateLimiter'>) {
  return openItems(settings, auditCursorKind);
}

function ledgerServices<S extends BooksToReadSettings>({ dynamo: client, tables, ...settings }: S) {
  const { account, clock, storeClock, policy } = settings;
  const { budgets, timeZone } = policy;
  const store = createDynamoLedgerStore({ client, tableName: tables.ledger });
  return { store, account, clock, storeClock, budgets, timeZone };
}
