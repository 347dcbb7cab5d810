import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { PortalState } from '../../infra/sandbox/hubspot/state.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { somePerson } from '../harness/people.ts';
import { liveOn, settleDown, settled, settledRecord } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const emailOf = (world: World) => ({ email: somePerson(world).job.email ?? '' });

const domainOf = (world: World, index = 0) => somePerson(world, index).job.company.domains[0] ?? '';

function requestsTo({ portal }: World, path: string): number {
  const requests = (portal.sandbox.state() as PortalState).requests.filter((each) =>
    each.path.includes(path),
  );
  return requests.reduce((sum, { count }) => sum + count, 0);
}

it('what HubSpot has no time for is associated later, and nothing is paid again', async () => {
  const faults = [
    { path: 'associate/default', kind: 'status', status: 429, policyName: 'DAILY', rate: 1, times: 1 },
  ] as const;
  const world = await createWorld({ hubSpot: { faults } });
  const properties = { name: 'Known', domain: domainOf(world) };
  const company = await world.portal.create('companies', properties);
  const contact = await settledRecord(world, 'contacts', emailOf(world));
  expect(await world.state(contact)).toMatchObject({ waiting: { reason: 'HUBSPOT_DAILY_LIMIT' } });
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  expect(await world.portal.properties(contact)).toMatchObject({ associatedcompanyid: company.id });
  const outcome = { kind: 'enriched', credits: 1 };
  expect(await world.state(contact)).toMatchObject({ outcome, creditsSpent: 1, hadCompany: true });
});

it('a batch is associated in one search and one request, and asks nothing where all have a company', async () => {
  const world = await createWorld();
  const people = world.dataService.world.people.filter(({ job }) => job.email !== undefined);
  const team = [
    ...new Map(people.map(({ job }) => [job.company.domains[0] ?? '', job.email ?? ''])).entries(),
  ];
  const count = () => ['/search', '/crm/associations'].map((path) => requestsTo(world, path));
  const companies = new Map<string, RecordName>();
  for (const [domain] of team.slice(0, 6))
    companies.set(domain, await world.portal.create('companies', { domain }));
  await settleDown(world);
  const [searches = 0, associations = 0] = count();
  for (const [domain, email] of team.slice(0, 3)) {
    const company = companies.get(domain);
    await world.portal.create('contacts', { email }, company && [company]);
  }
  await settleDown(world);
  expect(count()).toEqual([searches, associations]);
  for (const [, email] of team.slice(3, 6)) await world.portal.create('contacts', { email });
  await settleDown(world);
  // Looked once more who has a company by now, and then associated.
  expect(count()).toEqual([searches + 1, associations + 2]);
});

it('a contact that is given a company while ours is looked for keeps that one alone', async () => {
  const faults = [{ path: 'companies/search', kind: 'slow', delayMs: 8_000, rate: 1 }] as const;
  const world = await createWorld({ hubSpot: { faults } });
  const [, other] = await Promise.all(
    [domainOf(world), 'other.example'].map((domain) => world.portal.create('companies', { domain })),
  );
  await settleDown(world);
  const contact = await world.portal.create('contacts', emailOf(world));
  const somebodyAssociates = async () => {
    // The question takes three seconds.
    await world.clock.sleep(7_000);
    expect(await world.portal.properties(contact)).toMatchObject({ enrichment_status: 'enriched' });
    await world.portal.associate(contact, other ?? contact);
  };
  await Promise.all([settleDown(world), somebodyAssociates()]);
  expect(await world.portal.properties(contact)).toMatchObject({ associatedcompanyid: other?.id });
  expect(requestsTo(world, 'associate/default')).toBe(0);
});

it.each(['contacts/companies/batch/read', 'associate/default'])(
  'what HubSpot refuses for good at %s is told, and the values stay',
  async (path) => {
    const faults = [{ path, kind: 'status', status: 403, rate: 1 }] as const;
    const world = await createWorld({ hubSpot: { faults } });
    await world.portal.create('companies', { domain: domainOf(world) });
    const contact = await settledRecord(world, 'contacts', emailOf(world));
    const state = await world.state(contact);
    expect(state).toMatchObject({
      outcome: { kind: 'enriched', reason: { notes: [{ code: 'association-refused' }] } },
    });
    const [entry] = await world.services.journal.ofRecord(contact, state?.runsOpened ?? 0);
    expect(entry?.association).toMatchObject({
      code: 'association-refused',
      params: { why: 'HUBSPOT_FORBIDDEN' },
    });
  },
);

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

it('a contact that somebody has taken away from its company stays without one', async () => {
  const world = await createWorld();
  const { domain, email } = employee(world);
  const company = await settledRecord(world, 'companies', { name: 'Left', domain });
  await world.clock.sleep(MINUTE_MS);
  const contact = await settledRecord(world, 'contacts', { email });
  expect(await companyOf(world, contact)).toBe(company.id);
  await atTheScreen(world, 'dissociate', [contact, company]);
  const { runsOpened = 0 } = (await world.state(contact)) ?? {};
  await settled(world, world.portal.edit(contact, { hs_linkedin_url: '', phone: '+1 415 555 0100' }));
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
  const contact = await settledRecord(world, 'contacts', { email });
  expect((await world.state(contact))?.outcome?.kind).toBe('enriched');
  expect(await companyOf(world, contact)).toBeFalsy();
});
