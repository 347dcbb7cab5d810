import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#inside/kernel/clock.ts';
import { cardOf } from '../builders/at-the-screen.ts';
import { contact } from '../builders/people.ts';
import { liveOn, settleDown, verify } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

/** Another user than the one who created the record. */
const USER = '2002';
const ID = 'waiting-request-1';
/** A lookup of the record costs 3 credits. */
const LESS = { id: ID, kind: 'enrich', maxCredits: 2 } as const;

async function sweepLater(world: World): Promise<void> {
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  await settleDown(world);
}

async function chargesOf(world: World): Promise<readonly object[]> {
  const entries = await world.ledger();
  return entries.filter(({ kind }) => kind === 'posted');
}

describe('a request with a lower price at a record whose automatic run waits', () => {
  it('buys nothing, and the automatic run is charged to its own source', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const record = await contact(world);
    await settleDown(world);
    const card = cardOf(world, record, USER);
    const { progress } = await card.ask(LESS);
    expect(progress?.standing).toMatchObject({
      ...{ kind: 'ended', outcome: { kind: 'skipped', credits: 0 } },
      why: expect.stringContaining('also due for another reason'),
    });
    await world.services.questions.breakers.resume();
    await sweepLater(world);
    expect(await chargesOf(world)).toMatchObject([{ purpose: 'live', askedBy: 'user:1001' }]);
    expect((await card.show(ID)).progress?.standing).toMatchObject({
      ...{ kind: 'ended', isOfLaterRun: true, outcome: { kind: 'enriched', credits: 0 } },
      why: expect.stringContaining('not this request'),
    });
    await verify(world);
  });

  it('reports no charge that was made before it', async () => {
    const world = await createWorld();
    await world.portal.change({
      faults: [{ kind: 'status', status: 500, rate: 1, path: '/batch/update' }],
    });
    const record = await contact(world);
    await settleDown(world);
    expect(world.charged()).toBe(3);
    const card = cardOf(world, record, USER);
    const waiting = await card.ask(LESS);
    expect(waiting.progress?.standing).toMatchObject({ kind: 'waiting', credits: 0 });
    await world.portal.change({ faults: [] });
    await sweepLater(world);
    expect((await card.show(ID)).progress?.standing).toMatchObject({
      ...{ kind: 'ended', outcome: { kind: 'enriched', credits: 0 } },
    });
    expect(await chargesOf(world)).toMatchObject([{ amountCredits: 3, askedBy: 'user:1001' }]);
    await verify(world);
  });

  it('reports no charge that a worker made while the request arrived', async () => {
    const world = await createWorld();
    await world.portal.change({
      faults: [{ kind: 'status', status: 500, rate: 1, path: '/batch/update' }],
    });
    const record = await contact(world);
    await world.portal.sandbox.deliverWebhooks();
    const card = cardOf(world, record, USER);
    await Promise.all([world.processes.work(), card.post(LESS).then(() => world.processes.work())]);
    await settleDown(world);
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const { progress } = await card.show(ID);
    expect([world.charged(), progress?.standing]).toMatchObject([3, { kind: 'ended', outcome: { credits: 0 } }]);
    await verify(world);
  });
});
