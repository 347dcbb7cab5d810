import { describe, expect, it } from 'vitest';
import { cardOf } from '../harness/at-the-screen.ts';
import { begun, minutes, oldPortal, operator } from '../harness/old-portal.ts';
import type { World } from '../harness/world.ts';

/** Credits by backfill: as the ledger's charges name them, and as the list of backfills shows them. */
async function creditsOf(world: World) {
  const ledger: Record<string, number> = {};
  for (const { kind, askedBy = '', amountCredits } of await world.ledger())
    if (kind === 'posted' || kind === 'late') ledger[askedBy] = (ledger[askedBy] ?? 0) + amountCredits;
  const { backfills } = await operator(world)('backfill', 'list');
  const listed = (backfills as readonly { id: string; spent: number }[]).map(({ id, spent }) => [
    `backfill:${id}`,
    spent,
  ]);
  return { ledger, listed: Object.fromEntries(listed.filter(([, spent]) => spent !== 0)) };
}

describe('two backfills over the same records', () => {
  it.each([0, 2])('count each charge once: the second starts after %i minutes', async (after) => {
    const world = await oldPortal(30, { policy: { backfill: { trial: 20, trialPerStratum: 20 } } });
    const command = operator(world);
    const first = await begun(command, 'contacts');
    await minutes(world, after);
    const second = await begun(command, 'contacts');
    await minutes(world, 15);
    for (const id of [first, second]) await command('backfill', 'run', id, '--yes');
    await minutes(world, 20);
    const { ledger, listed } = await creditsOf(world);
    expect(listed).toEqual(ledger);
  });

  it('count no charge of a person who asks for a record at the same price', async () => {
    const world = await oldPortal(12, { policy: { backfill: { trial: 20, trialPerStratum: 20 } } });
    await begun(operator(world), 'contacts');
    await world.processes.reconcile();
    for (const [index, record] of world.people.entries())
      await cardOf(world, record).post({ id: `same-price-${index}`, kind: 'enrich', maxCredits: 1 });
    await minutes(world, 15);
    const { ledger, listed } = await creditsOf(world);
    expect(ledger).toHaveProperty(['user:1001']);
    const { 'user:1001': _, ...ofBackfills } = ledger;
    expect(listed).toEqual(ofBackfills);
  });
});
