import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import { contact, somePerson } from '../harness/people.ts';
import { liveOn, settleDown, verify } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

describe('a page opened before a deployment', () => {
  it('buys nothing that costs more than its user saw, and the record says so', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    const card = cardOf(world, record);
    const { progress } = await card.ask({ id: 'quote-before-1', kind: 'quote' });
    if (progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(progress));
    const { credits: maxCredits } = progress.reply.quote;
    world.changePolicy({ questions: { wantPhone: true } });
    const later = await card.ask({ id: 'quote-after-1', kind: 'quote' });
    if (later.progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(later.progress));
    expect(later.progress.reply.quote.credits).toBeGreaterThan(maxCredits);
    await card.ask({ id: 'enrich-stale-1', kind: 'enrich', maxCredits });
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'skipped', credits: 0 } });
    expect(world.charged()).toBe(0);
    await verify(world);
  });

  it('starts only the waiting records that the lowered budget pays', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 20 } } });
    for (let index = 0; index < 40; index += 1) {
      const email = somePerson(world, index).job.email ?? '';
      await world.portal.create('contacts', { email }, [], { source: 'IMPORT' });
    }
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    const view = (await homeOf(world).show()).view;
    const admit = view?.waiting.find((line) => line.admit !== undefined)?.admit;
    if (!admit) throw new Error(JSON.stringify(view?.waiting));
    const before = world.charged();
    world.changePolicy({ budgets: { perDay: before + 2 } });
    await homeOf(world).decide({ id: 'admit-stale-1', kind: 'admit', purpose: 'import', maxCredits: 20 });
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    expect(world.charged() - before).toBeLessThanOrEqual(2);
    await verify(world);
  });

  it('gets the reply to a request that was queued before and carried out after', async () => {
    const world = await createWorld();
    const home = homeOf(world);
    expect((await home.post({ id: 'stop-before-1', kind: 'stop-spending' })).status).toBe(202);
    world.changePolicy({ questions: { wantPhone: true } });
    await settleDown(world);
    expect(await home.reply('stop-before-1')).toMatchObject({ kind: 'decided' });
  });
});
