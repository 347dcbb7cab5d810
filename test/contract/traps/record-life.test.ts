import { expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { profileUrlOf, somePerson } from '../../harness/people.ts';
import { liveOn, settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { openPortal } from './portal.ts';

it.each([true, false])(
  'trap 13: our own writes lead to no second one, the app known by its id: %j',
  async (knowsOwnApp) => {
    const hubSpot = {
      unchangedWrites: 'recorded',
      propertyChangeOnCreation: true,
      duplicateRate: 0.5,
    } as const;
    const world = await createWorld({ knowsOwnApp, hubSpot });
    await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somePerson(world)) });
    await settleDown(world);
    const [writes, charged] = [await world.portal.appWrites(), world.charged()];
    expect(writes.recordWrites).toBeGreaterThan(0);
    await liveOn(world, { forMs: 30 * MINUTE_MS });
    expect(await world.portal.appWrites()).toEqual(writes);
    expect(world.charged()).toBe(charged);
  },
);

const TITLE = 'Chief';

it.each(['IMPORT', 'FORM', 'AUTOMATION_PLATFORM', 'MOBILE_IOS', 'SOMETHING_NEW'])(
  'trap 14: what came by %s is a person’s, although nobody typed it at the screen',
  async (source) => {
    const world = await createWorld();
    const properties = {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
      jobtitle: TITLE,
      company: 'Elsewhere',
    };
    const body = JSON.stringify({ objectType: 'contact', properties, source, sourceId: '4711' });
    const made = await world.portal.sandbox.handle(
      new Request('https://hubspot.example/_sandbox/create', { method: 'POST', body }),
    );
    const { id }: { readonly id: string } = JSON.parse(await made.text());
    await settleDown(world);
    const now = await world.portal.properties({ objectType: 'contacts', id });
    expect(now['jobtitle']).toBe(TITLE);
    expect(now['company']).toBe('Elsewhere');
  },
);

it('trap 32: a contact that opted out of enrichment is neither asked about nor filled', async () => {
  const world = await createWorld();
  const url = profileUrlOf(somePerson(world));
  const contact = await world.portal.create('contacts', {
    hs_linkedin_url: url,
    hs_contact_enrichment_opt_out: 'true',
  });
  await settleDown(world);
  expect(world.charged()).toBe(0);
  expect((await world.state(contact))?.outcome?.kind).toBe('skipped');
  expect(await world.portal.properties(contact)).not.toHaveProperty('jobtitle');
});

it('trap 40: setting the properties up again writes nothing, and takes nothing of the customer’s away', async () => {
  const portal = openPortal();
  const client = portal.client();
  const option = (value: string, displayOrder: number) => ({
    value,
    label: value,
    displayOrder,
    hidden: false,
  });
  const status = {
    name: 'enrichment_status',
    label: 'Status',
    type: 'enumeration',
    fieldType: 'select',
  } as const;
  const setUp = (...values: string[]) =>
    client.ensureProperties({
      objectType: 'contacts',
      group: { name: 'enrichment', label: 'Enrichment' },
      properties: [{ ...status, options: values.map(option) }],
    });
  await setUp('enriched', 'their own');
  const writes = () =>
    portal.requests.filter(({ method, url }) => method !== 'GET' && !url.endsWith('/groups'));
  const before = writes().length;
  await setUp('enriched');
  expect(writes().length).toBe(before);
  await setUp('enriched', 'review');
  const listed = await client.listProperties('contacts');
  const options = listed.find(({ name }) => name === status.name)?.options.map(({ value }) => value);
  expect(options).toEqual(['enriched', 'their own', 'review']);
});

it('trap 41: a record whose webhooks never came is found by the sweep', async () => {
  const world = await createWorld({ hubSpot: { webhookUrl: null } });
  const properties = { hs_linkedin_url: profileUrlOf(somePerson(world)) };
  const contact = await world.portal.create('contacts', properties);
  await liveOn(world, { forMs: 60 * MINUTE_MS });
  expect((await world.state(contact))?.outcome?.kind).toBe('enriched');
});
