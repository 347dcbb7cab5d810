import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { statusKind } from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { tellOfOtherPortal } from '../harness/other-portal.ts';
import { somePerson } from '../harness/people.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const contactOf = (world: World) =>
  world.portal.create('contacts', { email: somePerson(world, 0).job.email ?? '' });
const ignored = ({ logs }: World) => logs.filter(({ event }) => event === 'ignored');
const pinned = async (world: World) =>
  (await world.items(statusKind).read(statusKind.key('portal')))?.value.portal;
const ACCOUNT_FAILS = { path: 'account-info', kind: 'status' as const, status: 500, rate: 1 };

describe('events of another portal, about the id of a record of ours', () => {
  it('change nothing, and are counted', async () => {
    const world = await createWorld();
    const contact = await contactOf(world);
    await settleDown(world);
    const before = await world.states();
    await tellOfOtherPortal(world, contact);
    await settleDown(world);
    expect(await world.states()).toEqual(before);
    const counted = ignored(world).map(({ fields }) => fields as { reason: string; count: number });
    expect(counted.map(({ reason }) => reason)).toEqual(counted.map(() => 'other-portal'));
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(world.queues.live.size()).toBe(0);
  });
});

describe('while HubSpot does not tell whose portal is ours', () => {
  it('events wait, ours and others’, and what was asked for here goes on', async () => {
    const world = await createWorld({ pinned: false });
    const contact = await contactOf(world);
    const other = await world.portal.create('contacts', { email: somePerson(world, 1).job.email ?? '' });
    await tellOfOtherPortal(world, contact);
    await world.portal.change({ faults: [ACCOUNT_FAILS] });
    const wish: WorkMessage = { ...other, purpose: 'manual', eventKeys: ['manual:1'] };
    await world.queues.live.send([wish]);
    await settleDown(world);
    expect(await pinned(world)).toBeUndefined();
    expect(await world.states()).toMatchObject([{ id: other.id, outcome: { kind: 'enriched' } }]);
    const left = world.queues.live.size();
    expect(left).toBeGreaterThan(1);

    await world.portal.change({ faults: [] });
    await world.clock.sleep(6 * MINUTE_MS);
    await liveOn(world, { forMs: 2 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await pinned(world)).toEqual({ portalId: '24170001' });
    expect(world.queues.live.size()).toBe(0);
    expect(await world.state(contact)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect((await world.states()).filter(({ forgottenAtMs }) => forgottenAtMs !== undefined)).toEqual([]);
  });
});
