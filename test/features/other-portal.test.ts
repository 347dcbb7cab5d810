import { describe, expect, it } from 'vitest';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { MARKED_PROPERTY } from '#shared/field-policy';
import { MINUTE_MS } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { statusKind } from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { leaveMark } from '../../infra/local/own-installation.ts';
import { tellOfOtherPortal } from '../harness/other-portal.ts';
import { contactByEmail } from '../harness/people.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const contactOf = (world: World) => contactByEmail(world, 0);

const ignored = ({ logs }: World) => logs.filter(({ event }) => event === 'ignored');

const pinned = async (world: World) =>
  (await world.items(statusKind).read(statusKind.key('portal')))?.value.portal;

const ACCOUNT_FAILS = { path: 'account-info', kind: 'status' as const, status: 500, rate: 1 };

it('events of another portal, about the id of a record of ours change nothing, and are counted', async () => {
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

it('while HubSpot does not tell whose portal is ours events wait, ours and others’, and what was asked for here goes on', async () => {
  const world = await createWorld({ pinned: false });
  const contact = await contactOf(world);
  const other = await contactByEmail(world, 1);
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

describe('the sweep', () => {
  it('reports 0 without a mark, 1 for the mark of another installation, 0 for its own', async () => {
    const { world, told } = await watched();
    expect(await told()).toEqual([0]);
    await markOther(world);
    expect(await told()).toEqual([1]);
    await leaveMark(world.services);
    expect(await told()).toEqual([0]);
  });

  it("does not mistake a person's text in the description for a mark", async () => {
    const { world, told } = await watched();
    const { hubSpot } = world.services;
    const { objectType, name } = MARKED_PROPERTY;
    await hubSpot.describeProperty(objectType, { name, description: 'Ask Mina [installation unknown]' });
    expect(await told()).toEqual([0]);
  });

  it('reports the other gauges, but not installations, while HubSpot does not answer', async () => {
    const { world, told, emitted } = await watched();
    await markOther(world);
    world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1 }] });
    expect(await told()).toEqual([]);
    expect(emitted.map(({ metric }) => metric)).toContain('budgetUsed');
    world.portal.change({ faults: [] });
    expect(await told()).toEqual([1]);
  });
});

async function watched() {
  const emitted: Measurement[] = [];
  const world = await createWorld({
    watch: {
      metrics: { emit: (measurements) => void emitted.push(...measurements) },
      invoked: () => undefined,
      answered: () => undefined,
    },
  });
  /** What one sweep says of installations. */
  const told = async () => {
    emitted.length = 0;
    await world.processes.reconcile();
    return emitted.flatMap(({ metric, value }) => (metric === 'otherInstallation' ? [value] : []));
  };
  return { world, told, emitted };
}

function markOther({ services: { hubSpot } }: World) {
  return leaveMark({ hubSpot, digest: createDigest('the secret of another installation') });
}
