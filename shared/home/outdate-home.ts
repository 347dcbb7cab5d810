import type { Clock } from '#shared/kernel';
import { change } from '#shared/versioned-items';
import type { HomeItems } from './keep-home.ts';
import { homeKind } from './stored-kinds.ts';

/** A person has decided something: the next sweep stores the page again, whatever its age. */
export async function outdateHome(homes: HomeItems, clock: Clock): Promise<void> {
  await change(homes, { key: homeKind.key(), kind: 'home', clock }, (known) => ({
    value: known && { ...known, isOutdated: true },
  }));
}
