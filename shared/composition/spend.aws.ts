import type { LedgerStore } from '#shared/credit-ledger/store.ts';
import { spendHeadSchema, spendMonthSchema } from '#shared/spend/schemas.ts';
import { createSpendBook, type SpendBook } from '#shared/spend/spend-book.ts';
import { createDynamoItems } from '#shared/versioned-items/store.dynamo.ts';
import { type Storage, stored } from './storage.aws.ts';

export interface SpendSettings extends Storage<'rateLimiter'> {
  readonly account: string;
}

export function createSpend(settings: SpendSettings, store: LedgerStore): SpendBook {
  return createSpendBook({
    items: createDynamoItems(stored(settings, { table: 'rateLimiter', schema: spendMonthSchema })),
    heads: createDynamoItems(stored(settings, { table: 'rateLimiter', schema: spendHeadSchema })),
    store,
    account: settings.account,
    clock: settings.clock,
  });
}
