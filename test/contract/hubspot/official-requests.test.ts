import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import { SearchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/SearchApi.js';
import { createConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/objects/models/Filter.js';
import { CoreApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/CoreApi.js';
import { GroupsApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/GroupsApi.js';
import { createConfiguration as createPropertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { expect, it } from 'vitest';
import type { HttpRequest } from '#shared/http/http-request.ts';
import { createHubSpotClient } from '#shared/hubspot/hubspot-client.ts';
import type { HubSpotClient } from '#shared/hubspot/types.ts';
import { createFakeHubSpot, toResponse } from '../../unit/shared/hubspot/fake-hubspot.ts';

const authMethods = { oauth2: { accessToken: 'token' } };
const objects = createConfiguration({ authMethods });
const properties = createPropertiesConfiguration({ authMethods });
const batches = new BatchApiRequestFactory(objects);
const groups = new GroupsApiRequestFactory(properties);
const definitions = new CoreApiRequestFactory(properties);

const GROUP = { name: 'enrichment', label: 'Enrichment' };
const OLD = {
  name: 'enrichment_status',
  label: 'Status',
  type: 'enumeration',
  fieldType: 'select',
  groupName: 'enrichment',
} as const;
const OPTIONS = [{ label: 'Open', value: 'open', displayOrder: 0, hidden: false }];

/** What the generated code of the official client makes, of which only method, path, type and body are compared. */
interface Generated {
  getUrl(): string;
  getHttpMethod(): string;
  getHeaders(): Readonly<Record<string, string>>;
  getBody(): unknown;
}

const CASES: readonly {
  readonly name: string;
  readonly ours: (client: HubSpotClient) => Promise<unknown>;
  readonly theirs: readonly Promise<Generated>[];
}[] = [
  {
    name: 'a batch read',
    ours: (client) => client.readBatch({ objectType: 'contacts', ids: ['1', '2'], properties: ['email'] }),
    theirs: [
      batches.read('contacts', {
        inputs: [{ id: '1' }, { id: '2' }],
        properties: ['email', 'hs_merged_object_ids'],
        propertiesWithHistory: [],
      }),
    ],
  },
  {
    name: 'a batch read with history',
    ours: (client) => client.readHistory({ objectType: 'companies', ids: ['1'], properties: ['domain'] }),
    theirs: [
      batches.read('companies', {
        inputs: [{ id: '1' }],
        properties: ['hs_merged_object_ids'],
        propertiesWithHistory: ['domain'],
      }),
    ],
  },
  {
    name: 'a batch update',
    ours: (client) =>
      client.updateBatch({ objectType: 'contacts', updates: [{ id: '1', properties: { city: '' } }] }),
    theirs: [
      batches.update('contacts', {
        inputs: [{ id: '1', objectWriteTraceId: '1', properties: { city: '' } }],
      }),
    ],
  },
  {
    name: 'a creation',
    ours: (client) => client.createRecord({ objectType: 'companies', properties: { name: 'Potters' } }),
    theirs: [
      batches.create('companies', { inputs: [{ properties: { name: 'Potters' }, associations: [] }] }),
    ],
  },
  {
    name: 'a search',
    ours: (client) =>
      client.search({
        objectType: 'companies',
        filterGroups: [{ filters: [{ propertyName: 'domain', operator: 'IN', values: ['a.example'] }] }],
        properties: ['domain'],
        sort: { propertyName: 'hs_object_id', direction: 'ASCENDING' },
        limit: 10,
        after: '20',
      }),
    theirs: [
      new SearchApiRequestFactory(objects).doSearch('companies', {
        filterGroups: [
          { filters: [{ propertyName: 'domain', operator: FilterOperatorEnum.In, values: ['a.example'] }] },
        ],
        properties: ['domain', 'hs_merged_object_ids'],
        // HubSpot takes objects here; the generated type says `string[]`.
        sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] as unknown as string[],
        limit: 10,
        after: '20',
      }),
    ],
  },
  {
    name: 'the set-up of properties',
    ours: (client) =>
      client.ensureProperties({
        objectType: 'contacts',
        group: GROUP,
        properties: [
          { ...OLD, options: OPTIONS },
          { name: 'enrichment_mark', label: 'Mark', type: 'bool', fieldType: 'booleancheckbox' },
        ],
      }),
    theirs: [
      definitions.getAll('contacts', false),
      groups.getByName('contacts', 'enrichment'),
      groups.create('contacts', { ...GROUP, displayOrder: -1 }),
      definitions.getAll('contacts', true),
      definitions.create('contacts', {
        groupName: 'enrichment',
        name: 'enrichment_mark',
        label: 'Mark',
        type: PropertyCreateTypeEnum.Bool,
        fieldType: PropertyCreateFieldTypeEnum.Booleancheckbox,
        options: [
          { label: 'Yes', value: 'true', displayOrder: 0, hidden: false },
          { label: 'No', value: 'false', displayOrder: 1, hidden: false },
        ],
      }),
      definitions.getAll('contacts', false),
      definitions.update('contacts', OLD.name, { options: OPTIONS }),
    ],
  },
];

it.each(CASES)('$name is what the official client would send, but for the path', async ({ ours, theirs }) => {
  const sent: HttpRequest[] = [];
  const { clock } = createFakeHubSpot();
  const send = async (request: HttpRequest) => {
    sent.push(request);
    return toResponse(answer(request));
  };
  await ours(createHubSpotClient({ accessToken: 'token', send, clock, random: () => 0 }));
  expect(sent.map(comparable)).toEqual((await Promise.all(theirs)).map(dated));
});

/** Of an account with one property, without options, and without the group. */
function answer({ method, url }: HttpRequest) {
  if (method === 'GET' && url.includes('/groups/')) return { status: 404, body: {} };
  const results = url.includes('/crm/objects/') ? [CREATED] : url.includes('archived=false') ? [OLD] : [];
  return { status: 200, body: { total: results.length, results } };
}

const CREATED = {
  id: '1',
  properties: {},
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
};

function comparable({ method, url, headers, body }: HttpRequest) {
  const [path, query = ''] = url.replace('https://api.hubapi.com', '').split('?');
  return { method, path, query, type: headers['Content-Type'], body: JSON.parse(body ?? 'null') as unknown };
}

/** `/crm/v3/objects/...` is `/crm/objects/2026-09/...`: the same shapes under another path. */
function dated(generated: Generated) {
  const url = generated.getUrl().replace(/\/crm\/v3\/(objects|properties)\//, '/crm/$1/2026-09/');
  const [method, headers] = [generated.getHttpMethod(), generated.getHeaders()];
  const body = generated.getBody();
  return comparable({ method, url, headers, timeoutMs: 0, ...(typeof body === 'string' && { body }) });
}
