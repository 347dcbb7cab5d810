import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { createHubSpotCrm } from '#shared/crm/adapters';
import { API_VERSION } from '#shared/hubspot';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { seededRandom } from '#shared/kernel';
import { sortEvents } from '../../../../functions/receive-webhook/handler.ts';
import { ensureEnrichmentProperties } from '../../../../infra/local/prepare-properties.ts';
import { createStandInSend } from '../../../../infra/local/virtual/stand-in-send.ts';
import {
  createHubSpotSandbox,
  type SandboxSettings,
} from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

const FOLDER = join(import.meta.dirname, '../../../../infra/hubspot-app');
const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
const { settings, subscriptions } = read('src/app/webhooks/webhooks-hsmeta.json').config as {
  settings: { targetUrl: string; maxConcurrentRequests: number };
  subscriptions: SandboxSettings['subscriptions'];
};
const app = read('src/app/app-hsmeta.json').config as {
  distribution: string;
  auth: { type: string; requiredScopes: string[]; optionalScopes: string[] };
};
const WORDS = { contacts: 'contact', companies: 'company' } as const;

function subscribed(objectType: ObjectType, subscriptionType: string) {
  return subscriptions.crmObjects.filter(
    (each) => each.objectType === WORDS[objectType] && each.subscriptionType === subscriptionType,
  );
}

const watched = (objectType: ObjectType) =>
  subscribed(objectType, 'object.propertyChange').map(({ propertyName = '' }) => propertyName);

/** A portal whose app has these scopes, and the adapter to it. */
function portalWith(scopes: readonly string[]) {
  const clock = createManualClock({ startMs: Date.UTC(2030, 0, 1), autoAdvance: true });
  const random = seededRandom(1);
  const sandbox = createHubSpotSandbox({ clock, random, settings: { scopes, subscriptions } });
  const send = createStandInSend({ clock, hosts: { 'hubspot.example': sandbox.handle } });
  const access = { baseUrl: 'https://hubspot.example', accessToken: 'sandbox-token' };
  const client = createHubSpotClient({ ...access, send, clock, random });
  const person = async (objectType: ObjectType) => {
    const body = JSON.stringify({ objectType, properties: { country: 'DE' } });
    const made = new Request('https://hubspot.example/_sandbox/create', { method: 'POST', body });
    return String(((await (await sandbox.handle(made)).json()) as { id: unknown }).id);
  };
  return { client, clock, person };
}

/** Everything that the product asks of HubSpot about one type of record. */
async function useAll({ client, clock, person }: ReturnType<typeof portalWith>, objectType: ObjectType) {
  const id = await person(objectType);
  const crm = createHubSpotCrm({ client, clock });
  await ensureEnrichmentProperties(client, { objectType });
  await crm.definitions(objectType);
  await crm.read({ objectType, ids: [id], properties: ['country'] });
  await crm.history({ objectType, records: [{ id, properties: ['country'] }] });
  const written = await crm.write({ objectType, writes: [{ id, properties: { enrichment_source: 'x' } }] });
  await client.search({ objectType, filters: [], properties: [], limit: 1 });
  await client.accountDetails();
  await crm.completeActions([{ callbackId: 'ap-1-1', outputs: { outcome: 'enriched' } }]);
  if (objectType === 'companies') await crm.companies.create({ name: 'Acme', domain: 'acme.com' });
  else await crm.companies.associate([{ contactId: id, companyId: await person('companies') }]);
  if (written.kind === 'failed') throw written.error;
  return written.results.map(({ kind }) => kind);
}

describe('the subscriptions of the HubSpot app', () => {
  it.each(OBJECT_TYPES)('watch each property that identifies %s, and no other', (objectType) => {
    const wanted = [...WATCHED_PROPERTIES[objectType], 'enrichment_requested'];
    expect(watched(objectType).toSorted()).toEqual(wanted.toSorted());
  });

  it.each(OBJECT_TYPES)('watch only properties that %s have', async (objectType) => {
    const { client } = portalWith(app.auth.requiredScopes);
    await ensureEnrichmentProperties(client, { objectType });
    const known = new Set((await client.listProperties(objectType)).map(({ name }) => name));
    expect(watched(objectType).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(OBJECT_TYPES)('tell of the whole life of %s', (objectType) => {
    for (const event of ['creation', 'deletion', 'merge', 'restore'])
      expect(subscribed(objectType, `object.${event}`)).toHaveLength(1);
    const associations = subscribed(objectType, 'object.associationChange');
    expect(associations).toHaveLength(objectType === 'contacts' ? 1 : 0);
    expect(subscriptions.hubEvents).toEqual([{ subscriptionType: 'contact.privacyDeletion', active: true }]);
  });

  it('are all active, and all understood by the receiver', () => {
    const events = [
      ...subscriptions.crmObjects.map(({ subscriptionType, objectType, propertyName }, index) => ({
        ...event(index),
        subscriptionType,
        propertyName,
        objectTypeId: objectType === 'contact' ? '0-1' : '0-2',
      })),
      { ...event(99), subscriptionType: 'contact.privacyDeletion' },
    ];
    const { counts } = sortEvents(events, {});
    expect(Object.keys(counts).filter((fate) => fate.startsWith('ignored'))).toEqual([]);
    expect(subscriptions.crmObjects.every(({ active }) => active)).toBe(true);
  });

  it('go to one address without a query, as many at a time as HubSpot sends', () => {
    expect(new URL(settings.targetUrl).search).toBe('');
    expect(settings.maxConcurrentRequests).toBe(10);
  });
});

describe('the scopes of the HubSpot app', () => {
  const { requiredScopes, optionalScopes } = app.auth;

  it.each(OBJECT_TYPES)('suffice for all that is asked about %s', async (objectType) => {
    expect(await useAll(portalWith(requiredScopes), objectType)).toEqual(['written']);
  });

  it.each(requiredScopes)('need %s', async (scope) => {
    const portal = portalWith(requiredScopes.filter((each) => each !== scope));
    const objectType = scope.includes('.contacts.') ? 'contacts' : 'companies';
    const used = await useAll(portal, objectType).catch((error: unknown) => error);
    if (Array.isArray(used)) expect(used).toEqual(['refused']);
    else expect(used).toMatchObject({ code: 'HUBSPOT_FORBIDDEN' });
  });

  it('are all required, of a private app with a static token, on the version that the paths name', () => {
    expect(optionalScopes).toEqual([]);
    expect(app).toMatchObject({ distribution: 'private', auth: { type: 'static' } });
    expect(read('hsproject.json').platformVersion.replace('.', '-')).toBe(API_VERSION);
  });
});

function event(index: number) {
  return {
    eventId: index,
    subscriptionId: index,
    portalId: 1,
    appId: 2,
    occurredAt: 1_900_000_000_000,
    attemptNumber: 0,
    objectId: 1_000 + index,
    changeSource: 'CRM_UI',
    sourceId: 'userId:1',
    primaryObjectId: 1,
    mergedObjectIds: [2],
    newObjectId: 3,
    associationType: 'CONTACT_TO_COMPANY',
    fromObjectId: 1_000 + index,
    toObjectId: 4,
  };
}
