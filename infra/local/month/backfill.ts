import {
  backfillItems,
  backfillKind,
  beginSorting,
  moveBackfill,
  newBackfill,
  sortPage,
} from '#shared/extensions/backfill';
import { dayOf } from '#shared/kernel';
import { recentMatchRate } from '#shared/spend';
import type { World } from './world.ts';

const PAGE = 100;

/** A backfill of the old customers, at a time in epoch milliseconds. */
export function backfillOfCustomers(world: World, atMs: number) {
  return { atMs, run: () => backfillCustomers(world) };
}

/** Quotes it. Approves the trial and the other records in advance, up to the quote. */
async function backfillCustomers(world: World): Promise<void> {
  const { services } = world.system;
  const items = backfillItems(services);
  const { policy, installedAtMs, clock, newId, logger } = world;
  const id = newId().slice(0, 8);
  const where = [{ property: 'lifecyclestage', value: 'customer' }];
  const scope = { objectType: 'contacts', words: 'lifecyclestage=customer', where } as const;
  const matchRate = () => recentMatchRate(services.spendBook, dayOf(clock.now(), policy.timeZone));
  const sorting = { ...services, ...items, policy, installedAtMs, clock, newId, logger, matchRate };
  let backfill = newBackfill(id, { scope, trialSize: policy.backfill, nowMs: clock.now() });
  await items.backfills.write({ key: backfillKind.key(id), value: backfill, expectedVersion: undefined });
  const begun = await beginSorting(sorting, backfill);
  while (backfill.state === 'quoting') {
    const { ids, total } = await services.crm.list({ ...scope, afterId: backfill.afterId, limit: PAGE });
    const page = { ids, afterId: ids.at(-1), isLast: total <= ids.length };
    backfill = await sortPage(sorting, { backfill, page, ...begun });
  }
  await moveBackfill({ ...items, clock }, id, {
    kind: 'start',
    agreedBeforehand: true,
  });
}
