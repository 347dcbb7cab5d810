import { DAY_MS } from '#shared/kernel';
import type { RecordName } from './hubspot-portal.ts';
import { contact } from './people.ts';
import { settleDown } from './steps.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** A contact that is older than the installation. It is enriched only at a person's request. */
export async function oldContact(options: WorldOptions = {}): Promise<{ world: World; record: RecordName }> {
  const world = await createWorld({ agedMs: DAY_MS, ...options });
  const record = await contact(world);
  await settleDown(world);
  if (world.charged() > 0) throw new Error('A lookup was made without a request.');
  return { world, record };
}
