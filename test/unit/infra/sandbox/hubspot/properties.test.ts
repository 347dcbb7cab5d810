import { describe, expect, it } from 'vitest';
import { type Body, born, COMPANIES, create, openAccount, read, update } from './account.ts';

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

describe('properties that the account lacks', () => {
  it('are not listed, and can neither be read nor written', async () => {
    const account = openAccount({ settings: { lackedProperties: ['hs_logo_url'] } });
    const { body } = await account.call('GET', PROPERTIES);
    expect(body.results.some((one: Body) => one.name === 'hs_logo_url')).toBe(false);
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
