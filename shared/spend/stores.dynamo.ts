import type { LedgerStore } from '#shared/credit-ledger';
import { openItems, type Storage } from '#shared/store';
import { createSpendBook, type SpendBook } from './spend-book.ts';
import { spendHeadKind, spendMonthKind } from './stored-kinds.ts';

export function createSpend(settings: Storage, store: LedgerStore): SpendBook {
  const { account, clock } = settings;
  return createSpendBook({
    items: openItems(settings, spendMonthKind),
    heads: openItems(settings, spendHeadKind),
    store,
    account,
    clock,
  });
}
