import type { LedgerStore } from '#shared/credit-ledger';
import { createSpendBook, type SpendBook, spendHeadSchema, spendMonthSchema } from '#shared/spend';
import { createDynamoItems } from '#shared/versioned-items/adapters';
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
