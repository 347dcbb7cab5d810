import { openItems, type Storage } from '#shared/store';
import { readRate } from './state.ts';
import { rateLimiterKind } from './stored-kinds.ts';

/** Creates a reader of the vendor's rate, requests a minute. */
export function createRateReader(settings: Storage) {
  const items = openItems(settings, rateLimiterKind);
  return () => readRate(items);
}
