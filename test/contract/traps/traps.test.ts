import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_FIELDS } from '#inside/field-policy/default-fields.ts';
import { parseWebhookEvent, verifyWebhookSignature } from '#shared/hubspot';
import { HOUR_MS, UpstreamError } from '#shared/kernel';
import { sortEvents } from '../../../functions/receive-webhook/handler.ts';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/settings.ts';
import type { PortalState } from '../../../infra/sandbox/hubspot/state.ts';
import { profileUrlOf, someCompany, somePerson } from '../../harness/people.ts';
import { liveOn, settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { readTree } from '../../tools/style/tree-files.ts';
import { createDesk, delivery, event, NOW_MS } from '../../unit/functions/receive-webhook/deliveries.ts';
import { contact, createFakeHubSpot } from '../../unit/shared/hubspot/fake-hubspot.ts';
import { contactsIn, openPortal } from './portal.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const contacts = { objectType: 'contacts' } as const;
const BODY = JSON.stringify([event()]);
const GROUP = { name: 'enrichment', label: 'Enrichment' };
/** Of the stand-in's day, which begins at midnight in New York. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 22, 5);
const TITLE = 'Chief';
const SCOPES_WITHOUT_ACCOUNT = DEFAULT_SETTINGS.scopes.filter((scope) => scope !== 'oauth');

const change = (more: object = {}) =>
  event({
    subscriptionType: 'object.propertyChange',
    propertyName: 'email',
    propertyValue: 'a@b.example',
    ...more,
  });

it('trap 01: every path to HubSpot is dated, whatever the official client would call', async () => {
  const portal = openPortal();
  const ids = await contactsIn(portal, 2);
  const client = portal.client();
  const ask = { objectType: 'contacts', ids, properties: ['email'] } as const;
  await client.readBatch(ask);
  await client.readBatch({ ...ask, propertiesWithHistory: ['email'] });
  await client.updateBatch({
    objectType: 'contacts',
    updates: [{ id: ids[0] ?? '', properties: { city: 'Ulm' } }],
  });
  await Array.fromAsync(client.searchAll({ objectType: 'contacts', filters: [], properties: [] }));
  await client.listProperties('companies');
  await client.ensureProperties({ objectType: 'companies', group: GROUP, properties: [] });
  await client.accountDetails();
  const paths = portal.requests.map(({ url }) => new URL(url).pathname);
  expect(paths.length).toBeGreaterThan(7);
  for (const path of paths) expect(path).toMatch(/^\/(crm\/[a-z]+|account-info)\/2026-09\//);
});

it('trap 05: the configured address is signed, not the one behind the gateway', async () => {
  const { receive } = createDesk();
  const seen = { host: 'abc123.execute-api.eu-central-1.amazonaws.com', 'x-forwarded-proto': 'http' };
  const request = delivery({ body: BODY });
  const behindGateway = { ...request, rawPath: '/prod/hubspot', headers: { ...request.headers, ...seen } };
  expect((await receive(behindGateway)).statusCode).toBe(200);
});

it('trap 06: twelve escapes of the address are decoded and no other', () => {
  const decoded = {
    publicUrl: 'https://hooks.example/a%3Ab%40c%20d%2Bé?x=%28y%29%25',
    signs: 'a:b@c%20d%2Bé?x=(y)%25',
  };
  const text = `POSThttps://hooks.example/${decoded.signs}${BODY}${NOW_MS}`;
  const signature = createHmac('sha256', 'secret').update(text).digest('base64');
  const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(NOW_MS) };
  const request = { method: 'POST', rawBody: BODY, clientSecret: 'secret', headers, nowMs: NOW_MS };
  expect(verifyWebhookSignature({ ...request, publicUrl: decoded.publicUrl }).kind).toBe('valid');
  const whole = decodeURIComponent(decoded.publicUrl.replace('%25', '%2525'));
  expect(verifyWebhookSignature({ ...request, publicUrl: whole }).kind).toBe('refused');
});

it.each(['IMPORT', 'FORM', 'AUTOMATION_PLATFORM', 'MOBILE_IOS', 'SOMETHING_NEW'])(
  'trap 14: what came by %s is a person’s, although nobody typed it at the screen',
  async (source) => {
    const world = await createWorld();
    const properties = {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
      jobtitle: TITLE,
      company: 'Elsewhere',
    };
    const body = JSON.stringify({ objectType: 'contact', properties, source, sourceId: '4711' });
    const made = await world.portal.sandbox.handle(
      new Request('https://hubspot.example/_sandbox/create', { method: 'POST', body }),
    );
    const { id }: { readonly id: string } = JSON.parse(await made.text());
    await settleDown(world);
    const now = await world.portal.properties({ objectType: 'contacts', id });
    expect(now['jobtitle']).toBe(TITLE);
    expect(now['company']).toBe('Elsewhere');
  },
);

it('trap 15: the number of an event and the text of an answer are one id', async () => {
  const portal = openPortal();
  const id = await portal.person('create', { objectType: 'contact', properties: { jobtitle: 'Potter' } });
  const parsed = parseWebhookEvent(event({ objectId: Number(id) }));
  const told = parsed.kind === 'event' ? parsed.event.objectId : '';
  expect(Number(id)).toBeGreaterThan(2 ** 32);
  const ask = { objectType: 'contacts', ids: [told], properties: ['jobtitle'] } as const;
  expect((await portal.client().readBatch(ask)).byAskedId.get(told)?.id).toBe(id);
});

it('trap 24: by default no stage, persona, role or owner is ever written', () => {
  const written = [...DEFAULT_FIELDS.contacts, ...DEFAULT_FIELDS.companies].map(({ property }) => property);
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((name) => /stage|persona|owner|status|pipeline/.test(name))).toEqual([]);
});

it('trap 26: a search goes past 10,000 results by id, at most four times a second', async () => {
  const hubspot = createFakeHubSpot(Array.from({ length: 10_050 }, (_, index) => contact(index + 1)));
  const startedMs = hubspot.clock.monotonic();
  const everything = { ...contacts, filters: [], properties: [] };
  const found = await Array.fromAsync(hubspot.client().searchAll(everything));
  expect(new Set(found.map(({ id }) => id)).size).toBe(10_050);
  const seconds = (hubspot.clock.monotonic() - startedMs) / 1_000;
  expect((hubspot.requests.length - 1) / seconds).toBeLessThanOrEqual(4);
  expect(hubspot.bodies().every((body) => body.after === undefined)).toBe(true);
});

it('trap 27: only companies are ever created, in one place, and of workers side by side by one', async () => {
  const world = await createWorld({ policy: { associate: 'create' }, hubSpot: { searchDelayMs: HOUR_MS } });
  const [first, ...others] = world.dataService.world.people.filter(({ job }) => job.email !== undefined);
  const domain = first?.job.company.domains[0];
  const team = [first, ...others.filter(({ job }) => job.company.domains[0] === domain).slice(0, 5)];
  for (const each of team) await world.portal.create('contacts', { email: each?.job.email ?? '' });
  await settleDown(world, { workers: 2 });
  await liveOn(world, { forMs: HOUR_MS });
  const { records, associations } = world.portal.sandbox.state() as PortalState;
  const companies = Object.values(records['0-2']);
  expect(team.length).toBeGreaterThan(2);
  expect(companies.map(({ values }) => values['domain'])).toEqual([domain]);
  expect(associations.length).toBe(team.length);
  const creating = readTree(ROOT, /^(?:functions|shared)\/.*\.ts$/).filter(({ text }) =>
    /batchRequests\s*\.(?:create|upsert|archive)\b/.test(text),
  );
  expect(creating.map(({ path }) => path)).toEqual(['shared/hubspot/hubspot-client.ts']);
});

it('trap 28: records are read and written by their ids alone, never by a domain or an address', async () => {
  const portal = openPortal();
  const [id = ''] = await contactsIn(portal, 1);
  const client = portal.client();
  await client.readBatch({ ...contacts, ids: [id], properties: ['email'] });
  await client.updateBatch({ ...contacts, updates: [{ id, properties: { city: 'Ulm' } }] });
  expect(portal.requests.length).toBe(2);
  for (const { url, body } of portal.requests) expect(`${url} ${body}`).not.toContain('idProperty');
});

it('trap 31: a privacy deletion always gets through, and outlasts whatever comes with it', () => {
  const wish = event({
    subscriptionType: 'contact.privacyDeletion',
    changeSource: 'INTEGRATION',
    sourceId: '7001',
  });
  const others = [event(), event({ subscriptionType: 'contact.deletion' }), change()];
  for (const events of [
    [wish, ...others],
    [...others, wish],
  ]) {
    const { messages } = sortEvents(events, { ownAppId: '7001' });
    expect(messages).toMatchObject([{ id: '101', gone: 'forgotten' }]);
  }
});

it('trap 33: bulk work leaves a tenth of the day’s requests to the customer’s other apps, live work a fiftieth', async () => {
  const rateLimits = { tenSecondly: 1_000, associationsTenSecondly: 100, searchSecondly: 5, daily: 100 };
  const portal = openPortal({ rateLimits });
  const client = portal.client();
  const left: Record<string, number | undefined> = {};
  for (let made = 0; made < 98; made += 1) {
    await client.listProperties('contacts');
    const remaining = client.dailyLimit()?.remaining;
    for (const urgency of ['bulk', 'live'] as const) {
      const untilMs = await client.pausedUntil(urgency);
      if (untilMs === undefined) continue;
      expect(untilMs).toBe(MIDNIGHT_MS);
      left[urgency] ??= remaining;
    }
  }
  expect(left).toEqual({ bulk: 9, live: 1 });
});

it('trap 34: a used-up day is not tried again before midnight, with or without a Retry-After', async () => {
  const faults = [
    { kind: 'status', status: 429, policyName: 'DAILY', rate: 1, times: 1, path: 'properties' },
  ] as const;
  const portal = openPortal({ faults });
  const client = portal.client();
  const untilMidnight = { code: 'HUBSPOT_DAILY_LIMIT', retryAfterMs: MIDNIGHT_MS - portal.clock.now() };
  await expect(client.listProperties('contacts')).rejects.toMatchObject(untilMidnight);
  const sent = portal.requests.length;
  await portal.clock.sleep(HOUR_MS);
  await expect(client.listProperties('contacts')).rejects.toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT' });
  expect(portal.requests.length).toBe(sent);
  await portal.clock.sleep(MIDNIGHT_MS - portal.clock.now());
  expect((await client.listProperties('contacts')).length).toBeGreaterThan(10);
});

it('trap 35: processes that know nothing of each other all get through HubSpot’s limit', async () => {
  const rateLimits = { tenSecondly: 6, associationsTenSecondly: 6, searchSecondly: 5, daily: 100_000 };
  const portal = openPortal({ rateLimits });
  const ids = await contactsIn(portal, 4);
  const work = Array.from({ length: 4 }, async () => {
    const client = portal.client();
    let found = 0;
    for (let time = 0; time < 3; time += 1)
      found += (await client.readBatch({ ...contacts, ids, properties: [] })).byAskedId.size;
    return found;
  });
  expect(await Promise.all(work)).toEqual([12, 12, 12, 12]);
  // More than the twelve that were needed: HubSpot refused some, and nobody hammered.
  expect(portal.requests.length).toBeGreaterThan(12);
  expect(portal.requests.length).toBeLessThan(40);
});

it('trap 36: a HubSpot that hangs costs ten seconds an attempt, and half a minute in all', async () => {
  const portal = openPortal({ faults: [{ kind: 'hang', path: 'batch/read', rate: 1 }] });
  const startedMs = portal.clock.now();
  const reading = portal.client().readBatch({ objectType: 'contacts', ids: ['1'], properties: [] });
  await expect(reading).rejects.toMatchObject({ code: 'HTTP_TIMEOUT' });
  expect(portal.requests.map(({ timeoutMs }) => timeoutMs <= 10_000)).not.toContain(false);
  expect(portal.clock.now() - startedMs).toBeLessThanOrEqual(30_000);
});

it('trap 37: no error of ours quotes a body, a value or the token', async () => {
  const portal = openPortal({ partialBatches: [], validationDetail: 'message' });
  const [id = ''] = await contactsIn(portal, 1);
  const updates = [{ id, properties: { lifecyclestage: 'ines.weaver@mail.example' } }];
  const attempt = await portal.client().updateBatch({ objectType: 'contacts', updates });
  if (attempt.kind === 'failed') throw attempt.error;
  const { failed } = attempt;
  expect(failed).toMatchObject([{ id, reason: 'INVALID_OPTION (lifecyclestage)' }]);
  expect(JSON.stringify(failed)).not.toContain('weaver');
  const refused = await portal
    .client({ accessToken: 'pat-wrong' })
    .accountDetails()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UpstreamError);
  expect(`${JSON.stringify(refused)} ${String(refused)}`).not.toContain('pat-wrong');
});

it('trap 39: two clients in one process keep their own accounts, retries and limits', async () => {
  const [one, other] = [openPortal(), openPortal({ accessToken: 'another-token', portalId: 7 })];
  const fault = { kind: 'status', status: 503, rate: 1, times: 2, path: 'details' } as const;
  const patient = openPortal({ faults: [fault] });
  const clients = [one.client(), patient.client(), other.client({ accessToken: 'another-token' })];
  const portals = await Promise.all(clients.map((client) => client.accountDetails()));
  expect(portals.map(({ portalId }) => portalId)).toEqual(['24170001', '24170001', '7']);
  expect(patient.requests.length).toBe(3);
  expect(one.requests.every(({ headers }) => headers['Authorization'] === 'Bearer sandbox-token')).toBe(true);
});

it('trap 42: no OpenAPI file of HubSpot, nor code made from one, is in the tree', () => {
  const files = readTree(ROOT, /\.(?:json|ya?ml|ts)$/);
  expect(files.length).toBeGreaterThan(300);
  const specifications = files.filter(({ text }) => /^\s*"?(?:openapi|swagger)"?\s*:\s*["']?\d/m.test(text));
  // The data service's own contract, where there is one, is not HubSpot's.
  expect(specifications.filter(({ text }) => /hubapi|hubspot/i.test(text)).map(({ path }) => path)).toEqual(
    [],
  );
  const generated = files.filter(({ text }) => /auto[- ]generated by .*openapi/i.test(text.slice(0, 2_000)));
  expect(generated.map(({ path }) => path)).toEqual([]);
});

it('trap 43: a rule of the admin on one value costs that value, not the record', async () => {
  const rule = {
    objectType: 'company',
    propertyName: 'city',
    ruleType: 'MAX_LENGTH',
    ruleArguments: ['1'],
  } as const;
  const world = await createWorld({ hubSpot: { valueRules: [rule] } });
  const record = await world.portal.create('companies', { domain: someCompany(world).domains[0] });
  await settleDown(world);
  const properties = await world.portal.properties(record);
  expect(properties).toMatchObject({ name: someCompany(world).name, enrichment_status: 'enriched' });
  expect(properties).not.toHaveProperty('city');
});

it('trap 44: an amount is written in the account’s own currency or not at all', async () => {
  const written: (string | undefined)[] = [];
  for (const hubSpot of [{ currency: 'USD' }, { currency: 'JPY' }, { scopes: SCOPES_WITHOUT_ACCOUNT }]) {
    const world = await createWorld();
    await world.portal.change(hubSpot);
    const { domains, revenue } = world.dataService.world.companies.find((one) => one.revenue) ?? {};
    const record = await world.portal.create('companies', { domain: domains?.[0] ?? '' });
    await settleDown(world);
    const {
      annualrevenue,
      hs_annual_revenue_currency_code: code,
      name,
    } = await world.portal.properties(record);
    expect(name).toBeDefined();
    written.push(annualrevenue === String(revenue?.amount) ? code : annualrevenue);
  }
  expect(written).toEqual(['USD', undefined, undefined]);
});
