import { describe, expect, it } from 'vitest';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { MARKED_PROPERTY } from '#shared/field-policy';
import { createDigest } from '#shared/kernel/adapters';
import { leaveMark } from '../../infra/local/installation-mark.ts';
import { createWorld, type World } from '../harness/world.ts';

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
