import { describe, expect, it } from 'vitest';
import type { PropertySpec } from '#inside/hubspot/property-types.ts';
import type { HttpRequest, Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { createFakeHubSpot, type FakeAnswer, toResponse } from './fake-hubspot.ts';

interface FakeProperty {
  readonly name: string;
  readonly type: string;
  readonly options: readonly Readonly<Record<string, unknown>>[];
  readonly archived?: boolean;
  readonly calculated?: boolean;
  readonly modificationMetadata?: { readonly readOnlyValue: boolean };
  readonly [more: string]: unknown;
}

/** The properties of a portal: creating an archived name revives the old one, a PATCH of options replaces them all. */
function portalWith(...initial: readonly FakeProperty[]) {
  const properties = new Map(initial.map((property) => [property.name, property]));
  const groups = new Set<string>();
  const writes: string[] = [];
  const send: Send = async (request) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${pathOf(request)}`);
    return toResponse(answer({ request, properties, groups }));
  };
  const { clock } = createFakeHubSpot();
  const client = createHubSpotClient({ accessToken: 'token', send, clock, random: () => 0 });
  return { properties, writes, client };
}

const PATH = '/crm/properties/2026-09/companies';

function pathOf(request: HttpRequest): string {
  return new URL(request.url).pathname.replace(PATH, '');
}

function answer(asked: {
  readonly request: HttpRequest;
  readonly properties: Map<string, FakeProperty>;
  readonly groups: Set<string>;
}): FakeAnswer {
  const { request, properties, groups } = asked;
  const body = JSON.parse(request.body ?? '{}');
  const route = `${request.method} ${pathOf(request)}`;
  if (route === 'GET ') {
    const archived = new URL(request.url).searchParams.get('archived') === 'true';
    const results = [...properties.values()].filter(
      (property) => (property.archived ?? false) === archived && !property['late'],
    );
    return { status: 200, body: { results } };
  }
  if (route.startsWith('GET /groups/')) {
    return { status: groups.has(route.slice('GET /groups/'.length)) ? 200 : 404, body: {} };
  }
  if (route === 'POST /groups') {
    if (groups.has(body.name)) return { status: 409, body: { category: 'OBJECT_ALREADY_EXISTS' } };
    groups.add(body.name);
    return { status: 201, body };
  }
  if (route === 'POST ') return create(properties, body);
  const existing = properties.get(pathOf(request).slice(1));
  if (request.method !== 'PATCH' || !existing) return { status: 404, body: {} };
  properties.set(existing.name, { ...existing, ...body });
  return { status: 200, body: properties.get(existing.name) };
}

function create(properties: Map<string, FakeProperty>, body: FakeProperty): FakeAnswer {
  const old = properties.get(body.name);
  if (old?.['late']) properties.set(body.name, { ...old, late: false });
  if (old && !old.archived) return { status: 409, body: { category: 'OBJECT_ALREADY_EXISTS' } };
  if (body.name === 'Bad Name') {
    return { status: 400, body: { category: 'VALIDATION_ERROR', errors: [{ code: 'INVALID_NAME' }] } };
  }
  const made = { ...(old ?? body), archived: false };
  properties.set(body.name, made);
  return { status: 201, body: made };
}

const group = { name: 'enrichment', label: 'Enrichment' };
const option = (value: string, displayOrder = 0) => ({ label: value, value, displayOrder, hidden: false });
const status: PropertySpec = {
  name: 'enrichment_status',
  label: 'Enrichment status',
  type: 'enumeration',
  fieldType: 'select',
  options: [
    { label: 'Enriched', value: 'enriched' },
    { label: 'Review', value: 'review' },
  ],
};
const requested: PropertySpec = {
  name: 'enrichment_requested',
  label: 'Enrichment requested',
  type: 'bool',
  fieldType: 'booleancheckbox',
};

const ensure = (portal: ReturnType<typeof portalWith>, ...properties: PropertySpec[]) =>
  portal.client.ensureProperties({ objectType: 'companies', group, properties });

const nothing = {
  groupCreated: false,
  created: [],
  revived: [],
  optionsAdded: [],
  unchanged: [],
  conflicts: [],
};

describe('ensuring properties', () => {
  it('creates group and properties, two options for a boolean included', async () => {
    const portal = portalWith();
    expect(await ensure(portal, status, requested)).toEqual({
      ...nothing,
      groupCreated: true,
      created: ['enrichment_status', 'enrichment_requested'],
    });
    expect(portal.properties.get('enrichment_status')).toMatchObject({
      groupName: 'enrichment',
      label: 'Enrichment status',
      fieldType: 'select',
      options: [option('enriched'), option('review', 1)].map(({ value, displayOrder }) => ({
        value,
        displayOrder,
        hidden: false,
      })),
    });
    const values = portal.properties.get('enrichment_requested')?.options.map(({ value }) => value);
    expect(values).toEqual(['true', 'false']);
  });

  it('tells in a dry run what it would do, and writes nothing', async () => {
    const portal = portalWith({ name: status.name, type: 'enumeration', options: [option('review')] });
    const planned = await portal.client.ensureProperties({
      objectType: 'companies',
      group,
      properties: [status, requested],
      dryRun: true,
    });
    expect(planned).toEqual({
      ...nothing,
      groupCreated: true,
      created: [requested.name],
      optionsAdded: [status.name],
    });
    expect(portal.writes).toEqual([]);
    expect(planned).toEqual(await ensure(portal, status, requested));
  });

  it('takes a property that somebody else creates in the same moment', async () => {
    const portal = portalWith();
    portal.properties.set(status.name, { name: status.name, type: 'enumeration', options: [], late: true });
    expect(await ensure(portal, status)).toMatchObject({
      created: [],
      optionsAdded: [status.name],
      conflicts: [],
    });
  });

  it("adds missing options behind the customer's own, which stay as they are", async () => {
    const own = { label: 'Ours', value: 'ours', displayOrder: 7, hidden: true, description: 'kept' };
    const portal = portalWith({
      name: status.name,
      type: 'enumeration',
      options: [own, option('review', 1)],
    });
    expect(await ensure(portal, status)).toEqual({
      ...nothing,
      groupCreated: true,
      optionsAdded: [status.name],
    });
    expect(portal.properties.get(status.name)?.options).toEqual([
      own,
      option('review', 1),
      { label: 'Enriched', value: 'enriched', displayOrder: 8, hidden: false },
    ]);
  });

  it('leaves a property of another type alone, and says so', async () => {
    const portal = portalWith({ name: status.name, type: 'string', options: [] });
    const { conflicts, created } = await ensure(portal, status, requested);
    expect(conflicts).toEqual([
      expect.objectContaining({
        ...{ name: status.name, code: 'other-type', params: { type: 'string', wanted: 'enumeration' } },
      }),
    ]);
    expect(created).toEqual([requested.name]);
  });

  it('revives an archived property of the same type and then merges its options', async () => {
    const portal = portalWith({
      name: status.name,
      type: 'enumeration',
      archived: true,
      options: [option('old')],
    });
    expect(await ensure(portal, status)).toEqual({
      ...nothing,
      groupCreated: true,
      revived: [status.name],
      optionsAdded: [status.name],
    });
    expect(portal.properties.get(status.name)?.options.map(({ value }) => value)).toEqual([
      'old',
      'enriched',
      'review',
    ]);
  });

  it('does not revive an archived property of another type', async () => {
    const portal = portalWith({ name: status.name, type: 'number', archived: true, options: [] });
    const { conflicts } = await ensure(portal, status);
    expect(conflicts).toMatchObject([{ code: 'other-type', params: { type: 'number' } }]);
    expect(portal.writes).toEqual(['POST /groups']);
  });

  it('reports what HubSpot refuses and goes on with the others', async () => {
    const portal = portalWith();
    const { conflicts, created } = await ensure(portal, { ...status, name: 'Bad Name' }, requested);
    expect(conflicts).toMatchObject([{ name: 'Bad Name', code: 'refused', params: { why: 'INVALID_NAME' } }]);
    expect(created).toEqual([requested.name]);
  });
});

describe('listing properties', () => {
  it('marks calculated and protected ones as read-only', async () => {
    const plain = { type: 'string', options: [] };
    const portal = portalWith(
      { ...plain, name: 'name' },
      { ...plain, name: 'computed', calculated: true },
      { ...plain, name: 'guarded', modificationMetadata: { readOnlyValue: true } },
    );
    const listed = await portal.client.listProperties('companies');
    expect(listed.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['name', false],
      ['computed', true],
      ['guarded', true],
    ]);
  });
});
