import { verifyNewest } from '#shared/credit-ledger';
import { createBooksToRead } from '#shared/credit-ledger/adapters';
import { createBackfills } from '#shared/enrichment/adapters';
import { createDigest } from '#shared/kernel/adapters';
import type { Metrics } from '#shared/metrics';
import { readBreakers, withoutOldKey } from '#shared/questions';
import { createBreakerItems, createDoubtReaders } from '#shared/questions/adapters';
import {
  createCounted,
  createDynamoDays,
  createDynamoWriteBreakers,
  createPortalToRead,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { createSpend } from '#shared/spend/adapters';
import type { Storage } from '#shared/store';
import { createRecords } from './records.aws.ts';

type SpendReadersSettings = Parameters<typeof createBooksToRead>[0] &
  Parameters<typeof createDynamoDays>[0] &
  Storage & { readonly metrics?: Metrics };

/**
 * Opens the stores of the spend page for programs without a key: the page's function, and an operator's machine.
 * @param portalId the HubSpot account that the operator has set; without it, the pinned one is read.
 */
export function createSpendReaders(settings: SpendReadersSettings, portalId: string | undefined) {
  const { account, clock } = settings;
  // The digest's secret is not used here, because entry hashes need no secret.
  const digest = createDigest('not used: only hashes by SHA-256');
  const { ledger, ledgerStore } = createBooksToRead(settings);
  const items = createBreakerItems(settings);
  return {
    ledger,
    ledgerStore,
    spendBook: createSpend(settings, ledgerStore),
    records: createRecords(settings),
    journal: createWriteJournal(settings),
    reviews: createDynamoReviews(settings),
    ...createDoubtReaders(settings),
    counted: createCounted(settings),
    backfills: createBackfills(settings).backfills,
    days: createDynamoDays(settings),
    // This program does not know the key in use, so it hides stops that belong to an old key.
    breakers: { read: async () => withoutOldKey(await readBreakers({ items }), clock.now()) },
    writeBreakers: createDynamoWriteBreakers(settings),
    checkBooks: () => verifyNewest(ledgerStore, { account, digest }),
    portal: createPortalToRead(settings, portalId),
  };
}
