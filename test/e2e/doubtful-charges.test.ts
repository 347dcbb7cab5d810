import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { lookedUpAgain } from '#shared/records';
import { cardOf, homeOf } from '../builders/at-the-screen.ts';
import { oldContact } from '../builders/old-contact.ts';
import { contact } from '../builders/people.ts';
import { WORKER_TIMEOUT_MS } from '../builders/processes.ts';
import { STRIDE } from '../builders/repeated.ts';
import { liveOn, settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';
import { openConsole } from '../simulation/console.ts';

/** Resolves each open doubt, and lets the records continue. @returns the number of doubts */
async function resolved(world: World, charged: boolean): Promise<number> {
  await world.clock.sleep(15 * MINUTE_MS);
  await world.processes.reconcile();
  const open = await world.services.ledger.openReservations();
  for (const { questionKey } of open) {
    const resolution = { questionKey, charged, note: 'looked up' };
    const { kind } = await resolveDoubt(world.services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
    expect(kind).toBe('resolved');
  }
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  return open.length;
}

describe('the credits of a record whose request was in doubt', () => {
  it.each([
    ['reset-after', true],
    ['reset-before', false],
  ] as const)('are those of the bill after the doubt is resolved: %s', async (kind, charged) => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind, times: 1 }] });
    const record = await contact(world);
    await settleDown(world);
    expect((await world.state(record))?.creditsSpent).toBe(0);
    await resolved(world, charged);
    const state = await world.state(record);
    expect(state?.outcome?.kind).toBe('enriched');
    expect(state?.creditsSpent).toBe(world.charged());
    expect((await cardOf(world, record).show()).view.creditsSpent).toBe(world.charged());
    expect((await world.portal.properties(record))['enrichment_credits']).toBe(String(world.charged()));
  });

  it.each([
    ['reset-after', true],
    ['reset-before', false],
  ] as const)('grow by a repeated lookup, which the home page names: %s', async (kind, charged) => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind, times: 1 }] });
    await contact(world);
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: MINUTE_MS });
    const before = world.charged();
    const need = (await homeOf(world).show()).view?.needs.find((each) => each.kind === 'doubt');
    if (need?.kind !== 'doubt' || !need.doubt) throw new Error('The page lists no doubt.');
    expect(need.toDo).toContain(lookedUpAgain(3, { charged: true }));
    const decision = { id: 'doubt-repeat-1', kind: 'resolve-doubt', ...need.doubt, charged } as const;
    expect(await homeOf(world).decide(decision)).toMatchObject({
      what: expect.stringContaining(lookedUpAgain(3, { charged })),
    });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(before + 3);
  });

  it('grow by a repeated lookup, which the terminal names', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-before', times: 2 }] });
    for (const index of [0, 1]) await contact(world, index);
    await settleDown(world);
    await world.clock.sleep(HOUR_MS);
    const asked: string[] = [];
    const run = openConsole(world, {}, ({ message }) => asked.push(message));
    const [doubt] = await world.services.ledger.openReservations();
    const repeated = lookedUpAgain(3, { charged: false });
    const resolve = ['doubts', 'resolve', '--not-charged', '--note', 'on no invoice'];
    expect(await run(...resolve, doubt?.questionKey ?? '')).toContain(repeated);
    await run(...resolve, '--all');
    expect(asked.join()).toContain(repeated);
  });

  it('are those of the bill when a person had agreed to the price', async () => {
    const { world, record } = await oldContact();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await cardOf(world, record).ask({ id: 'agreed-doubt-1', kind: 'enrich', maxCredits: 3 });
    expect(await resolved(world, true)).toBe(1);
    expect([(await world.state(record))?.creditsSpent, world.charged()]).toEqual([3, 3]);
  });

  it('are no charge of a request that meets the doubt, and not part of its price', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    const record = await contact(world);
    await settleDown(world);
    const card = cardOf(world, record, '3003');
    await card.ask({ id: 'meets-doubt-1', kind: 'enrich', maxCredits: 3 });
    expect(await resolved(world, true)).toBe(1);
    const state = await world.state(record);
    expect(state?.outcome).toMatchObject({
      kind: 'enriched',
      askedBy: 'user:1001',
      credits: world.charged(),
    });
    expect(state?.creditsSpent).toBe(world.charged());
    const { progress } = await card.show('meets-doubt-1');
    expect(progress?.standing).toMatchObject({
      ...{ kind: 'ended', outcome: { kind: 'failed', credits: 0 } },
      laterReason: expect.anything(),
    });
    const explained = await openConsole(world)('explain', `contacts/${record.id}`);
    expect(explained).toMatch(/\b3 runs, 6 credits\b/);
  });

  it('are counted once when two records have the same question', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    const first = await contact(world);
    await settleDown(world);
    const second = await contact(world);
    await settleDown(world);
    await resolved(world, true);
    const [one, other] = [await world.state(first), await world.state(second)];
    expect((one?.creditsSpent ?? 0) + (other?.creditsSpent ?? 0)).toBe(world.charged());
  });

  it('are those of the bill, wherever the death of a worker leaves a doubt', async () => {
    let doubts = 0;
    // With each stride, the call after which a doubt is left is among these.
    for (let at = 1 + (17 % STRIDE); ; at += STRIDE) {
      const world = await createWorld();
      world.processes.planForNext({ kind: 'death', effect: 'done', at });
      const record = await contact(world);
      await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
      const open = await resolved(world, world.charged() > 0);
      doubts += open;
      const spent = (await world.state(record))?.creditsSpent;
      if (open > 0) expect({ at, spent }).toEqual({ at, spent: world.charged() });
      if ((world.processes.fuses[0]?.calls() ?? 0) < at) break;
    }
    expect(doubts).toBeGreaterThan(0);
  });
});
