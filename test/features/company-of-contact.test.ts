import { expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { somePerson } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** A person of the data service, with the company that it names. */
function employee(world: World, nth = 0) {
  const { firstName, lastName, job } = somePerson(world, nth);
  const domain = job.company.domains[0] ?? '';
  return {
    email: job.email ?? '',
    domain,
    title: job.title,
    names: { firstname: firstName, lastname: lastName },
  };
}

const companyOf = async ({ portal }: World, contact: RecordName) =>
  (await portal.properties(contact))['associatedcompanyid'];

/** Somebody associates the two at HubSpot's screen, or parts them. */
async function atTheScreen(
  { portal, clock }: World,
  verb: 'associate' | 'dissociate',
  [contact, company]: RecordName[],
) {
  const body = JSON.stringify({ contactId: contact?.id, companyId: company?.id, primary: true });
  const url = `https://hubspot.example/_sandbox/${verb}`;
  const answer = await portal.sandbox.handle(new Request(url, { method: 'POST', body }));
  if (!answer.ok) throw new Error(await answer.text());
  await clock.sleep(MINUTE_MS);
}

it('a contact with nothing but a name is looked up when somebody associates it with a company', async () => {
  const world = await createWorld();
  const { domain, names, title } = employee(world);
  const company = await world.portal.create('companies', { name: 'Somewhere', domain });
  const contact = await world.portal.create('contacts', names);
  await settleDown(world);
  expect((await world.state(contact))?.outcome?.kind).toBe('skipped');
  await atTheScreen(world, 'associate', [contact, company]);
  await settleDown(world);
  expect(await world.portal.properties(contact)).toMatchObject({ jobtitle: title });
});

it('a contact that somebody has taken away from its company stays without one', async () => {
  const world = await createWorld();
  const { domain, email } = employee(world);
  const company = await world.portal.create('companies', { name: 'Left', domain });
  await settleDown(world);
  await world.clock.sleep(MINUTE_MS);
  const contact = await world.portal.create('contacts', { email });
  await settleDown(world);
  expect(await companyOf(world, contact)).toBe(company.id);
  await atTheScreen(world, 'dissociate', [contact, company]);
  const { runsOpened = 0 } = (await world.state(contact)) ?? {};
  await world.portal.edit(contact, { hs_linkedin_url: '', phone: '+1 415 555 0100' });
  await settleDown(world);
  expect((await world.state(contact))?.runsOpened).toBeGreaterThan(runsOpened);
  expect(await companyOf(world, contact)).toBeFalsy();
});

it.each([
  ['two companies have the domain', ['One', 'Another'], 'existing'],
  ['the policy says never', ['Only'], 'never'],
] as const)('none is associated where %s', async (_, names, associate) => {
  const world = await createWorld({ policy: { associate } });
  const { domain, email } = employee(world);
  for (const name of names) await world.portal.create('companies', { name, domain });
  await settleDown(world);
  await world.clock.sleep(MINUTE_MS);
  const contact = await world.portal.create('contacts', { email });
  await settleDown(world);
  expect((await world.state(contact))?.outcome?.kind).toBe('enriched');
  expect(await companyOf(world, contact)).toBeFalsy();
});
