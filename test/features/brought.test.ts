import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf, daysUpTo, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { dayKind, recordKind, type YieldKind, yieldsOf } from '#shared/records';
import { openMemoryStore } from '../harness/memory-items.ts';
import { contact } from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { putsOf, touches, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

async function brought(world: World) {
  const today = dayOf(world.clock.now(), world.policy.timeZone);
  return yieldsOf(await world.services.days.read(daysUpTo(today, 2_600)));
}

async function runsBy(world: World, kinds: readonly YieldKind[]): Promise<number> {
  const rows = (await brought(world)).filter(({ kind }) => kinds.includes(kind));
  return rows.reduce((sum, { runs }) => sum + runs, 0);
}

/** How often runs ended so, as the records' own states tell. */
async function ended(world: World, kind: 'enriched' | 'unchanged' | 'unmatched' | 'skipped' | 'failed') {
  return (await world.states()).reduce((sum, { outcomes }) => sum + outcomes[kind], 0);
}

async function expectAgreement(world: World): Promise<void> {
  const told = {
    enriched: await runsBy(world, ['filled']),
    others: await runsBy(world, ['confirmed', 'skipped', 'gone']),
    unmatched: await runsBy(world, ['unmatched']),
    failed: await runsBy(world, ['failed']),
  };
  expect(told).toEqual({
    enriched: await ended(world, 'enriched'),
    others: (await ended(world, 'unchanged')) + (await ended(world, 'skipped')),
    unmatched: await ended(world, 'unmatched'),
    failed: await ended(world, 'failed'),
  });
}

/** Fields that have a value now and had none when the record was made; each of them was filled once. */
async function filledNow(world: World): Promise<number> {
  const targets = new Set(world.policy.fields.contacts.map(({ property }) => property));
  let filled = 0;
  for (const { objectType, id } of await world.states()) {
    const entries = await world.services.journal.ofRecord({ objectType, id }, 9);
    for (const { changes } of entries)
      filled += changes.filter(
        ({ property, state, after }) => targets.has(property) && state === 'written' && after,
      ).length;
  }
  return filled;
}

async function theOnly(world: World) {
  const [state] = await world.states();
  if (!state) return undefined;
  const key = recordKind.key(state);
  const stored = await world.items(recordKind).read(key);
  return stored && { key, ...stored };
}

const step = fc.constantFrom(
  'known',
  'unknown',
  'nobody',
  'import',
  'repeat',
  'a day',
  'delete',
  'a refresh',
);

describe('what a day brought', () => {
  it('is what the runs say, whatever comes, twice or late', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.nat(1_000),
      async (steps, seed) => {
        const world = await createWorld({ seed });
        const made = [];
        for (const [index, each] of steps.entries()) {
          if (each === 'known') made.push(await contact(world, index));
          if (each === 'unknown')
            await world.portal.create('contacts', { email: `x${index}@unknown.example` });
          if (each === 'nobody') await world.portal.create('contacts', { firstname: 'Nobody' });
          if (each === 'import') await contact(world, index, { jobtitle: 'Theirs' });
          if (each === 'repeat') for (const queue of Object.values(world.queues)) queue.duplicateAll();
          if (each === 'a day') await world.clock.sleep(DAY_MS);
          const gone = each === 'delete' ? made.pop() : undefined;
          if (gone) await world.portal.archive(gone);
          if (each === 'a refresh') {
            await world.clock.sleep(181 * DAY_MS);
            await world.processes.refresh();
          }
          if (index % 3 > 0) await settleDown(world);
        }
        await liveOn(world, { forMs: HOUR_MS, everyMs: 20 * MINUTE_MS });
        await expectAgreement(world);
      },
    );
    await fc.assert(property, { seed: 20_261_122, numRuns: repeated(20) });
  });

  it('counts a run once that another worker has taken over meanwhile', async () => {
    let isTaken = false;
    const world: World = await createWorld({
      through: (send) => async (request) => {
        const stored = isTaken || !request.url.includes('/batch/update') ? undefined : await theOnly(world);
        if (stored?.value.claim) {
          isTaken = true;
          const { key, value, version } = stored;
          const claim = { ...stored.value.claim, owner: 'another worker' };
          await world.items(recordKind).write({ key, value: { ...value, claim }, expectedVersion: version });
        }
        return send(request);
      },
    });
    await contact(world, 0);
    await settleDown(world);
    expect([isTaken, await brought(world)]).toEqual([true, []]);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await ended(world, 'enriched')).toBe(1);
    expect(await runsBy(world, ['filled', 'confirmed'])).toBe(1);
  });

  it('counts the fields of the answer that were written, and not the status', async () => {
    const world = await createWorld();
    await contact(world, 0);
    await contact(world, 1, { jobtitle: 'Theirs' });
    await settleDown(world);
    const rows = await brought(world);
    expect(rows).toEqual([
      { purpose: 'live', kind: 'filled', source: 'user', runs: 2, fields: await filledNow(world) },
    ]);
    expect(rows[0]?.fields).toBeGreaterThan(10);
  });

  it('tells what a refresh found: changed, as it was, or gone', async () => {
    const world = await createWorld();
    await contact(world, 0);
    const gone = await contact(world, 1);
    await settleDown(world);
    await world.clock.sleep(181 * DAY_MS);
    await world.processes.refresh();
    await world.portal.archive(gone);
    // The refresh comes before HubSpot tells of the deletion.
    await world.processes.work({ workers: 1 });
    await settleDown(world);
    const refreshed = (await brought(world)).filter(({ purpose }) => purpose === 'refresh');
    expect(refreshed.map(({ kind, runs }) => `${kind} ${runs}`)).toEqual(['confirmed 1', 'gone 1']);
  });

  it('harms nothing where it cannot be kept', async () => {
    const store = watchedStore(openMemoryStore(), async (request, send) => {
      if (putsOf(request, dayKind).length > 0) throw new Error('a full table');
      return send();
    });
    const world = await createWorld({ store });
    const record = await contact(world, 0);
    await settleDown(world);
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    expect(await brought(world)).toEqual([]);
    expect(world.logs.filter(({ event }) => event === 'brought-not-kept')).toHaveLength(1);
    expect(Object.values(world.queues).map((queue) => queue.size())).toEqual([0, 0, 0]);
  });

  it('costs a read and a write for all that a worker has in hand', async () => {
    let [reads, writes] = [0, 0];
    const store = watchedStore(openMemoryStore(), (request, send) => {
      const isOfDay = touches(request, dayKind);
      reads += Number(isOfDay && request.kind === 'getMany');
      writes += Number(isOfDay && request.kind === 'transact');
      return send();
    });
    const world = await createWorld({ store });
    for (let index = 0; index < 5; index += 1) await contact(world, index);
    await settleDown(world);
    expect(await ended(world, 'enriched')).toBe(5);
    expect(writes).toBeLessThan(5);
    expect(reads).toBe(writes);
  });
});
