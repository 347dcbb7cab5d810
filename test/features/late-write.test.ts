import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { APP_ID, type Properties } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Answered with 503, and processed after all when the test says so. */
const LOST = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;
const OURS = { source: 'INTEGRATION', sourceId: String(APP_ID) } as const;

/** A contact whose first write was lost so, and the job title that was in it. */
async function withLostWrite(portal: Settings = {}) {
  const world = await createWorld();
  await world.portal.change({ faults: [LOST], ...portal });
  const record = await contact(world);
  await settleDown(world);
  expect((await world.state(record))?.waiting?.reason).toBe('WRITE_UNCONFIRMED');
  const jobtitle = world.wire.writes()[0]?.properties['jobtitle'] ?? '';
  return { world, record, jobtitle };
}

/** Behind what a person wrote, the lost write is processed after all. */
async function arriveLate({ world, record, jobtitle }: Lost, written: Properties = {}): Promise<void> {
  await world.portal.edit(record, { jobtitle: 'Master Potter', ...written });
  await world.portal.edit(record, { jobtitle }, OURS);
}

type Settings = Parameters<World['portal']['change']>[0];
type Lost = Awaited<ReturnType<typeof withLostWrite>>;

it('what a late write took from a person is brought back, also where nothing is to be written any more', async () => {
  const lost = await withLostWrite();
  const { world, record } = lost;
  await arriveLate(lost, { hs_contact_enrichment_opt_out: 'true' });
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Master Potter' });
  expect((await world.state(record))?.outcome?.kind).toBe('skipped');
});

it.each(['none', 'done'] as const)(
  'what a late write took is brought back, at whichever of its calls the worker that does so is gone: %s',
  async (effect) => {
    let deaths = 0;
    for (let at = 1, tries = 0; deaths === tries; at += STRIDE) {
      tries += 1;
      const lost = await withLostWrite();
      const { world, record } = lost;
      await arriveLate(lost);
      world.processes.planForNext({ at, effect, kind: 'death', forMs: 10 * SECOND_MS });
      await liveOn(world, { forMs: HOUR_MS });
      deaths += world.processes.fuses.some((fuse) => fuse.isBlown()) ? 1 : 0;
      const name = `gone at call ${at}`;
      expect(await world.portal.properties(record), name).toMatchObject({ jobtitle: 'Master Potter' });
    }
    expect(deaths * STRIDE).toBeGreaterThan(5);
  },
);

it('what HubSpot refused when it was repeated may still come, and takes nothing from a person', async () => {
  const rule = { objectType: 'contact', propertyName: 'jobtitle' } as const;
  const lost = await withLostWrite({
    valueRules: [{ ...rule, ruleType: 'MAX_LENGTH', ruleArguments: ['3'] }],
  });
  const { world, record } = lost;
  await world.portal.change({ valueRules: [] });
  await arriveLate(lost);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Master Potter' });
});

it('an attempt may still come although the next one was written and somebody asked for the record meanwhile', async () => {
  const lost = await withLostWrite();
  const { world, record, jobtitle } = lost;
  await world.portal.edit(record, { enrichment_requested: 'true' });
  await settleDown(world);
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_requested: 'false', jobtitle });
  await arriveLate(lost);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Master Potter' });
});

it('what a person empties before an attempt whose answer was lost is repeated stays empty', async () => {
  let meanwhile = async () => {};
  const world = await createWorld({
    through: (send) => (request) =>
      send(request).catch(async (error: unknown) => {
        await meanwhile();
        throw error;
      }),
  });
  const fault = { path: 'contacts/batch/update', kind: 'reset-after', rate: 1, times: 1 } as const;
  await world.portal.change({ faults: [fault] });
  const record = await contact(world);
  meanwhile = async () => {
    expect((await world.portal.properties(record))['jobtitle']).toBeTruthy();
    await world.portal.edit(record, { jobtitle: '' });
  };
  await settleDown(world);
  // What had arrived makes nobody somebody else: history told that it is ours.
  expect((await world.state(record))?.waiting?.reason).toBe('WRITE_UNCONFIRMED');
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  const [first, ...repeated] = world.wire.writes().map(({ properties }) => Object.keys(properties));
  expect(first).toContain('jobtitle');
  expect(repeated.flat()).not.toContain('jobtitle');
});

it('a worker that stands still between reading and writing reads once more', async () => {
  const reached = { pauses: 0 };
  for (let at = 1; at <= 60; at += STRIDE) {
    const world = await createWorld();
    const record = await contact(world);
    world.processes.planForNext({ at, effect: 'none', kind: 'pause', forMs: MINUTE_MS });
    const working = settleDown(world);
    // In every such pause, and without one after the question has been answered.
    await world.clock.sleep(30 * SECOND_MS);
    const before = await world.portal.properties(record);
    if (before['jobtitle'] === undefined) {
      reached.pauses += 1;
      await world.portal.edit(record, { jobtitle: 'Master Potter' });
    }
    await working;
    if (before['jobtitle'] === undefined)
      expect(await world.portal.properties(record), `pause ${at}`).toMatchObject({
        jobtitle: 'Master Potter',
      });
  }
  expect(reached.pauses * STRIDE).toBeGreaterThan(20);
});

/** A world that loses HubSpot's answer to a write. Whatever `whenLost` is given happens right after that. */
async function losingWorld() {
  let meanwhile = async () => {};
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      if (response.status === 503) await meanwhile();
      return response;
    },
  });
  await world.portal.change({ faults: [LOST] });
  const whenLost = (happens: typeof meanwhile) => {
    meanwhile = happens;
  };
  return { world, whenLost };
}

it('what a person types before a write is repeated, and empties before the next look, stays empty', async () => {
  const { world, whenLost } = await losingWorld();
  const record = await contact(world);
  whenLost(() => world.portal.edit(record, { city: 'Ulm' }));
  await settleDown(world);
  expect((await world.state(record))?.waiting?.reason).toBe('WRITE_UNCONFIRMED');
  await world.portal.edit(record, { city: '' });
  await liveOn(world, { forMs: HOUR_MS });
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  expect((await world.portal.properties(record))['city'] ?? '').toBe('');
});

it('a blank that a person typed and emptied before a write is repeated stays blank under a late write', async () => {
  const { world, whenLost } = await losingWorld();
  const record = await contact(world);
  whenLost(async () => {
    await world.clock.sleep(SECOND_MS);
    await world.portal.edit(record, { jobtitle: 'Master Potter' });
    await world.portal.edit(record, { jobtitle: '' });
  });
  await settleDown(world);
  const jobtitle = world.wire.writes()[0]?.properties['jobtitle'] ?? '';
  await world.portal.edit(record, { jobtitle }, OURS);
  await liveOn(world, { forMs: HOUR_MS });
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  await world.portal.edit(record, { phone: '+1 415 555 0100' });
  await settleDown(world);
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
});

it('of two values that a person typed around a late write the second stays', async () => {
  const { world, record, jobtitle } = await withLostWrite();
  await world.portal.edit(record, { jobtitle: 'Master Potter' });
  await world.portal.edit(record, { jobtitle }, OURS);
  await world.portal.edit(record, { jobtitle: 'Guild Master' });
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Guild Master' });
});

it('of two values that a person typed before a late write the second comes back', async () => {
  const { world, record, jobtitle } = await withLostWrite();
  await world.portal.edit(record, { jobtitle: 'Master Potter' });
  await world.portal.edit(record, { jobtitle: 'Guild Master' });
  await world.portal.edit(record, { jobtitle }, OURS);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Guild Master' });
});

it('a value that a person types while a late write is being taken back stays', async () => {
  let meanwhile = async () => {};
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      // Behind the reading of the history, before the write that gives back.
      if (request.url.includes('batch/read') && request.body?.includes('propertiesWithHistory'))
        await meanwhile();
      return response;
    },
  });
  await world.portal.change({ faults: [LOST] });
  const record = await contact(world);
  await settleDown(world);
  const jobtitle = world.wire.writes()[0]?.properties['jobtitle'] ?? '';
  await world.portal.edit(record, { jobtitle: 'Master Potter' });
  await world.portal.edit(record, { jobtitle }, OURS);
  meanwhile = async () => {
    meanwhile = async () => {};
    await world.portal.edit(record, { jobtitle: 'Guild Master' });
    await world.portal.edit(record, { jobtitle });
  };
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle });
});

it('what a person types and empties while a requested run asks stays empty', async () => {
  let meanwhile = async () => {};
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      if (request.url.startsWith(DATA_SERVICE_URL)) await meanwhile();
      return response;
    },
  });
  const record = await contact(world);
  await world.portal.edit(record, { enrichment_requested: 'true' });
  meanwhile = async () => {
    meanwhile = async () => {};
    await world.clock.sleep(SECOND_MS);
    await world.portal.edit(record, { jobtitle: 'Master Potter' });
    await world.portal.edit(record, { jobtitle: '' });
  };
  await settleDown(world);
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
});
