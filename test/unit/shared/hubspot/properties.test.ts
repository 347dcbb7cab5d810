import { describe, expect, it } from 'vitest';
import type { PropertySpec } from '#inside/hubspot/types.ts';
import type { HttpRequest, Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { createStandInSend } from '../../../../infra/local/virtual/stand-in-send.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

const HOST = 'hubspot.example';
const PATH = '/crm/properties/2026-09/companies';
const clock = createManualClock({ startMs: Date.UTC(2026, 10, 21, 12), autoAdvance: true });

/** A portal with our group, and whatever its customer calls beforehand. */
async function portalWith(...calls: readonly (readonly [method: string, path: string, body?: object])[]) {
  const sandbox = createHubSpotSandbox({ clock, random: () => 0 });
  const standIn = createStandInSend({ clock, hosts: { [HOST]: sandbox.handle } });
  const headers = { Authorization: 'Bearer sandbox-token', 'Content-Type': 'application/json' };
  const call = (method: string, path: string, body?: object) => {
    const request = { method, url: `https://${HOST}${PATH}${path}`, headers, timeoutMs: 1_000 };
    return standIn({ ...request, body: body && JSON.stringify(body) } as HttpRequest);
  };
  await call('POST', '/groups', { ...group, displayOrder: 0 });
  for (const each of calls) await call(...each);
  const writes: HttpRequest[] = [];
  const meanwhile: (() => Promise<unknown>)[] = [];
  const send: Send = async (request) => {
    if (request.method !== 'GET') {
      writes.push(request);
      await meanwhile.shift()?.();
    }
    return standIn(request);
  };
  const options = { baseUrl: `https://${HOST}`, accessToken: 'sandbox-token', random: () => 0 };
  const client = createHubSpotClient({ ...options, send, clock });
  const optionsOf = async (name: string) => JSON.parse((await call('GET', `/${name}`)).body).options;
  return { client, writes, meanwhile, call, optionsOf };
}

const group = { name: 'enrichment', label: 'Enrichment' };
const option = (value: string, displayOrder = 0) => ({ label: value, value, displayOrder, hidden: false });
const status: PropertySpec = {
  name: 'enrichment_status',
  label: 'Status',
  type: 'enumeration',
  fieldType: 'select',
  options: ['enriched', 'review'].map((value) => ({ label: value, value })),
};
const requested: PropertySpec = {
  name: 'enrichment_requested',
  label: 'Requested',
  type: 'bool',
  fieldType: 'booleancheckbox',
};
const customers = (...options: object[]) =>
  ['POST', '', { ...status, groupName: group.name, options }] as const;
const otherType = { ...status, groupName: group.name, type: 'string', fieldType: 'text', options: [] };
const ARCHIVING = ['DELETE', `/${status.name}`] as const;

const ensure = (
  { client }: Awaited<ReturnType<typeof portalWith>>,
  properties: readonly PropertySpec[] = [status, requested],
  dryRun = false,
) => client.ensureProperties({ objectType: 'companies', group, properties, dryRun });

const nothing = {
  groupCreated: false,
  created: [],
  revived: [],
  optionsAdded: [],
  unchanged: [],
  conflicts: [],
};

describe('ensuring properties', () => {
  it('creates properties, two options for a boolean included', async () => {
    const portal = await portalWith();
    expect(await ensure(portal)).toEqual({ ...nothing, created: [status.name, requested.name] });
    expect(await portal.optionsOf(status.name)).toMatchObject([option('enriched'), option('review', 1)]);
    expect(await portal.optionsOf(requested.name)).toMatchObject([{ value: 'true' }, { value: 'false' }]);
  });

  it('tells in a dry run what it would do, and writes nothing', async () => {
    const portal = await portalWith(customers(option('review')));
    const planned = await ensure(portal, [status, requested], true);
    expect(planned).toEqual({ ...nothing, created: [requested.name], optionsAdded: [status.name] });
    expect(portal.writes).toEqual([]);
    expect(await ensure(portal)).toEqual(planned);
  });

  it('takes a property that somebody else creates in the same moment', async () => {
    const portal = await portalWith();
    portal.meanwhile.push(() => portal.call(...customers(option('own'))));
    expect(await ensure(portal, [status])).toEqual({ ...nothing, optionsAdded: [status.name] });
  });

  it("adds missing options behind the customer's own, which stay as they are", async () => {
    const own = { label: 'Ours', value: 'ours', displayOrder: 7, hidden: true, description: 'kept' };
    const portal = await portalWith(customers(own, option('review', 1)));
    expect(await ensure(portal, [status])).toEqual({ ...nothing, optionsAdded: [status.name] });
    const enriched = option('enriched', 8);
    expect(await portal.optionsOf(status.name)).toEqual([own, option('review', 1), enriched].map(holding));
  });

  it.each([
    ['there', [['POST', '', otherType]]],
    ['archived', [['POST', '', otherType], ARCHIVING]],
  ] as const)('leaves a property of another type alone that is %s, and says so', async (_, calls) => {
    const portal = await portalWith(...calls);
    const { conflicts, created, revived } = await ensure(portal);
    const params = { type: 'string', wanted: 'enumeration' };
    expect(conflicts).toMatchObject([{ name: status.name, code: 'other-type', params }]);
    expect({ created, revived }).toEqual({ created: [requested.name], revived: [] });
    expect(portal.writes).toHaveLength(1);
  });

  it('revives an archived property of the same type and then merges its options', async () => {
    const portal = await portalWith(customers(option('old')), ARCHIVING);
    const revived = { revived: [status.name], optionsAdded: [status.name] };
    expect(await ensure(portal, [status])).toEqual({ ...nothing, ...revived });
    const values = ['old', 'enriched', 'review'].map((value) => expect.objectContaining({ value }));
    expect(await portal.optionsOf(status.name)).toEqual(values);
  });

  it('reports what HubSpot refuses and goes on with the others', async () => {
    const portal = await portalWith();
    const { conflicts, created } = await ensure(portal, [{ ...status, name: 'Bad Name' }, requested]);
    expect(conflicts).toMatchObject([{ name: 'Bad Name', code: 'refused' }]);
    expect(created).toEqual([requested.name]);
  });
});

it('a calculated and a protected property are listed as read-only', async () => {
  const { client } = await portalWith();
  const listed = await client.listProperties('companies');
  const readOnly = new Map(listed.map((property) => [property.name, property.readOnly]));
  const names = ['name', 'num_associated_deals', 'createdate'];
  expect(names.map((name) => readOnly.get(name))).toEqual([false, true, true]);
});

function holding(one: object) {
  return expect.objectContaining(one);
}
