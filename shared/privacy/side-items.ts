import { OutsideError } from '../kernel/errors.ts';
import type { SideItem } from '../questions/side-item.ts';
import type { VersionedItems } from '../versioned-items/store.ts';

/** Two at one item lose a race or two; this many means that the store is not what it seems. */
const MAX_LOST_RACES = 50;

/** Reads, decides, and writes what was decided unless something came between; then decides anew. */
export async function changeSideItem(
  items: VersionedItems<SideItem>,
  key: string,
  decide: (item: SideItem | undefined) => SideItem | undefined,
): Promise<void> {
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const stored = await items.read(key);
    const value = decide(stored?.value);
    if (!value) return;
    const expectedVersion = stored?.version ?? 0;
    if ((await items.write({ key, value, expectedVersion })) === 'written') return;
  }
  throw new OutsideError({
    code: 'ITEM_CONTENDED',
    message: `An item changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}
