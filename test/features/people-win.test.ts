import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '#shared/http';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because } from '#shared/records';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import { APP_ID, type Properties, type RecordName } from '../harness/hubspot-portal.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import {
  foundByEmail,
  isDrained,
  liveOn,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Answered with 503, and processed after all when the test says so. */
const LOST = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;

const TITLE = { objectType: 'contact', propertyName: 'jobtitle' } as const;

const OURS = { source: 'INTEGRATION', sourceId: String(APP_ID) } as const;

/** A contact whose first write was lost so, and the job title that was in it. */
async function withLostWrite(portal: Settings = {}) {
  const world = await createWorld();
  await world.portal.change({ faults: [LOST], ...portal });
  const record = await settledContact(world);
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

it.each<[string, Settings, (lost: Lost) => Promise<unknown>, string]>([
  [
    'also where nothing is to be written any more',
    {},
    (lost) => arriveLate(lost, { hs_contact_enrichment_opt_out: 'true' }),
    'Master Potter',
  ],
  [
    'also where HubSpot refused the value when it was repeated',
    { valueRules: [{ ...TITLE, ruleType: 'MAX_LENGTH', ruleArguments: ['3'] }] },
    async (lost) => {
      await lost.world.portal.change({ valueRules: [] });
      await arriveLate(lost);
    },
    'Master Potter',
  ],
  [
    'although the next attempt was written and somebody asked for the record meanwhile',
    {},
    async (lost) => {
      const { world, record, jobtitle } = lost;
      await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
      expect(await world.portal.properties(record)).toMatchObject({
        enrichment_requested: 'false',
        jobtitle,
      });
      await arriveLate(lost);
    },
    'Master Potter',
  ],
  [
    'of two values the second, where both were typed before it',
    {},
    async (lost) => {
      await lost.world.portal.edit(lost.record, { jobtitle: 'Guild Master' });
      await arriveLate(lost);
    },
    'Master Potter',
  ],
  [
    'but not over a value that was typed after it',
    {},
    async (lost) => {
      await arriveLate(lost);
      await lost.world.portal.edit(lost.record, { jobtitle: 'Guild Master' });
    },
    'Guild Master',
  ],
])('what a late write took from a person is brought back, %s', async (_, portal, befall, jobtitle) => {
  const lost = await withLostWrite(portal);
  const { world, record } = lost;
  await befall(lost);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle });
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
  expect(reached.pauses * STRIDE).toBeGreaterThan(9);
});

/** A world in which what `meanwhile` is given happens once, right after an answer like that. */
async function interruptedWorld(isMoment: (request: HttpRequest, response: HttpResponse) => boolean) {
  let happens = async () => {};
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      if (isMoment(request, response)) await happens();
      return response;
    },
  });
  const meanwhile = (once: typeof happens) => {
    happens = async () => {
      happens = async () => {};
      await once();
    };
  };
  return { world, meanwhile };
}

/** The same, after HubSpot's answer to a write is lost. */
async function losingWorld() {
  const { world, meanwhile: whenLost } = await interruptedWorld((_, { status }) => status === 503);
  await world.portal.change({ faults: [LOST] });
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
  await settled(world, world.portal.edit(record, { phone: '+1 415 555 0100' }));
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
});

it('a value that a person types while a late write is being taken back stays', async () => {
  // Behind the reading of the history, before the write that gives back.
  const { world, meanwhile } = await interruptedWorld(
    ({ url, body }) => url.includes('batch/read') && body?.includes('propertiesWithHistory') === true,
  );
  await world.portal.change({ faults: [LOST] });
  const record = await settledContact(world);
  const jobtitle = world.wire.writes()[0]?.properties['jobtitle'] ?? '';
  await world.portal.edit(record, { jobtitle: 'Master Potter' });
  await world.portal.edit(record, { jobtitle }, OURS);
  meanwhile(async () => {
    await world.portal.edit(record, { jobtitle: 'Guild Master' });
    await world.portal.edit(record, { jobtitle });
  });
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle });
});

it('what a person types and empties while a requested run asks stays empty', async () => {
  const { world, meanwhile } = await interruptedWorld(({ url }) => url.startsWith(DATA_SERVICE_URL));
  const record = await contact(world);
  await world.portal.edit(record, { enrichment_requested: 'true' });
  meanwhile(async () => {
    await world.clock.sleep(SECOND_MS);
    await world.portal.edit(record, { jobtitle: 'Master Potter' });
    await world.portal.edit(record, { jobtitle: '' });
  });
  await settleDown(world);
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
});

/** Somebody types a value, and takes it away: nobody of ours has looked in between. */
async function typedAndEmptied(world: World, record: RecordName, property: string): Promise<void> {
  await world.portal.edit(record, { [property]: 'Rome' });
  await world.portal.edit(record, { [property]: '' });
}

const held = async (world: World, record: RecordName, property: string) =>
  (await world.portal.properties(record))[property] ?? '';

it('a property that was emptied before our first look stays empty at a first enrichment, until somebody asks for the record', async () => {
  const world = await createWorld();
  const record = await contact(world);
  await typedAndEmptied(world, record, 'city');
  await settleDown(world);
  expect(await held(world, record, 'city')).toBe('');
  expect(await held(world, record, 'jobtitle')).toBe(somePerson(world).job.title);
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  expect(await held(world, record, 'city')).toBe(somePerson(world).place.city);
  expect(await isDrained(world)).toBe(true);
});

describe('a property that was emptied between two of our looks', () => {
  it('stays empty, typed and taken away while the question was asked', async () => {
    const { world, meanwhile } = await interruptedWorld(({ url }) => url.startsWith(DATA_SERVICE_URL));
    const record = await contact(world);
    meanwhile(() => typedAndEmptied(world, record, 'city'));
    await settleDown(world);
    expect(await held(world, record, 'jobtitle')).toBe(somePerson(world).job.title);
    await refreshAfter(world, 181 * DAY_MS);
    expect(await held(world, record, 'city')).toBe('');
  });
});

describe('an email that a person empties', () => {
  it('causes no lookup by name, because the last answer has this name and company', async () => {
    const { world, record } = await foundByEmail();
    await settled(world, world.portal.edit(record, { email: '' }));
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged', credits: 0 });
    expect(world.charged()).toBe(1);
    // A request may fill the email again, and the last answer has none.
    const card = cardOf(world, record);
    const { progress } = await card.ask({ id: 'card-quote-1', kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { credits: 3 } });
  });

  it('makes a quote by name free, if it asks for no email', async () => {
    const { world, record } = await foundByEmail({ policy: { questions: { wantEmail: false } } });
    await settled(world, world.portal.edit(record, { email: '' }));
    const card = cardOf(world, record);
    const { progress } = await card.ask({ id: 'card-quote-1', kind: 'quote' });
    expect(progress?.reply).toMatchObject({
      quote: { credits: 0, questions: [] },
    });
    expect(await operator(world)('enrich', `contacts/${record.id}`, '--dry-run')).toMatchObject({
      credits: 0,
      verdict: because('matched', { operation: 'lookUpPerson' }),
    });
    await card.ask({ id: 'card-enrich-1', kind: 'enrich', maxCredits: 0 });
    expect(world.charged()).toBe(1);
  });

  it('leads to a lookup by another name', async () => {
    const { world, record } = await foundByEmail();
    const { firstName: firstname, lastName: lastname } = somePerson(world, 1);
    await settled(world, world.portal.edit(record, { email: '', firstname, lastname }));
    expect(world.wire.questions()).toHaveLength(2);
  });
});
