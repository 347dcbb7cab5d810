import type { Clock } from '#shared/kernel/clock.ts';
import { type Changed, change } from '#shared/versioned-items/change.ts';
import type { VersionedItems } from '#shared/versioned-items/store.ts';
import type { SideItem } from './side-item.ts';

export interface SideItemServices {
  readonly sideItems: VersionedItems<SideItem>;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Where nothing is decided, nothing is written. */
export async function changeSideItem(
  { sideItems, clock }: SideItemServices,
  item: Pick<Changed, 'key' | 'kind' | 'isMostlyNew'>,
  decide: (item: SideItem | undefined) => SideItem | undefined,
): Promise<void> {
  await change(sideItems, { ...item, clock }, (known) => ({ value: decide(known) }));
}
