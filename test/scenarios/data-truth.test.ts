import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;

let stage: Stage;
let emails: readonly string[];

beforeAll(async () => {
  stage = await openStage();
  await stage.start().line(/^Serving until/);
  emails = (await stage.people()).flatMap(({ email }) => (typeof email === 'string' ? [email] : []));
});
afterAll(() => stage.close());

async function create(objectType: 'contacts' | 'companies', properties: Values): Promise<string> {
  return String((await stage.atHubSpot('POST', 'create', { objectType, properties }))['id']);
}

const edit = (id: string, properties: Values) =>
  stage.atHubSpot('POST', 'edit', { objectType: 'contacts', id, properties });

async function propertiesOf(id: string): Promise<Values> {
  const { records } = await stage.atHubSpot('GET', 'records');
  return (records as { id: string; properties: Values }[]).find((one) => one.id === id)?.properties ?? {};
}

const shows = (id: string, what: object) =>
  vi.waitFor(async () => expect(await propertiesOf(id)).toMatchObject(what), {
    timeout: 100_000,
    interval: 100,
  });

async function creditsOf(id: string): Promise<number> {
  return Number((await propertiesOf(id))['enrichment_credits'] ?? 0);
}

it('asks nothing about the mailbox of an office or a page on a network', async () => {
  const [office, page] = [
    await create('contacts', { email: 'info@some-firm.com' }),
    await create('companies', { name: 'Some Firm', website: 'https://www.facebook.com/some-firm' }),
  ];
  for (const id of [office, page]) {
    await shows(id, { enrichment_status: 'skipped' });
    expect(await creditsOf(id)).toBe(0);
  }
});

it('asks nothing again for another way of writing, and leaves empty what somebody empties until somebody asks', async () => {
  const [email = ''] = emails;
  const id = await create('contacts', { email });
  await shows(id, { enrichment_status: 'enriched' });
  const [local = '', domain = ''] = email.split('@');
  const spent = await creditsOf(id);
  const ways = [
    { email: email.toUpperCase() },
    { email: `${local}+news@${domain}` },
    { email: `${local}@${domain.toUpperCase()}` },
    { email: ` ${email} ` },
    { email },
    ...['http://', 'https://www.', ''].map((scheme) => ({ website: `${scheme}${domain}/` })),
    { website: `https://${domain}` },
  ];
  for (const way of ways) {
    await edit(id, way);
    await stage.workedOff();
  }
  expect(await creditsOf(id)).toBe(spent);

  await edit(id, { jobtitle: '' });
  await edit(id, { phone: '+1 415 555 0100' });
  await stage.workedOff();
  expect(await propertiesOf(id)).not.toHaveProperty('jobtitle');
  await edit(id, { enrichment_requested: 'true' });
  await shows(id, { jobtitle: expect.any(String), enrichment_requested: 'false' });
});

it('keeps what was paid for while a rule of the account refuses it, buys no more of the kind, and writes it when the rule is lifted', async () => {
  const when = { property: 'lifecyclestage', values: ['lead'] };
  await stage.atHubSpot('PUT', 'settings', {
    writeRules: [{ objectType: 'contact', requires: 'fax', when }],
  });
  const waitsFor = async (id: string) => JSON.stringify((await stage.explain(id))['waiting'] ?? '');
  const waits = (id: string, why: string) =>
    vi.waitFor(async () => expect(await waitsFor(id)).toContain(why), { timeout: 100_000, interval: 500 });
  const leads: string[] = [];
  for (const email of emails.slice(1, 4)) {
    const id = await create('contacts', { email, lifecyclestage: 'lead' });
    await waits(id, 'PROPERTY (fax)');
    leads.push(id);
  }
  const [first = ''] = leads;
  expect(await propertiesOf(first)).not.toHaveProperty('jobtitle');
  const billed = await stage.bill();
  await waits(
    await create('contacts', { email: emails[4] ?? '', lifecyclestage: 'lead' }),
    'HUBSPOT_REFUSES',
  );
  expect(await stage.bill()).toBe(billed);
  expect((await stage.run('doctor')).out).toMatch(/writes-refused.*\(fax\)/s);

  await stage.atHubSpot('PUT', 'settings', { writeRules: [] });
  await edit(first, { phone: '+1 415 555 0101' });
  await shows(first, { enrichment_status: 'enriched', jobtitle: expect.any(String) });
  expect(await stage.bill()).toBe(billed);
});

it('mixes no second employer into a contact, and says so', async () => {
  const typed = { company: 'Entirely Different Bakery', jobtitle: 'Head baker' };
  const id = await create('contacts', { email: emails[5] ?? '', ...typed });
  await shows(id, { enrichment_status: 'review', ...typed });
  const { website, hs_seniority, enrichment_reason } = await propertiesOf(id);
  expect([website, hs_seniority]).toEqual([undefined, undefined]);
  expect(enrichment_reason).toBeTruthy();
});

it('asks nothing about a contact that lacks only what the policy does not buy', async () => {
  const [person] = (await stage.people()).slice(-1);
  const first = await create('contacts', { email: String(person?.['email'] ?? emails[6]) });
  await shows(first, { enrichment_status: 'enriched' });
  const full = await propertiesOf(first);
  const names = [
    'firstname',
    'lastname',
    'jobtitle',
    'hs_seniority',
    'hs_linkedin_url',
    'city',
    'state',
    'country',
  ];
  const more = ['hs_country_region_code', 'hs_state_code', 'company', 'website', 'start_date'];
  const kept = Object.entries(full).filter(([name]) => [...names, ...more].includes(name));
  const billed = await stage.bill();
  const second = await create('contacts', { ...Object.fromEntries(kept), email: `other.${full['email']}` });
  await stage.workedOff();
  await shows(second, { enrichment_status: 'skipped' });
  expect(await stage.bill()).toBe(billed);
});
