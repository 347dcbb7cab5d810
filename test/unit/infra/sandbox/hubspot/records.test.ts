import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { born, COMPANIES, CONTACTS, create, openAccount, read, update } from './account.ts';

describe('one record', () => {
  it('is known on dated and legacy paths, by name and by id of the type', async () => {
    const account = openAccount();
    const { id } = (await create(account, '/crm/v3/objects/0-1', { email: 'Ada@Example.com' })).body;
    const { properties } = await read(account, '/crm/objects/2026-03/contact', { id, properties: ['email'] });
    expect(properties).toMatchObject({ email: 'ada@example.com', hs_object_id: id });
    await account.person('archive', { objectType: 'contact', id });
    expect((await account.call('GET', CONTACTS)).body.results).toEqual([]);
    expect((await account.call('GET', `${CONTACTS}?archived=true`)).body.results).toMatchObject([
      { id, archived: true },
    ]);
  });

  it('is not created with an additional address of another contact', async () => {
    const account = openAccount();
    const known = { email: 'ada@example.com', hs_additional_emails: 'Ada@Old.com;a@older.com' };
    const id = await born(account, 'contact', known);
    const again = await create(account, CONTACTS, { email: 'ADA@old.com' });
    expect(again).toMatchObject({ status: 409, body: { category: 'CONFLICT', context: { ids: [id] } } });
    await account.person('archive', { objectType: 'contact', id });
    expect((await create(account, CONTACTS, { email: 'ada@old.com' })).status).toBe(201);
  });

  it('is in the archive for 90 days, and then in HubSpot no more', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { email: 'ada@example.com' });
    const archived = () => account.call('POST', `${CONTACTS}/batch/read?archived=true`, { inputs: [{ id }] });
    await account.person('archive', { objectType: 'contact', id });
    await account.clock.advance(90 * DAY_MS - 1);
    expect((await archived()).body.results).toMatchObject([{ id, archived: true }]);
    await account.clock.advance(1);
    expect(await archived()).toMatchObject({ status: 207, body: { results: [] } });
    expect((await account.call('GET', `${CONTACTS}?archived=true`)).body.results).toEqual([]);
    expect((await account.person('restore', { objectType: 'contact', id })).status).toBe(404);
  });

  it('shows strings, null for empty ones, and leaves unknown names out; null changes nothing', async () => {
    const account = openAccount();
    const id = await born(account, 'company', { numberofemployees: '12', state: 'Bavaria' });
    await update(account, COMPANIES, id, { numberofemployees: null, state: '' });
    const asked = ['numberofemployees', 'state', 'city', 'nonsense'];
    const { properties } = await read(account, COMPANIES, { id, properties: asked });
    expect(properties).toMatchObject({ numberofemployees: '12', state: null, city: null });
    expect(properties).not.toHaveProperty('nonsense');
  });

  it('refuses a second contact with the same address and names the first', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { email: 'ada@example.com' });
    const second = await create(account, CONTACTS, { email: 'ADA@example.com' });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ category: 'CONFLICT', message: expect.stringContaining(id) });
    expect(second.body.correlationId).toMatch(/^[0-9a-f]{8}-/);
  });

  it('remembers who wrote each value, newest first', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { jobtitle: 'Engineer' });
    await account.clock.advance(1_000);
    await update(account, CONTACTS, id, { jobtitle: 'Lead' });
    await account.clock.advance(1_000);
    await account.person('edit', { objectType: 'contact', id, userId: 42, properties: { jobtitle: 'Head' } });
    await account.person('edit', {
      objectType: 'contact',
      id,
      source: 'IMPORT',
      properties: { jobtitle: 'Chief' },
    });
    const body = await read(account, CONTACTS, { id, history: ['jobtitle'] });
    expect(body.propertiesWithHistory.jobtitle).toMatchObject([
      { value: 'Chief', sourceType: 'IMPORT' },
      { value: 'Head', sourceType: 'CRM_UI', sourceId: 'userId:42', updatedByUserId: 42 },
      {
        value: 'Lead',
        sourceType: 'INTEGRATION',
        sourceId: '5187918',
        timestamp: '2026-11-21T12:00:01.000Z',
      },
      { value: 'Engineer', sourceType: 'CRM_UI' },
    ]);
  });

  it('moves its modified date at every write, under the name of its type', async () => {
    const account = openAccount();
    const id = await born(account, 'company', { name: 'Acme' });
    await account.clock.advance(60_000);
    await update(account, COMPANIES, id, { name: 'Acme' });
    const body = await read(account, COMPANIES, { id, properties: ['lastmodifieddate'] });
    expect(body.properties.hs_lastmodifieddate).toBe('2026-11-21T12:01:00.000Z');
    expect(body.properties).not.toHaveProperty('lastmodifieddate');
  });

  it('makes a history entry of an unchanged value only when the account does so', async () => {
    const account = openAccount();
    const id = await born(account, 'company', { name: 'Acme' });
    const entries = async () => {
      await update(account, COMPANIES, id, { name: 'Acme' });
      const body = await read(account, COMPANIES, { id, history: ['name'] });
      return body.propertiesWithHistory['name']?.length;
    };
    expect(await entries()).toBe(1);
    await account.settings({ unchangedWrites: 'recorded' });
    expect(await entries()).toBe(2);
  });

  it('keeps the admin rules on the newest paths only, and of people nothing is asked', async () => {
    const account = openAccount({
      settings: {
        writeRules: [
          { objectType: 'company', requires: 'phone', when: { property: 'type', values: ['VENDOR'] } },
          { objectType: 'company', requires: 'name' },
        ],
      },
    });
    const id = await born(account, 'company', { type: 'VENDOR' });
    const refused = await update(account, COMPANIES, id, { city: 'Ulm' });
    expect(refused.body.errors).toMatchObject([
      { code: 'MISSING_CONDITIONAL_REQUIRED_PROPERTY', context: { propertyName: ['phone'] } },
    ]);
    expect((await update(account, '/crm/v3/objects/companies', id, { city: 'Ulm' })).status).toBe(200);
    const nameless = await create(account, COMPANIES, { domain: 'example.com' });
    expect(nameless.body.errors).toMatchObject([{ code: 'MISSING_REQUIRED_PROPERTY' }]);
  });

  it('moves the lifecycle stage forward only, unless it was cleared', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { lifecyclestage: 'customer' });
    const stageAfter = async (lifecyclestage: string) => {
      await update(account, CONTACTS, id, { lifecyclestage });
      return (await read(account, CONTACTS, { id, properties: ['lifecyclestage'] })).properties
        .lifecyclestage;
    };
    expect(await stageAfter('lead')).toBe('customer');
    expect(await stageAfter('evangelist')).toBe('evangelist');
    await stageAfter('');
    expect(await stageAfter('lead')).toBe('lead');
  });
});

describe('the list', () => {
  it('gives up to 100 a page and goes on from the id of the next record', async () => {
    const account = openAccount();
    const ids = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(await born(account, 'company', { name: `Acme ${index}` }));
    const first = await account.call('GET', `${COMPANIES}?limit=2`);
    expect(first.body.results.map((one) => one.id)).toEqual(ids.slice(0, 2));
    expect(first.body.paging.next.after).toBe(ids[2]);
    const rest = await account.call('GET', `${COMPANIES}?limit=100&after=${ids[2]}`);
    expect(rest.body.results.map((one) => one.id)).toEqual(ids.slice(2));
    expect(rest.body).not.toHaveProperty('paging');
    expect((await account.call('GET', `${COMPANIES}?limit=101`)).status).toBe(400);
    expect((await account.call('GET', `${COMPANIES}?limit=51&propertiesWithHistory=name`)).status).toBe(400);
  });
});

describe('values', () => {
  const refused = [
    ['company', { nonsense: 'x' }, 'PROPERTY_DOESNT_EXIST'],
    ['company', { hs_object_id: '1' }, 'READ_ONLY_VALUE'],
    ['company', { industry: 'Computer Software' }, 'INVALID_OPTION'],
    ['company', { industry: 'computer_software' }, 'INVALID_OPTION'],
    ['company', { numberofemployees: '51-200' }, 'INVALID_NUMBER'],
    ['company', { annualrevenue: '1,000,000' }, 'INVALID_NUMBER'],
    ['company', { web_technologies: 'hubspot;abacus' }, 'INVALID_OPTION'],
    ['company', { is_public: 'yes' }, 'INVALID_OPTION'],
    ['company', { description: 'x'.repeat(65_537) }, 'PROPERTY_VALUE_TOO_LONG'],
    ['contact', { email: 'nobody' }, 'INVALID_EMAIL'],
    ['contact', { email: 'jane@acme.con' }, 'INVALID_EMAIL'],
    ['contact', { email: 'jane@server.local' }, 'INVALID_EMAIL'],
    ['contact', { email: 'jane@10.0.0.1' }, 'INVALID_EMAIL'],
    ['contact', { hs_seniority: 'Director' }, 'INVALID_OPTION'],
  ] as const;

  it.each(refused)('of a %s %o are refused with %s', async (objectType, properties, code) => {
    const path = objectType === 'contact' ? CONTACTS : COMPANIES;
    const { status, body } = await create(openAccount(), path, properties);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', category: 'VALIDATION_ERROR' });
    expect(body.errors).toMatchObject([{ code, context: { propertyName: Object.keys(properties) } }]);
    const [, inMessage = ''] = body.message.split(/: (.*)/s);
    expect(JSON.parse(inMessage)).toMatchObject([{ isValid: false, error: code }]);
  });

  const kept = [
    ['company', 'industry', 'COMPUTER_SOFTWARE', 'COMPUTER_SOFTWARE'],
    ['contact', 'industry', 'Computer Software', 'Computer Software'],
    ['contact', 'annualrevenue', 'about a million', 'about a million'],
    ['company', 'annualrevenue', '1000000.5', '1000000.5'],
    ['company', 'domain', 'HTTP://www.Example.com/x?y', 'example.com'],
    ['company', 'hs_additional_domains', 'a.example;b.example', 'a.example;b.example'],
    ['contact', 'hs_contact_enrichment_opt_out', 'TRUE', 'true'],
    ['contact', 'phone', '+1 (415) 555-0100', '+1 (415) 555-0100'],
  ] as const;

  it.each(kept)('of a %s: %s %s is kept as %s', async (objectType, name, given, stored) => {
    const path = objectType === 'contact' ? CONTACTS : COMPANIES;
    const { body } = await create(openAccount(), path, { [name]: given });
    expect(body.properties[name]).toBe(stored);
  });

  it('append to a list after a leading semicolon and replace it without', async () => {
    const account = openAccount();
    const id = await born(account, 'company', { hs_additional_domains: 'a.example' });
    const patch = async (value: string) =>
      (await update(account, COMPANIES, id, { hs_additional_domains: value })).body.properties
        .hs_additional_domains;
    expect(await patch(';b.example;a.example')).toBe('a.example;b.example');
    expect(await patch('c.example')).toBe('c.example');
  });

  it('of phones are brought into one form when the account formats them', async () => {
    const account = openAccount({ settings: { formatPhones: true } });
    const { body } = await create(account, CONTACTS, { phone: '+1 (415) 555-0100' });
    expect(body.properties.phone).toBe('+14155550100');
    expect(body.warnings).toMatchObject([
      { code: 'PROPERTY_VALUE_NORMALIZED', context: { propertyName: ['phone'] } },
    ]);
    const legacy = await create(account, '/crm/v3/objects/contacts', { phone: '+1 (2)' });
    expect(legacy.body).not.toHaveProperty('warnings');
  });

  it('of dates may be sloppy on the newest path, with a warning, and not on older ones', async () => {
    const account = openAccount();
    const property = {
      name: 'renewal',
      label: 'Renewal',
      groupName: 'companyinformation',
      type: 'date',
      fieldType: 'date',
    };
    await account.call('POST', '/crm/properties/2026-09/companies', property);
    const at = (path: string, renewal: string) => create(account, path, { renewal });
    const sloppy = await at(COMPANIES, '2026-11-21T15:00:00Z');
    expect(sloppy.body.properties.renewal).toBe('2026-11-21');
    expect(sloppy.body.warnings).toMatchObject([
      {
        code: 'PROPERTY_VALUE_NORMALIZED',
        context: { rawValue: ['2026-11-21T15:00:00Z'], normalizedValue: ['2026-11-21'] },
      },
    ]);
    expect((await at('/crm/v3/objects/companies', '2026-11-21T15:00:00Z')).body.errors[0]?.code).toBe(
      'INVALID_DATE',
    );
    const exact = await at('/crm/v3/objects/companies', String(Date.UTC(2026, 10, 21)));
    expect(exact.body.properties.renewal).toBe('2026-11-21');
    expect(exact.body).not.toHaveProperty('warnings');
  });
});

describe('a unique value', () => {
  const found = async (account: ReturnType<typeof openAccount>, email: string) => {
    const body = { idProperty: 'email', properties: [], inputs: [{ id: email }] };
    return (await account.call('POST', `${CONTACTS}/batch/read`, body)).body.results.map(({ id }) => id);
  };

  it('is free again once its record has another value or is archived', async () => {
    const account = openAccount();
    const first = await born(account, 'contact', { email: 'ada@example.com' });
    expect((await create(account, CONTACTS, { email: 'ADA@example.com' })).status).toBe(409);
    await update(account, CONTACTS, first, { email: 'byron@example.com' });
    const second = await born(account, 'contact', { email: 'ada@example.com' });
    expect(await found(account, 'ada@example.com')).toEqual([second]);
    expect(await found(account, 'byron@example.com')).toEqual([first]);
    await account.person('archive', { objectType: 'contact', id: first });
    const third = await born(account, 'contact', { email: 'byron@example.com' });
    expect(await found(account, 'byron@example.com')).toEqual([third]);
  });

  it('goes with a merge to the new record', async () => {
    const account = openAccount();
    const primary = await born(account, 'contact', { email: 'ada@example.com' });
    const other = await born(account, 'contact', { firstname: 'Ada' });
    const body = { primaryObjectId: primary, objectIdToMerge: other };
    const { id } = (await account.call('POST', `${CONTACTS}/merge`, body)).body;
    expect(await found(account, 'ada@example.com')).toEqual([id]);
  });

  it('is found without a look at every record', async () => {
    const account = openAccount();
    const timeOf = async (from: number) => {
      const started = process.cpuUsage();
      for (let index = from; index < from + 300; index += 1)
        await born(account, 'contact', { email: `person-${index}@example.com` });
      return process.cpuUsage(started).user;
    };
    await timeOf(0);
    const few = await timeOf(1_000);
    for (let index = 2_000; index < 5_000; index += 1)
      await born(account, 'contact', { email: `person-${index}@example.com` });
    expect(await timeOf(20_000)).toBeLessThan(3 * few);
  });
});
