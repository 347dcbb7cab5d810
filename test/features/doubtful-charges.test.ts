import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import type { FusePlan } from '../harness/fuse.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { oldContact } from '../harness/old-contact.ts';
import { contact } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

/** Decides each open doubt as an operator does. @returns the number of doubts */
async function decided(world: World, charged: boolean): Promise<number> {
  await world.clock.sleep(15 * MINUTE_MS);
  await world.processes.reconcile();
  const open = await world.services.ledger.openReservations();
  const answer = charged ? '--charged' : '--not-charged';
  for (const { questionKey } of open)
    await openConsole(world)('doubts', 'resolve', questionKey, answer, '--note', 'usage list');
  return open.length;
}

async function resolved(world: World, charged: boolean): Promise<number> {
  const count = await decided(world, charged);
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  return count;
}

/** The record's total on the card, in `explain` and on the spend page's own figure, and the sum of its charges. */
async function totalsOf(world: World, record: RecordName) {
  const charges = (await world.ledger()).filter(
    (entry) => entry.record === recordKey(record) && ['posted', 'late'].includes(entry.kind),
  );
  const explained = await openConsole(world)('explain', `contacts/${record.id}`, '--json');
  return {
    charges: charges.reduce((sum, { amountCredits }) => sum + amountCredits, 0),
    card: (await cardOf(world, record).show()).view.creditsSpent,
    explain: JSON.parse(explained ?? '').creditsSpent,
  };
}

async function doubtful(kind: 'reset-after' | 'reset-before') {
  const world = await createWorld();
  await world.changeService({ faults: [{ kind, times: 1 }] });
  const record = await contact(world);
  await settleDown(world);
  return { world, record };
}

describe('the credits of a record whose request was in doubt', () => {
  it.each([
    ['reset-after', true, 3],
    ['reset-before', false, 0],
  ] as const)('are the sum of its charges from the decision on: %s', async (kind, charged, credits) => {
    const { world, record } = await doubtful(kind);
    expect(await totalsOf(world, record)).toEqual({ charges: 0, card: 0, explain: 0 });
    await decided(world, charged);
    const totals = { charges: credits, card: credits, explain: credits };
    expect(await totalsOf(world, record)).toEqual(totals);
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(await totalsOf(world, record)).toEqual(totals);
    expect((await world.portal.properties(record))['enrichment_credits']).toBe(String(credits));
  });

  it.each([
    ['reset-after', true],
    ['reset-before', false],
  ] as const)('do not grow by the decision: %s', async (kind, charged) => {
    const { world, record } = await doubtful(kind);
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    const before = world.charged();
    const need = (await homeOf(world).show()).view?.needs.find((each) => each.kind === 'doubt');
    if (need?.kind !== 'doubt' || !need.doubt) throw new Error('The page lists no doubt.');
    const decision = { id: 'doubt-repeat-1', kind: 'resolve-doubt', ...need.doubt, charged } as const;
    expect(await homeOf(world).decide(decision)).toMatchObject({ kind: 'decided' });
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(world.charged()).toBe(before);
    const state = await world.state(record);
    expect(state?.outcome).toMatchObject({ kind: 'skipped', reason: { code: 'may-be-looked-up' } });
    expect(world.wire.questions()).toHaveLength(1);
  });

  it('grow by a lookup that a person then asks for, at its own price', async () => {
    const { world, record } = await doubtful('reset-after');
    await resolved(world, true);
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: 'again-quote-1', kind: 'quote' });
    expect(quoted.progress?.reply).toMatchObject({ kind: 'quoted', quote: { credits: 3 } });
    await card.ask({ id: 'again-enrich-1', kind: 'enrich', maxCredits: 3 });
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    expect(await totalsOf(world, record)).toEqual({ charges: 6, card: 6, explain: 6 });
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
      kind: 'skipped',
      reason: { code: 'may-be-looked-up' },
      askedBy: 'user:1001',
      credits: world.charged(),
    });
    expect(state?.creditsSpent).toBe(world.charged());
    const { progress } = await card.show('meets-doubt-1');
    expect(progress?.standing).toMatchObject({
      ...{ kind: 'ended', outcome: { kind: 'failed', credits: 0 } },
      laterReason: expect.anything(),
    });
    const explained = await openConsole(world)('explain', `contacts/${record.id}`, '--json');
    expect(JSON.parse(explained ?? '')).toMatchObject({ runsOpened: 3, creditsSpent: 3 });
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
    const dies = async (plan: Pick<FusePlan, 'at' | 'among'>) => {
      const world = await createWorld();
      world.processes.planForNext({ kind: 'death', effect: 'done', ...plan });
      const record = await contact(world);
      await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
      const open = await resolved(world, world.charged() > 0);
      const spent = (await world.state(record))?.creditsSpent;
      if (open > 0) expect({ ...plan, spent }).toEqual({ ...plan, spent: world.charged() });
      return { open, calls: world.processes.fuses[0]?.calls() ?? 0 };
    };
    expect(await dies({ at: 1, among: 'data-service' })).toMatchObject({ open: 1 });
    for (let at = 1; ; at += STRIDE) if ((await dies({ at })).calls < at) break;
  });
});
