import type { Digest } from '#shared/kernel';
import { openItems, type Storage } from '#shared/store';
import { auditNext } from './audit.ts';
import type { RecordItems } from './change-record.ts';
import { createCompanyClaims } from './company-claims.ts';
import { countWaiting, lastWaiting } from './count-waiting.ts';
import { createDays } from './day/days.ts';
import { measureIndexLag } from './index-lag.ts';
import { createJournal } from './journal.ts';
import { createOwnPortal, type OwnPortal, type OwnPortalServices } from './own-portal.ts';
import type { RecordState } from './schemas.ts';
import { companyClaimKind, dayKind, journalKind, pinnedPortalKind, statusKind } from './stored-kinds.ts';
import { pickWaiting } from './waiting-pass.ts';
import { createWriteBreakers } from './write-breaker.ts';

export function createWriteJournal(settings: Storage) {
  return createJournal({ items: openItems(settings, journalKind), clock: settings.clock });
}

export function createClaims(settings: Storage & { readonly digest: Digest }) {
  const { digest, clock } = settings;
  return createCompanyClaims({ items: openItems(settings, companyClaimKind), digest, clock });
}

/** Measures the lag of the record index. */
export function createIndexLag(settings: Storage) {
  const status = createStatus(settings);
  return () => measureIndexLag({ status, clock: settings.clock });
}

export function createStatus(settings: Storage) {
  return openItems(settings, statusKind);
}

/** Opens the passes over all records. */
export function createRecordPasses(settings: Storage, records: RecordItems) {
  const { clock } = settings;
  const services = { records, status: createStatus(settings), clock };
  return {
    audit: () => auditNext(services),
    count: () => countWaiting(services),
    waiting: (isPicked: (state: RecordState) => boolean) => pickWaiting(services, isPicked),
  };
}

/** Reads the latest count of waiting records. */
export function createCounted(settings: Storage) {
  const status = createStatus(settings);
  return () => lastWaiting(status);
}

export function createDynamoWriteBreakers(settings: Storage) {
  return createWriteBreakers({ status: createStatus(settings), clock: settings.clock });
}

/** Opens the yields and stops of each day. */
export function createDynamoDays(settings: Storage & { readonly policy: { readonly timeZone: string } }) {
  const items = openItems(settings, dayKind);
  return createDays({ items, clock: settings.clock, timeZone: settings.policy.timeZone });
}

/** Opens our HubSpot account's id. */
export function createPortal(settings: Storage, given: Omit<OwnPortalServices, 'items' | 'clock'>) {
  return createOwnPortal({ items: openItems(settings, pinnedPortalKind), clock: settings.clock, ...given });
}

/**
 * Opens our HubSpot account's id for programs without a token. They cannot look up the account.
 * @param configured id that the operator has set.
 */
export function createPortalToRead(
  settings: Storage,
  configured: string | undefined,
): Pick<OwnPortal, 'known'> {
  const account = () => Promise.reject(new Error('Only a program with a token learns the account.'));
  return createPortal(settings, { configured, account });
}
