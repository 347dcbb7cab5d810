import { openItems, type Storage } from '#shared/store';
import type { HomeItems } from './keep-home.ts';
import { homeKind } from './stored-kinds.ts';

export function createHomes(settings: Storage): HomeItems {
  return openItems(settings, homeKind);
}
