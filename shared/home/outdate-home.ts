import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import type { HomeItems } from './keep-home.ts';
import { homeKind } from './stored-kinds.ts';

/**
 * Marks the page as outdated after a person has decided something. The next sweep then stores it again, whatever its
 * age.
 */
export async function outdateHome(homes: HomeItems, clock: Clock): Promise<void> {
  await change(homes, { key: homeKind.key(), kind: 'home', clock }, (known) => ({
    value: known && { ...known, isOutdated: true },
  }));
}
