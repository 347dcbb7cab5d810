import { describe, expect, it } from 'vitest';
import { born, COMPANIES, CONTACTS, create, openAccount, read, update } from './account.ts';

const PROPERTIES = '/crm/properties/2026-09/companies';
const GROUP = { name: 'enrichment', label: 'Enrichment', displayOrder: 0 };
const STATUS = {
  groupName: 'enrichment',
  name: 'enrichment_status',
  label: 'Enrichment status',
  type: 'enumeration',
  fieldType: 'select',
  options: ['done', 'failed'].map((value, displayOrder) => ({
    label: value,
    value,
    displayOrder,
    hidden: false,
  })),
};

async function withGroup() {
  const account = openAccount();
  expect((await account.call('POST', `${PROPERTIES}/groups`, GROUP)).status).toBe(201);
  return account;
}

describe('default properties', () => {
  it('have the types that catch people out', async () => {
    const account = openAccount();
    const typeOf = async (type: string, name: string) =>
      (await account.call('GET', `/crm/v3/properties/${type}/${name}`)).body.type;
    expect(await typeOf('companies', 'industry')).toBe('enumeration');
    expect(await typeOf('contacts', 'industry')).toBe('string');
    expect(await typeOf('0-2', 'annualrevenue')).toBe('number');
    expect(await typeOf('0-1', 'annualrevenue')).toBe('string');
    expect(await typeOf('0-1', 'numemployees')).toBe('enumeration');
  });

  it('are listed with their options and marks', async () => {
    const { body } = await openAccount().call('GET', PROPERTIES);
    const named = (name: string) => body.results.find((one) => one.name === name);
    expect(named('industry')?.options.length).toBeGreaterThan(140);
    expect(named('industry')?.options[0]).toEqual({
      label: 'Accounting',
      value: 'ACCOUNTING',
      displayOrder: 0,
      hidden: false,
    });
    expect(named('hs_lastmodifieddate')?.modificationMetadata.readOnlyValue).toBe(true);
    expect(named('num_associated_contacts')?.calculated).toBe(true);
    expect(new Set(body.results.map((one) => one.name)).size).toBe(body.results.length);
  });
});

describe('properties that rules for whom to enrich often read', () => {
  it('have the types of a HubSpot account', async () => {
    const account = openAccount();
    const definition = async (type: string, name: string) =>
      (await account.call('GET', `/crm/v3/properties/${type}/${name}`)).body as unknown as {
        type: string;
        fieldType: string;
        options: { value: string }[];
        modificationMetadata: { readOnlyValue: boolean };
      };
    const basis = await definition('contacts', 'hs_legal_basis');
    expect(basis).toMatchObject({ type: 'enumeration', fieldType: 'checkbox' });
    expect(basis.options.map(({ value }) => value)).toContain('Freely given consent from contact');
    for (const type of ['contacts', 'companies']) {
      const deals = await definition(type, 'num_associated_deals');
      expect(deals).toMatchObject({ type: 'number', modificationMetadata: { readOnlyValue: true } });
      expect((await definition(type, 'closedate')).type).toBe('datetime');
    }
  });

  it('hold several legal bases, and no number of deals before there is a deal', async () => {
    const account = openAccount();
    const both = 'Performance of a contract;Freely given consent from contact';
    const id = await born(account, 'contact', { hs_legal_basis: both });
    const wish = { id, properties: ['hs_legal_basis', 'num_associated_deals', 'no_such_property'] };
    const { properties } = await read(account, CONTACTS, wish);
    expect(properties).toMatchObject({ hs_legal_basis: both, num_associated_deals: null });
    expect(properties).not.toHaveProperty('no_such_property');
    const refused = await update(account, CONTACTS, id, { num_associated_deals: '3' });
    expect(refused.body.errors).toMatchObject([{ code: 'READ_ONLY_VALUE' }]);
  });
});

describe('properties that the account lacks', () => {
  it('are not listed, and can neither be read nor written', async () => {
    const account = openAccount({ settings: { lackedProperties: ['hs_logo_url'] } });
    const { body } = await account.call('GET', PROPERTIES);
    expect(body.results.some((one) => one.name === 'hs_logo_url')).toBe(false);
    expect((await account.call('GET', `${PROPERTIES}/hs_logo_url`)).status).toBe(404);
    const id = await born(account, 'company', { name: 'A' });
    const { properties } = await read(account, COMPANIES, { id, properties: ['name', 'hs_logo_url'] });
    expect(properties).not.toHaveProperty('hs_logo_url');
    const refused = await update(account, COMPANIES, id, { hs_logo_url: 'https://a.example/b.png' });
    expect(refused.body.errors).toMatchObject([{ code: 'PROPERTY_DOESNT_EXIST' }]);
  });
});

describe('rules on values', () => {
  const rule = { objectType: 'company' as const, propertyName: 'city' };
  const valueRules = [
    { ...rule, ruleType: 'MAX_LENGTH', ruleArguments: ['5'] },
    { ...rule, ruleType: 'ALPHANUMERIC', ruleArguments: [] },
  ];

  it('are told beforehand, by type and by property', async () => {
    const account = openAccount({ settings: { valueRules } });
    const rules = valueRules.map(({ ruleType, ruleArguments }) => ({ ruleType, ruleArguments }));
    const path = '/crm/property-validations/2026-09';
    const { body } = await account.call('GET', `${path}/0-2`);
    expect(body.results).toEqual([{ propertyName: 'city', propertyValidationRules: rules }]);
    expect((await account.call('GET', `${path}/0-1`)).body.results).toEqual([]);
    expect((await account.call('GET', `${path}/0-2/city`)).body.results).toEqual(rules);
    expect((await account.call('GET', `${path}/0-2/state`)).status).toBe(404);
  });

  it('refuse what an app writes on every path', async () => {
    const account = openAccount({ settings: { valueRules } });
    const id = await born(account, 'company', { city: 'Regensburg' });
    for (const [city, code] of [
      ['Nuremberg', 'INVALID_VALUE'],
      ['U-lm', 'INVALID_ALPHA'],
    ]) {
      for (const path of [COMPANIES, '/crm/v3/objects/companies'])
        expect((await update(account, path, id, { city })).body.errors).toMatchObject([{ code }]);
    }
    expect((await update(account, COMPANIES, id, { city: 'Ulm' })).status).toBe(200);
    expect((await update(account, COMPANIES, id, { city: '' })).status).toBe(200);
  });
});

describe('own properties', () => {
  it('need their group first', async () => {
    const account = openAccount();
    expect((await account.call('POST', PROPERTIES, STATUS)).status).toBe(400);
    await account.call('POST', `${PROPERTIES}/groups`, GROUP);
    expect((await account.call('POST', PROPERTIES, STATUS)).status).toBe(201);
    expect((await account.call('POST', `${PROPERTIES}/groups`, GROUP)).status).toBe(409);
  });

  it('answer 409 when they exist', async () => {
    const account = await withGroup();
    await account.call('POST', PROPERTIES, STATUS);
    const again = await account.call('POST', PROPERTIES, STATUS);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    });
  });

  it('are refused when something is missing or does not go together', async () => {
    const account = await withGroup();
    const [option] = STATUS.options;
    const bad = [
      { ...STATUS, label: undefined },
      { ...STATUS, name: 'Enrichment Status' },
      { ...STATUS, type: 'text' },
      { ...STATUS, fieldType: 'number' },
      { ...STATUS, options: [{ ...option, displayOrder: undefined }] },
      { ...STATUS, options: [option, option] },
      { ...STATUS, type: 'bool', fieldType: 'booleancheckbox', options: [] },
    ];
    for (const body of bad) expect((await account.call('POST', PROPERTIES, body)).status).toBe(400);
  });

  it('have their whole list of options replaced by a PATCH, and kept without one', async () => {
    const account = await withGroup();
    await account.call('POST', PROPERTIES, STATUS);
    const path = `${PROPERTIES}/enrichment_status`;
    const relabelled = await account.call('PATCH', path, { label: 'State' });
    expect(relabelled.body).toMatchObject({ label: 'State', options: STATUS.options });
    const [done] = STATUS.options;
    const shortened = await account.call('PATCH', path, { options: [done] });
    expect(shortened.body.options).toEqual([done]);
    const write = await create(account, COMPANIES, { enrichment_status: 'failed' });
    expect(write.body.errors[0]?.code).toBe('INVALID_OPTION');
  });

  it('can be archived, those of HubSpot cannot', async () => {
    expect((await openAccount().call('DELETE', `${PROPERTIES}/domain`)).status).toBe(400);
  });

  it('come back as they were when an archived name is created again', async () => {
    const account = await withGroup();
    await account.call('POST', PROPERTIES, STATUS);
    const id = await born(account, 'company', { enrichment_status: 'done' });
    expect((await account.call('DELETE', `${PROPERTIES}/enrichment_status`)).status).toBe(204);
    const look = { id, properties: ['enrichment_status'] };
    expect((await read(account, COMPANIES, look)).properties).not.toHaveProperty('enrichment_status');
    expect((await account.call('GET', `${PROPERTIES}/enrichment_status`)).status).toBe(404);
    await account.clock.advance(60_000);
    const revived = await account.call('POST', PROPERTIES, {
      ...STATUS,
      type: 'string',
      fieldType: 'text',
      options: [],
    });
    expect(revived.status).toBe(201);
    expect(revived.body).toMatchObject({
      type: 'enumeration',
      createdAt: '2026-11-21T12:00:00.000Z',
      archived: false,
    });
    expect((await read(account, COMPANIES, look)).properties.enrichment_status).toBe('done');
  });
});
