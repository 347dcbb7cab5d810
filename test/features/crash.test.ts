import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf, daysUpTo, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { yieldsOf } from '#shared/records';
import type { FusePlan } from '../harness/fuse.ts';
import { contact, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { isDrained, liveOn } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

/** Lets the first worker meet its fate, and then three hours of redelivery and sweeps pass. */
async function liveThrough(plan: FusePlan) {
  const world = await createWorld();
  // Our own write gives it a profile URL, by which another question would be asked.
  const record = await world.portal.create('contacts', { email: somePerson(world).job.email ?? '' });
  world.processes.planForNext(plan);
  await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  const struck = (world.processes.fuses[0]?.calls() ?? 0) >= plan.at;
  return { world, record, struck };
}

/** What each call of a worker came to when it was the last one, or the one that failed. */
async function endings(plan: Omit<FusePlan, 'at'>, first: number) {
  const found = new Set<string>();
  for (let at = first; ; at += STRIDE) {
    const { world, record, struck } = await liveThrough({ ...plan, at });
    if (!struck) return { calls: at - 1, found };
    const state = await world.state(record);
    const { doubtful = 0, pending = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    const asked = world.wire.questions().length;
    // What a crash leaves out is never counted, and nothing is counted twice.
    const ended = Object.values(state?.outcomes ?? {}).reduce((sum, count) => sum + count, 0);
    const days = daysUpTo(dayOf(world.clock.now(), world.policy.timeZone), 2);
    const counted = yieldsOf(await world.services.days.read(days)).reduce((sum, { runs }) => sum + runs, 0);
    expect({ at, counted, isRight: counted === ended || counted === ended - 1 }).toEqual({
      at,
      counted,
      isRight: true,
    });
    expect({ at, open: state?.run, asked: asked <= 1 }).toEqual({ at, open: undefined, asked: true });
    if (doubtful > 0) {
      // Marked as sent and never answered: nobody can know, so nobody asks again.
      expect({ at, pending, outcome: state?.outcome?.kind }).toEqual({ at, pending: 0, outcome: 'failed' });
      found.add('a doubt');
      continue;
    }
    expect({ at, credits: state?.creditsSpent }).toEqual({ at, credits: world.charged() });
    expect({ at, asked, drained: await isDrained(world) }).toEqual({ at, asked: 1, drained: true });
    const told = await world.portal.properties(record);
    expect({ at, lastname: told['lastname'] }).toEqual({ at, lastname: somePerson(world).lastName });
    // What was written is known to be ours, also where the worker was gone before it could say so.
    expect({ at, written: Object.keys(state?.ownership ?? {}) }).toEqual({
      at,
      written: expect.arrayContaining(['lastname', 'jobtitle']),
    });
    found.add(state?.outcome?.kind ?? 'none');
  }
}

const FATES = [
  { kind: 'death', effect: 'none' },
  { kind: 'death', effect: 'done' },
  { kind: 'error', effect: 'none' },
] as const;

describe('a worker that is cut off at any one of its calls', () => {
  it.each(FATES)('leaves one outcome and one charge, or a doubt: %j', async (fate) => {
    // Together they still look at every call.
    const { calls, found } = await endings(fate, 1 + (FATES.indexOf(fate) % STRIDE));
    expect(calls).toBeGreaterThan(20);
    expect(found).toContain('enriched');
    for (const each of found) expect(['enriched', 'unchanged', 'a doubt']).toContain(each);
  });
});

describe('a sweep whose clock is days ahead', () => {
  it('does nothing and says so: neither tomorrow’s budget nor records to come are passed over', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
    await world.portal.change({ webhookUrl: null });
    world.processes.planForNext({ at: 1, among: 'data-service', effect: 'done', kind: 'death' });
    await contact(world);
    await liveOn(world, { forMs: HOUR_MS });
    const newest = await world.services.ledger.newest();
    world.processes.planForSweeps({ skewMs: 2 * DAY_MS });
    await expect(world.processes.reconcile()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    expect(await world.services.ledger.newest()).toEqual(newest);
    world.processes.planForSweeps({});
    const later = await contact(world, 1);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.state(later)).toBeDefined();
  });
});
