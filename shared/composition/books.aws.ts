import { createBooksAudit } from '#shared/credit-ledger/audit.ts';
import { createLedger, createLedgerReader } from '#shared/credit-ledger/ledger.ts';
import { setBackLog } from '#shared/credit-ledger/set-back-log.ts';
import { createDynamoLedgerStore } from '#shared/credit-ledger/store.dynamo.ts';
import type { LedgerStore } from '#shared/credit-ledger/store.ts';
import { auditCursorKind } from '#shared/credit-ledger/stored-kinds.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import type { Random } from '#shared/kernel/random.ts';
import type { Metrics } from '#shared/metrics/metrics.ts';
import { meterLedger } from '#shared/metrics/question-metrics.ts';
import type { StoreClock } from '#shared/versioned-items/store-clock.ts';
import { openItems, type Storage } from './storage.aws.ts';

export interface BooksToReadSettings extends Storage<'ledger'> {
  readonly policy: Pick<Policy, 'budgets' | 'timeZone' | 'journalDays'>;
  readonly clock: Clock;
  readonly storeClock: StoreClock;
}

export interface BooksSettings extends BooksToReadSettings {
  readonly random: Random;
  readonly digest: Digest;
  /** Nobody counts unless given. */
  readonly metrics?: Metrics;
}

/** The books for those who only look at them: no secret is needed. */
export function createBooksToRead(settings: BooksToReadSettings) {
  const services = ledgerServices(settings);
  return { ledgerStore: services.store, ledger: createLedgerReader(services) };
}

export function createBooks(settings: BooksSettings) {
  const { random, digest, metrics } = settings;
  const services = ledgerServices(settings);
  const ledger = createLedger({ ...services, random, digest });
  return { ledgerStore: services.store, ledger: metrics ? meterLedger(ledger, metrics) : ledger };
}

/** For a person whose books are ahead of time. */
export function createSetBack(settings: BooksSettings) {
  const { random, digest } = settings;
  const services = { ...ledgerServices(settings), random, digest };
  return (reason: string) => setBackLog(services, reason);
}

/** Verifies the log, a part at a time. */
export function createAudit(settings: BooksSettings & Storage<'rateLimiter'>, store: LedgerStore) {
  const { account, clock, digest } = settings;
  const cursors = openItems(settings, auditCursorKind);
  return createBooksAudit({ store, account, cursors, clock, digest });
}

function ledgerServices<S extends BooksToReadSettings>({ dynamo: client, tables, ...settings }: S) {
  const { account, clock, storeClock, policy } = settings;
  const { budgets, timeZone } = policy;
  const store = createDynamoLedgerStore({ client, tableName: tables.ledger });
  return { store, account, clock, storeClock, budgets, timeZone };
}
