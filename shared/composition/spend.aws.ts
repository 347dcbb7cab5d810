import type { LedgerStore } from '#shared/credit-ledger';
import { createSpendBook, type SpendBook, spendHeadKind, spendMonthKind } from '#shared/spend';
import { openItems, type Storage } from './storage.aws.ts';

export type SpendSettings = Storage<'rateLimiter'>;

export function createSpend(settings: SpendSettings, store: LedgerStore): SpendBook {
  return createSpendBook({
    items: openItems(settings, spendMonthKind),
    heads: openItems(settings, spendHeadKind),
    store,
    account: settings.account,
    clock: settings.clock,
  });
}
