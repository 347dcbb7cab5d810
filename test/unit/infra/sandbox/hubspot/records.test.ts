import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { born, COMPANIES, CONTACTS, create, openAccount, update } from './account.ts';

describe('one record', () => {
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
    expect((await account.person('restore', { objectType: 'contact', id })).status).toBe(404);
  });

  it('keeps the admin rules, and of people nothing is asked', async () => {
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
    const nameless = await create(account, COMPANIES, { domain: 'example.com' });
    expect(nameless.body.errors).toMatchObject([{ code: 'MISSING_REQUIRED_PROPERTY' }]);
  });
});

describe('values', () => {
  const refused = [
    ['company', { nonsense: 'x' }, 'PROPERTY_DOESNT_EXIST'],
    ['company', { hs_object_id: '1' }, 'READ_ONLY_VALUE'],
    ['company', { industry: 'Computer Software' }, 'INVALID_OPTION'],
    ['company', { numberofemployees: '51-200' }, 'INVALID_NUMBER'],
    ['company', { web_technologies: 'hubspot;abacus' }, 'INVALID_OPTION'],
    ['company', { is_public: 'yes' }, 'INVALID_OPTION'],
    ['company', { description: 'x'.repeat(65_537) }, 'PROPERTY_VALUE_TOO_LONG'],
    ['contact', { email: 'nobody' }, 'INVALID_EMAIL'],
    ['contact', { email: 'jane@acme.con' }, 'INVALID_EMAIL'],
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
    ['company', 'domain', 'HTTP://www.Example.com/x?y', 'example.com'],
    ['contact', 'hs_contact_enrichment_opt_out', 'TRUE', 'true'],
    ['contact', 'phone', '+1 (415) 555-0100', '+1 (415) 555-0100'],
  ] as const;

  it.each(kept)('of a %s: %s %s is kept as %s', async (objectType, name, given, stored) => {
    const path = objectType === 'contact' ? CONTACTS : COMPANIES;
    const { body } = await create(openAccount(), path, { [name]: given });
    expect(body.properties[name]).toBe(stored);
  });
});
