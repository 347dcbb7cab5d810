import { describe, expect, it } from 'vitest';
import { type Account, born, COMPANIES, CONTACTS, openAccount, read, update } from './account.ts';
import { createReceiver } from './receiver.ts';

async function pair(account: Account) {
  const contact = await born(account, 'contact', { firstname: 'Ada' });
  const company = await born(account, 'company', { name: 'Acme' });
  return { contact, company };
}

const companyOf = async (account: Account, id: string) =>
  (await read(account, CONTACTS, { id, properties: ['associatedcompanyid'] })).properties[
    'associatedcompanyid'
  ];

describe('associations', () => {
  it('are made by the default call, as often as one likes, and show in the contact', async () => {
    const account = openAccount();
    const { contact, company } = await pair(account);
    const one = `/crm/objects/2026-09/contact/${contact}/associations/default/company/${company}`;
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await account.call('PUT', one);
      expect(status).toBe(200);
      expect(body.results[0]).toMatchObject({ associationSpec: { associationTypeId: 279 } });
    }
    expect(await companyOf(account, contact)).toBe(company);
    const inputs = [{ id: contact }];
    const path = '/crm/associations/2026-09/contacts/companies/batch/read';
    const batch = await account.call('POST', path, { inputs });
    expect(batch.status).toBe(200);
    expect(batch.body.results).toEqual([
      {
        from: { id: contact },
        to: [
          {
            toObjectId: company,
            associationTypes: [
              { category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' },
              { category: 'HUBSPOT_DEFINED', typeId: 279, label: null },
            ],
          },
        ],
      },
    ]);
  });

  it('answer 207 for a record without any, and 404 for one that does not exist', async () => {
    const account = openAccount();
    const { contact } = await pair(account);
    const inputs = [{ id: contact }];
    const batch = await account.call('POST', '/crm/v4/associations/0-1/0-2/batch/read', { inputs });
    expect(batch.status).toBe(207);
    expect(batch.body.errors[0]?.subCategory).toBe('crm.associations.NO_ASSOCIATIONS_FOUND');
    const missing = await account.call(
      'PUT',
      `/crm/v4/objects/contacts/${contact}/associations/default/companies/1`,
    );
    expect(missing.status).toBe(404);
  });

  it('keep the first company primary until another is named', async () => {
    const account = openAccount();
    const { contact, company } = await pair(account);
    const other = await born(account, 'company', { name: 'Other' });
    const create = (inputs: object[]) =>
      account.call('POST', '/crm/associations/2026-09/contacts/companies/batch/create', { inputs });
    const to = (id: string, associationTypeId: number) => ({
      from: { id: contact },
      to: { id },
      types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
    });
    await create([to(company, 279), to(other, 279)]);
    expect(await companyOf(account, contact)).toBe(company);
    await create([to(other, 1)]);
    expect(await companyOf(account, contact)).toBe(other);
    const archive = { inputs: [{ from: { id: contact }, to: [{ id: other }] }] };
    await account.call('POST', '/crm/associations/2026-09/contacts/companies/batch/archive', archive);
    expect(await companyOf(account, contact)).toBeNull();
  });

  it('come with a creation and stand in the record when asked for', async () => {
    const account = openAccount();
    const company = await born(account, 'company', { name: 'Acme' });
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }];
    const associations = [{ to: { id: company }, types }];
    const inputs = [{ properties: { firstname: 'Ada' }, associations }];
    await account.call('POST', `${CONTACTS}/batch/create`, { inputs });
    const { body } = await account.call('GET', `${CONTACTS}?associations=companies`);
    expect(body.results[0]?.associations).toMatchObject({
      companies: { results: [{ id: company }, { id: company }] },
    });
    const byPerson = await account.person('create', {
      objectType: 'contact',
      properties: {},
      associations: [company],
    });
    expect(byPerson.body.associations).toEqual([company]);
  });

  it('to a company come by themselves from a business address when the account does so', async () => {
    const account = openAccount({ settings: { associateByEmailDomain: true } });
    const ada = await born(account, 'contact', { email: 'ada@acme.example' });
    const bob = await born(account, 'contact', { email: 'bob@acme.example' });
    await born(account, 'contact', { email: 'eve@gmail.com' });
    const { body } = await account.call('GET', COMPANIES);
    expect(body.results.map((one) => one.properties['domain'])).toEqual(['acme.example']);
    expect(await companyOf(account, ada)).toBe(body.results[0]?.id);
    expect(await companyOf(account, bob)).toBe(body.results[0]?.id);
  });
});

describe('merging', () => {
  async function merged(mergeKeepsPrimaryId: boolean) {
    const receiver = createReceiver();
    const settings = { mergeKeepsPrimaryId, webhookUrl: 'https://hooks.example.com/hubspot' };
    const account = openAccount({ settings, send: receiver.send });
    const primary = await born(account, 'contact', { firstname: 'Ada', email: 'ada@example.com' });
    const other = await born(account, 'contact', { firstname: 'Adele', city: 'Ulm' });
    const company = await born(account, 'company', { name: 'Acme' });
    await account.call('PUT', `/crm/v4/objects/contacts/${other}/associations/default/companies/${company}`);
    const body = { primaryObjectId: primary, objectIdToMerge: other };
    const answer = await account.call('POST', `${CONTACTS}/merge`, body);
    await account.sandbox.deliverWebhooks();
    return { account, receiver, primary, other, company, winner: answer.body.id };
  }

  it('makes a new record of both, to which the old ids lead, except in a batch update', async () => {
    const { account, primary, other, company, winner } = await merged(false);
    expect([primary, other]).not.toContain(winner);
    const properties = ['firstname', 'city', 'hs_merged_object_ids', 'associatedcompanyid'];
    for (const id of [primary, other]) {
      const body = await read(account, CONTACTS, { id, properties });
      expect(body.id).toBe(winner);
      expect(body.properties).toMatchObject({
        firstname: 'Ada',
        city: 'Ulm',
        hs_merged_object_ids: `${primary};${other}`,
        associatedcompanyid: company,
      });
    }
    const inputs = [{ id: primary }, { id: other }];
    const batch = await account.call('POST', `${CONTACTS}/batch/read`, { properties: ['city'], inputs });
    expect(batch.body.results.map((one) => one.id)).toEqual([winner]);
    expect((await update(account, CONTACTS, primary, { city: 'Bonn' })).status).toBe(207);
  });

  it('is announced with all ids', async () => {
    const { receiver, primary, other, winner } = await merged(false);
    expect(receiver.events().at(-1)).toMatchObject({
      subscriptionType: 'object.merge',
      objectId: Number(winner),
      primaryObjectId: Number(primary),
      mergedObjectIds: [Number(other)],
      newObjectId: Number(winner),
      numberOfPropertiesMoved: 1,
      changeSource: 'INTEGRATION',
    });
  });

  it('keeps the id of the primary record in the beta', async () => {
    const { account, primary, other, winner } = await merged(true);
    expect(winner).toBe(primary);
    expect((await read(account, CONTACTS, { id: other })).id).toBe(primary);
    expect((await update(account, CONTACTS, primary, { city: 'Bonn' })).status).toBe(200);
  });
});
