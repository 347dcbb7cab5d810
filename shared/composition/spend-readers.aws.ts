import { createBooksToRead, createLedgerFault } from '#shared/credit-ledger/adapters';
import { createBackfills } from '#shared/enrichment/adapters';
import type { Metrics } from '#shared/metrics';
import { readBreakers, withoutOldKey } from '#shared/questions';
import { createBreakerItems, createDoubtReaders } from '#shared/questions/adapters';
import {
  createCounted,
  createDynamoDailyBrought,
  createDynamoWriteBreakers,
  createPortalToRead,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { createDynamoStopDays, createSpend } from '#shared/spend/adapters';
import type { Storage } from '#shared/versioned-items/adapters';
import { createRecords } from './records.aws.ts';

type SpendReadersSettings = Parameters<typeof createBooksToRead>[0] &
  Parameters<typeof createDynamoStopDays>[0] &
  Storage<'ledger' | 'questions' | 'rateLimiter' | 'records'> & { readonly metrics?: Metrics };

/**
 * The spend page's stores, for programs without a key: its function, and an operator's own machine.
 * @param portalId of the HubSpot account; the pinned one without it.
 */
export function createSpendReaders(settings: SpendReadersSettings, portalId: string | undefined) {
  const { clock } = settings;
  const { ledger, ledgerStore } = createBooksToRead(settings);
  const items = createBreakerItems(settings);
  return {
    ledger,
    ledgerStore,
    spendBook: createSpend(settings, ledgerStore),
    records: createRecords(settings),
    journal: createWriteJournal(settings),
    reviews: createDynamoReviews(settings),
    bookedDoubts: createDoubtReaders(settings).bookedDoubts,
    counted: createCounted(settings),
    backfills: createBackfills(settings).backfills,
    dailyBrought: createDynamoDailyBrought(settings),
    stopDays: createDynamoStopDays(settings),
    // Only holders of the key know whether it is the refused one.
    breakers: { read: async () => withoutOldKey(await readBreakers({ items }), clock.now()) },
    writeBreakers: createDynamoWriteBreakers(settings),
    ledgerFault: createLedgerFault(settings),
    portal: createPortalToRead(settings, portalId),
  };
}
