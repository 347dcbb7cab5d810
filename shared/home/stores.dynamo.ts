import { openItems, type Storage } from '#shared/versioned-items/adapters';
import type { HomeItems } from './keep-home.ts';
import { homeKind } from './stored-kinds.ts';

export function createHomes(settings: Storage<'rateLimiter'>): HomeItems {
  return openItems(settings, homeKind);
}
