import { describe, expect, it } from 'vitest';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { createHubSpotGauges } from '#shared/metrics';
import { type Notice, unsentNotices } from '#shared/privacy';
import { contact } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const POLICY = { privacy: { notice: [{ name: 'all', days: 10 }] } };

async function listed(world: World, dueByMs = world.clock.now() + 365 * DAY_MS): Promise<Notice[]> {
  const pages = await Array.fromAsync(unsentNotices(world.services.crm, { dueByMs }));
  return pages.flatMap(({ notices }) => notices);
}

async function late(world: World): Promise<number | undefined> {
  const gauges = await createHubSpotGauges({ ...world.services, clock: world.clock })();
  return gauges.find(({ metric }) => metric === 'noticesLate')?.value;
}

describe('notices', () => {
  it('are listed with due day and source until they are sent, and cost no credit', async () => {
    const world = await createWorld({ policy: POLICY });
    const [first, second] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    const charged = world.charged();
    const { enrichment_first_at: firstAt } = await world.portal.properties(first);
    expect(await listed(world)).toMatchObject([
      { id: first.id, firstAt, operation: 'personProfile', dueDay: '2026-12-01' },
      { id: second.id },
    ]);
    expect(Object.keys((await listed(world))[0] ?? {}).sort()).toEqual([
      'dueDay',
      'firstAt',
      'id',
      'operation',
    ]);
    await world.portal.edit(first, { enrichment_notice_sent_at: '2026-11-30' });
    expect((await listed(world)).map(({ id }) => id)).toEqual([second.id]);
    expect(world.charged()).toBe(charged);
  });

  it('are read page by page, each once', async () => {
    const world = await createWorld({ policy: POLICY });
    const ids = [];
    for (let nth = 0; nth < 230; nth += 1)
      ids.push((await world.portal.create('contacts', { enrichment_notice_due: '2026-10-01' })).id);
    expect((await listed(world)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('of a later day are not among those that are due by a day', async () => {
    const world = await createWorld({ policy: POLICY });
    await contact(world);
    await settleDown(world);
    const dueMs = Date.UTC(2026, 11, 1);
    expect(await listed(world, dueMs - 1)).toEqual([]);
    expect(await listed(world, dueMs)).toHaveLength(1);
  });

  it('are counted as late a week after their day, and no more once they are sent', async () => {
    const world = await createWorld({ policy: POLICY });
    const record = await contact(world);
    await settleDown(world);
    await world.clock.sleep(16 * DAY_MS);
    expect(await late(world)).toBe(0);
    await world.clock.sleep(DAY_MS);
    expect(await late(world)).toBe(1);
    await world.portal.edit(record, { enrichment_notice_sent_at: '2026-12-09' });
    expect(await late(world)).toBe(0);
  });

  it('are counted once an hour by one process, whatever the number of sweeps', async () => {
    const world = await createWorld({ policy: POLICY });
    let searches = 0;
    const { crm } = world.services;
    const counting: typeof crm = {
      ...crm,
      list: (query) => {
        searches += 1;
        return crm.list(query);
      },
    };
    const gauges = createHubSpotGauges({ ...world.services, crm: counting, clock: world.clock });
    for (let nth = 0; nth < 120; nth += 1) {
      const told: readonly Measurement[] = await gauges();
      expect(told.map(({ metric }) => metric)).toContain('noticesLate');
      await world.clock.sleep(HOUR_MS / 60);
    }
    expect(searches).toBe(2);
  });

  it('are none in an account without the properties, and nothing fails', async () => {
    const world = await createWorld({ policy: POLICY });
    const definitions = async () => new Map();
    const crm = { ...world.services.crm, definitions };
    expect(await Array.fromAsync(unsentNotices(crm, { dueByMs: world.clock.now() }))).toEqual([]);
    const gauges = await createHubSpotGauges({ ...world.services, crm, clock: world.clock })();
    expect(gauges.find(({ metric }) => metric === 'noticesLate')?.value).toBe(0);
  });
});
