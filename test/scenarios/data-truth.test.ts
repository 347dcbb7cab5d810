import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;

let stage: Stage;
let emails: readonly string[];

beforeAll(async () => {
  stage = await openStage();
  await stage.start().says('Serving until');
  emails = (await stage.people()).flatMap(({ email }) => (typeof email === 'string' ? [email] : []));
}, 60_000);
afterAll(() => stage.close(), 60_000);

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
    timeout: 30_000,
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
}, 60_000);

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
}, 120_000);

it('keeps what was paid for while a rule of the account refuses it, and writes it when the rule is lifted', async () => {
  const [, email = ''] = emails;
  const when = { property: 'lifecyclestage', values: ['lead'] };
  await stage.atHubSpot('PUT', 'settings', {
    writeRules: [{ objectType: 'contact', requires: 'fax', when }],
  });
  const id = await create('contacts', { email, lifecyclestage: 'lead' });
  const waits = async () => JSON.stringify((await stage.explain(id))['waiting'] ?? '');
  await vi.waitFor(async () => expect(await waits()).toContain('PROPERTY (fax)'), {
    timeout: 30_000,
    interval: 500,
  });
  expect(await propertiesOf(id)).not.toHaveProperty('jobtitle');
  const billed = await stage.bill();
  await stage.atHubSpot('PUT', 'settings', { writeRules: [] });
  await edit(id, { lastname: '' });
  await edit(id, { phone: '+1 415 555 0101' });
  await shows(id, { enrichment_status: 'enriched', jobtitle: expect.any(String) });
  expect(await stage.bill()).toBe(billed);
}, 120_000);
