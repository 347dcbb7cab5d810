import type { RecallReport } from '#inside/enrichment/removal/recall.ts';
import { readLog } from '#shared/credit-ledger';
import { recallValues } from '#shared/enrichment';
import { MINUTE_MS } from '#shared/kernel';
import type { Fuse } from './fuse.ts';
import { APP_ID } from './hubspot-portal.ts';
import { settleDown } from './steps.ts';
import type { World } from './world.ts';

let made = 0;

/** Services of a removal that a person starts. */
export function removing(world: World, fuse?: Fuse) {
  const { clock, policy } = world;
  const services = fuse ? fused(world.services, fuse) : world.services;
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const newId = () => `removal-${++made}`;
  return { ...services, clock, policy, ownAppId: String(APP_ID), newId, logger };
}

type Removing = Pick<World['services'], 'records' | 'journal' | 'reviews' | 'crm' | 'forgetting'>;

/** Services of a process that may crash. */
function fused<S extends Removing>(services: S, fuse: Fuse): S {
  const { records, journal, reviews, crm, forgetting } = services;
  const { items, sideItems } = forgetting;
  return {
    ...services,
    ...{ records: fuse.guard(records), journal: fuse.guard(journal), reviews: fuse.guard(reviews) },
    crm: { ...fuse.guard(crm), until: (atMs: number) => fuse.guard(crm.until(atMs)) },
    forgetting: { ...forgetting, items: fuse.guard(items), sideItems: fuse.guard(sideItems) },
  };
}

interface Recall {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly fuse?: Fuse;
}

/** Does the same as `privacy recall`. */
export function recall(
  world: World,
  { fromMs = 0, toMs = world.clock.now(), fuse }: Recall = {},
): Promise<RecallReport> {
  return recallValues(removing(world, fuse), {
    obtained: { fromMs, toMs },
    questions: async function* () {
      for await (const { questionKey } of readLog(world.stores.ledger, 'default'))
        if (questionKey !== undefined) yield questionKey;
    },
  });
}

/** Runs sweeps for some minutes, and the work that they queue. */
export async function sweeps(world: World, times = 3): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    await settleDown(world);
  }
}
