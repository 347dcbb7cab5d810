import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import type { WorkMessage } from '#shared/work-queue';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, jobChanger, profileUrlOf, somePerson } from '../harness/people.ts';
import { refreshAfter, settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

function contactByEmail(world: World, index = 0): Promise<RecordName> {
  return world.portal.create('contacts', { email: somePerson(world, index).job.email ?? '' });
}

/** What HubSpot told, in an order of the test's own. */
async function tell(world: World, event: Partial<WorkMessage> & { readonly id: string }): Promise<void> {
  const message = { objectType: 'contacts', purpose: 'live', eventKeys: [`event of ${event.id}`] } as const;
  await world.queues.live.send([{ ...message, ...event }]);
  await world.processes.work();
}

describe('a merge', () => {
  it('of two that were answered pays for nothing: the winner is what the primary was', async () => {
    const world = await createWorld();
    const [a, b] = [await contactByEmail(world), await contactByEmail(world, 1)];
    await settleDown(world);
    const spent = world.charged();
    await world.portal.merge(a, b);
    await settleDown(world);
    expect(world.charged()).toBe(spent);
  });

  it('does not make ours what a person typed on one and we wrote on the other', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const url = { hs_linkedin_url: profileUrlOf(mover) };
    const typed = await world.portal.create('contacts', { ...url, jobtitle: mover.job.title });
    const written = await world.portal.create('contacts', url);
    await settleDown(world);
    const merged = await world.portal.merge(typed, written);
    await settleDown(world);
    await refreshAfter(world, 181 * DAY_MS);
    expect(await world.portal.properties(merged)).toMatchObject({ jobtitle: mover.job.title });
  });

  it('into a record that a worker holds loses nothing that was known', async () => {
    const world = await createWorld();
    await world.portal.change({ mergeKeepsPrimaryId: true });
    const known = await contact(world);
    await settleDown(world);
    const winner = await contactByEmail(world, 3);
    const lastWritten = Object.keys((await world.state(known))?.ownership ?? {});
    await world.portal.sandbox.deliverWebhooks();
    const running = world.processes.work();
    await world.clock.sleep(1_000);
    await Promise.all([running, tell(world, { id: winner.id, mergedIds: [known.id] })]);
    expect(Object.keys((await world.state(winner))?.ownership ?? {})).toEqual(
      expect.arrayContaining(lastWritten),
    );
  });

  it('that is told after the one that it led to still reaches the record that remains', async () => {
    const world = await createWorld();
    const [a, b, d] = [await contact(world), await contact(world), await contact(world)];
    await settleDown(world);
    await undo(world, a, { property: 'jobtitle' });
    await world.portal.change({ webhookUrl: null });
    const c = await world.portal.merge(a, b);
    const e = await world.portal.merge(c, d);
    await tell(world, { id: e.id, mergedIds: [c.id, d.id] });
    await tell(world, { id: c.id, eventKeys: ['the earlier one'], mergedIds: [a.id, b.id] });
    expect((await world.state(e))?.ownership).toHaveProperty('jobtitle.broughtBack');
  });

  it('that is told after the privacy deletion of its winner purges the losers too', async () => {
    const world = await createWorld();
    const [a, b] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    await world.portal.change({ webhookUrl: null });
    const c = await world.portal.merge(a, b);
    await world.portal.erase(c);
    await tell(world, { id: c.id, gone: 'forgotten' });
    await tell(world, { id: c.id, eventKeys: ['the merge'], mergedIds: [a.id, b.id] });
    for (const loser of [a, b]) {
      expect(await world.services.journal.read(loser, 1)).toBeUndefined();
      expect(await world.state(loser)).toMatchObject({ forgottenAtMs: expect.any(Number) });
    }
  });
});
