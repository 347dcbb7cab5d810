import { type Clock, DAY_MS } from '#shared/kernel';
import { type Changed, change, type Owners, type VersionedItems } from '#shared/store';
import type { SideItem } from '../schemas.ts';

export interface SideItemServices {
  readonly sideItems: VersionedItems<SideItem>;
  readonly owners: Owners;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Changes an item. If `decide` returns `undefined`, nothing is written. */
export async function changeSideItem(
  { sideItems, clock }: SideItemServices,
  item: Pick<Changed, 'key' | 'kind' | 'isMostlyNew'>,
  decide: (item: SideItem | undefined) => SideItem | undefined,
): Promise<void> {
  await change(sideItems, { ...item, clock }, (known) => ({ value: decide(known) }));
}

/** Safety margin. DynamoDB deletes up to some days late, never early. */
const MARGIN_MS = DAY_MS;

/** Returns when an item may expire, epoch milliseconds; `undefined` for never. */
export function sideItemExpiry(item: SideItem): number | undefined {
  if (item.kind !== 'links') return undefined;
  // An item lasts as long as its further items, because they are found only by this item.
  const ends = [...item.links, ...(item.more ? [item.more] : [])].map(({ untilMs = Infinity }) => untilMs);
  const lastMs = Math.max(0, ...ends);
  return lastMs === Number.POSITIVE_INFINITY ? undefined : lastMs + MARGIN_MS;
}
