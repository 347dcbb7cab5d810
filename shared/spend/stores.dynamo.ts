import type { LedgerStore } from '#shared/credit-ledger';
import { openItems, type Storage } from '#shared/versioned-items/adapters';
import { createSpendBook, type SpendBook } from './spend-book.ts';
import { createStopDays } from './stop-days.ts';
import { spendHeadKind, spendMonthKind, stopDayKind } from './stored-kinds.ts';

export function createSpend(settings: Storage<'rateLimiter'>, store: LedgerStore): SpendBook {
  const { account, clock } = settings;
  return createSpendBook({
    items: openItems(settings, spendMonthKind),
    heads: openItems(settings, spendHeadKind),
    store,
    account,
    clock,
  });
}

/** Opens the history of stops, by day. */
export function createDynamoStopDays(
  settings: Storage<'rateLimiter'> & { readonly policy: { readonly timeZone: string } },
) {
  const items = openItems(settings, stopDayKind);
  return createStopDays({ items, clock: settings.clock, timeZone: settings.policy.timeZone });
}
