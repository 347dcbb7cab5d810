import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { createWorld, type World } from '../harness/world.ts';

/** As on AWS. */
const TIMEOUT_MS = 4 * MINUTE_MS;

function eventsOf({ logs }: World) {
  const events = logs.map(({ event }) => event);
  const count = (name: string) => events.filter((event) => event === name).length;
  return { swept: count('reconciled'), skipped: count('sweep-skipped') };
}

describe('sweeps on Lambda', () => {
  it('do their work once when four overlap, and the next sweep works', async () => {
    const world = await createWorld();
    const { planForSweeps, reconcile } = world.processes;
    planForSweeps({
      timeoutMs: TIMEOUT_MS,
      strike: { at: 20, effect: 'done', kind: 'pause', forMs: 3 * MINUTE_MS },
    });
    const first = reconcile();
    planForSweeps({ timeoutMs: TIMEOUT_MS });
    for (const _ of [1, 2, 3]) {
      await world.clock.sleep(30_000);
      await reconcile();
    }
    await first;
    expect(eventsOf(world)).toEqual({ swept: 1, skipped: 3 });
    await reconcile();
    expect(eventsOf(world)).toEqual({ swept: 2, skipped: 3 });
  });

  it('wait for a crashed sweep until its invocation is over, and no longer', async () => {
    const world = await createWorld();
    const startMs = world.clock.now();
    world.processes.planForSweeps({
      timeoutMs: TIMEOUT_MS,
      strike: { at: 20, effect: 'done', kind: 'death' },
    });
    await expect(world.processes.reconcile()).rejects.toThrow('Cut off on purpose');
    // Its log reaches nobody.
    world.logs.splice(0);
    world.processes.planForSweeps({ timeoutMs: TIMEOUT_MS });
    await world.clock.sleep(startMs + TIMEOUT_MS - 1 - world.clock.now());
    await world.processes.reconcile();
    expect(eventsOf(world)).toEqual({ swept: 0, skipped: 1 });
    await world.clock.sleep(1);
    await world.processes.reconcile();
    expect(eventsOf(world)).toEqual({ swept: 1, skipped: 1 });
  });
});
