import { openItems, type Storage } from '#shared/versioned-items/adapters';
import { readRate } from './state.ts';
import { rateLimiterKind } from './stored-kinds.ts';

/** For those who only want to know how fast it goes. */
export function createRateReader(settings: Storage<'rateLimiter'>) {
  const items = openItems(settings, rateLimiterKind);
  return () => readRate(items);
}
