import { backfillKind, beginSorting, moveBackfill, newBackfill, sortPage } from '#shared/enrichment';
import { DAY_MS, utcDay } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { WORKER_TIMEOUT_MS } from '../system.ts';
import type { World } from './world.ts';

/** Page size of HubSpot's batch read. */
const PAGE = 100;

/** Quotes a backfill of the old customers. Approves the trial and the other records in advance, up to the quote. */
export async function backfillCustomers(world: World): Promise<void> {
  const { services } = world.system;
  const { policy, installedAtMs, clock, newId, logger } = world;
  const id = newId().slice(0, 8);
  const where = [{ property: 'lifecyclestage', value: 'customer' }];
  const scope = { objectType: 'contacts', words: 'lifecyclestage=customer', where } as const;
  const sorting = { ...services, policy, installedAtMs, clock, newId, logger };
  let backfill = newBackfill(id, { scope, trialSize: policy.backfill, nowMs: clock.now() });
  await services.backfills.write({ key: backfillKind.key(id), value: backfill, expectedVersion: undefined });
  const begun = await beginSorting(sorting, backfill);
  while (backfill.state === 'quoting') {
    const { ids, total } = await services.crm.list({ ...scope, afterId: backfill.afterId, limit: PAGE });
    const page = { ids, afterId: ids.at(-1), isLast: total <= ids.length };
    backfill = await sortPage(sorting, { backfill, page, ...begun });
  }
  await moveBackfill({ backfills: services.backfills, clock }, id, {
    kind: 'start',
    agreedBeforehand: true,
  });
}

/** Buys credits from the vendor. Books them with their invoice and an expiry in a year. */
export async function buyCredits(world: World, { credits, invoice }: { credits: number; invoice: string }) {
  const { creditBalance } = world.dataService.state().settings;
  await world.changeService({ creditBalance: creditBalance + credits });
  await bookPurchase(world, { credits, invoice });
}

export async function bookPurchase(
  { system, clock, newId }: World,
  { credits: amountCredits, invoice: reason }: { credits: number; invoice: string },
): Promise<void> {
  const expiresOn = utcDay(clock.now() + 365 * DAY_MS);
  await system.services.ledger.apply({
    kind: 'grant',
    id: `grant:${newId()}`,
    ...{ amountCredits, reason, expiresOn },
  });
}

/** Resolves all doubts as charged, because the vendor's list of calls contains them. */
export async function resolveDoubts({ system: { services } }: World): Promise<void> {
  for (const { questionKey } of await services.openDoubts()) {
    const resolution = { questionKey, charged: true, note: 'on the list of calls of the vendor' };
    await resolveDoubt(services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
  }
}
