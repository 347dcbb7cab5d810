import { MINUTE_MS } from '#shared/kernel';
import type { Pace } from '#shared/work-queue';
import type { RecordName } from './hubspot-portal.ts';
import type { World } from './world.ts';

/** Imports contacts with one address each. The worker notes them, so they wait for a sweep to admit them. */
export async function importContacts(world: World, count: number): Promise<void> {
  const known = world.dataService.world.people.filter(({ job }) => job.email !== undefined);
  for (let index = 0; index < count; index += 1) {
    const email = known[index]?.job.email ?? `person-${index}@firm-${index}.com`;
    await world.portal.create('contacts', { email }, [], { source: 'IMPORT' });
  }
  await world.portal.sandbox.deliverWebhooks();
  await world.processes.work();
  world.wire.forget();
}

/** Creates a new lead from a form, with its webhook. */
export async function submitForm(world: World, name: string): Promise<RecordName> {
  const email = `${name}@firm-${name}.com`;
  const lead = await world.portal.create('contacts', { email }, [], { source: 'FORM' });
  await world.portal.sandbox.deliverWebhooks();
  return lead;
}

/** Runs the event sources with the stack's settings, and the sweep every minute, while `meanwhile` runs. */
export async function liveWithEventSources(
  world: World,
  pace: Pace,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const polling = world.processes.poll(pace, stopping.signal);
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      await world.processes.reconcile();
      // No test reads these requests, and a long run makes millions.
      world.wire.forget();
      world.logs.length = 0;
      await world.clock.sleep(MINUTE_MS);
    }
  })();
  await meanwhile();
  stopping.abort();
  await Promise.all([polling, sweeping]);
}
