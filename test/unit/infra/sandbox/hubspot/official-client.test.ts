import { Client } from '@hubspot/api-client';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/companies/index.js';
import {
  BatchApi,
  createConfiguration,
  ServerConfiguration,
} from '@hubspot/api-client/lib/codegen/crm/objects/index.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveSandbox } from '../../../../../infra/sandbox/serve.ts';
import { type Account, born, openAccount } from './account.ts';

let account: Account;
let served: Served;
let client: Client;

beforeAll(async () => {
  account = openAccount();
  served = await serveSandbox({ handle: account.sandbox.handle, port: 0 });
  client = new Client({ accessToken: 'sandbox-token', basePath: served.url });
});

afterAll(() => served.close());

const contact = (properties: Record<string, string>) => ({ properties, associations: [] });

describe("HubSpot's own client, over a port", () => {
  it('pages through all records', async () => {
    for (let index = 0; index < 3; index += 1) await born(account, 'company', { name: `Acme ${index}` });
    const all = await client.crm.companies.getAll(2, undefined, ['name']);
    expect(all.map((one) => one.properties['name'])).toEqual(['Acme 0', 'Acme 1', 'Acme 2']);
  });

  it('reads results and errors of a batch from a 207, with the narrow API of generic objects', async () => {
    const api = new BatchApi(
      createConfiguration({
        baseServer: new ServerConfiguration(served.url, {}),
        authMethods: { oauth2: { accessToken: 'sandbox-token' } },
      }),
    );
    const created = await api.create('companies', {
      inputs: [contact({ name: 'One' }), contact({ name: 'Two' })],
    });
    const [one, two] = created.results.map(({ id }) => id);
    const input = (id = '', industry = '') => ({
      id,
      properties: { industry },
      objectWriteTraceId: `trace-${id}`,
    });
    const updated = await api.update('companies', { inputs: [input(one, 'BANKING'), input(two, 'Banking')] });
    expect(updated.results.map(({ id }) => id)).toEqual([one]);
    expect(updated).toMatchObject({
      status: 'COMPLETE',
      numErrors: 1,
      errors: [{ category: 'VALIDATION_ERROR', context: { objectWriteTraceId: [`trace-${two}`] } }],
    });
    const inputs = [{ id: one ?? '' }, { id: '1' }];
    const read = await api.read('companies', {
      inputs,
      properties: ['industry'],
      propertiesWithHistory: ['industry'],
    });
    expect(read.results[0]?.properties).toMatchObject({ industry: 'BANKING' });
    expect(read).toMatchObject({ errors: [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['1'] } }] });
  });

  it('searches', async () => {
    const found = await client.crm.companies.searchApi.doSearch({
      filterGroups: [
        { filters: [{ propertyName: 'name', operator: FilterOperatorEnum.Eq, value: 'acme 1' }] },
      ],
      properties: ['name'],
      sorts: ['hs_object_id'],
      limit: 10,
    });
    expect(found.total).toBe(1);
    expect(found.results[0]?.properties['name']).toBe('Acme 1');
  });

  it('sets up properties', async () => {
    const { coreApi, groupsApi } = client.crm.properties;
    await groupsApi.create('companies', { name: 'enrichment', label: 'Enrichment', displayOrder: 0 });
    await coreApi.create('companies', {
      groupName: 'enrichment',
      name: 'enrichment_reason',
      label: 'Reason',
      type: PropertyCreateTypeEnum.String,
      fieldType: PropertyCreateFieldTypeEnum.Text,
    });
    const all = await coreApi.getAll('companies');
    expect(all.results.find(({ name }) => name === 'enrichment_reason')?.groupName).toBe('enrichment');
    const industry = all.results.find(({ name }) => name === 'industry');
    expect(industry?.options.map(({ value }) => value)).toContain('COMPUTER_SOFTWARE');
  });

  it('associates', async () => {
    const id = await born(account, 'contact', { firstname: 'Eve' });
    const [company] = (await client.crm.companies.basicApi.getPage(1)).results;
    const v4 = client.crm.associations.v4;
    await v4.basicApi.createDefault('contacts', id, 'companies', company?.id ?? '');
    const read = await v4.batchApi.getPage('contacts', 'companies', { inputs: [{ id }] });
    expect(read.results[0]?.to.map(({ toObjectId }) => String(toObjectId))).toEqual([company?.id]);
  });
});
