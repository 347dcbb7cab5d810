import type { RecallReport } from '#inside/extensions/take-back/recall.ts';
import { readLog } from '#shared/credit-ledger';
import { recordKey } from '#shared/crm';
import { recallValues } from '#shared/extensions/take-back';
import { MINUTE_MS } from '#shared/kernel';
import { forgetPerson } from '#shared/questions';
import type { Fuse } from './fuse.ts';
import type { RecordName } from './hubspot-portal.ts';
import { settleDown } from './steps.ts';
import type { World } from './world.ts';

/** Services of a removal that a person starts. */
export const removing = (world: World) => world.operator();

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
  return recallValues(world.operator(fuse), {
    obtained: { fromMs, toMs },
    questions: async function* () {
      for await (const { questionKey } of readLog(world.services.ledgerStore))
        if (questionKey !== undefined) yield questionKey;
    },
  });
}

/** Forgets the person of a record, as `forget <record>` does. */
export async function forget({ services: { forgetting } }: World, record: RecordName) {
  return forgetPerson(forgetting, await forgetting.forgetRecord(recordKey(record)));
}

/** Runs sweeps for some minutes, and the work that they queue. */
export async function sweeps(world: World, times = 3): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    await settleDown(world);
  }
}
