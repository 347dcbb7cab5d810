import { describe, expect, it } from 'vitest';
import {
  createHubSpotSandbox,
  type SandboxSettings,
} from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import type { HttpRequest, HttpResponse, Send } from '../../../../shared/http/http-request.ts';
import { createHubSpotClient } from '../../../../shared/hubspot/hubspot-client.ts';
import { parseWebhookEvent } from '../../../../shared/hubspot/webhook-events.ts';
import { verifyWebhookSignature } from '../../../../shared/hubspot/webhook-signature.ts';
import { seededRandom } from '../../../../shared/kernel/random.ts';
import { createFakeHubSpot } from './fake-hubspot.ts';

const BASE_URL = 'https://hubspot.example';
const HOOK_URL = 'https://receiver.example/hubspot?tenant=a%2Fb%20c';
const SECRET = 'sandbox-client-secret';

/** The adapter on an independently written HubSpot, without a socket between them. */
function connected(settings: Partial<SandboxSettings> = {}) {
  const { clock } = createFakeHubSpot();
  const delivered: Request[] = [];
  const sandbox = createHubSpotSandbox({
    clock,
    random: seededRandom(2),
    settings: {
      ...settings,
      accessToken: 'token',
      clientSecret: SECRET,
      webhookUrl: HOOK_URL,
      webhookTimeoutMs: 0,
    },
    send: async (request) => {
      delivered.push(request.clone());
      return new Response('', { status: 200 });
    },
  });
  const send: Send = async (request) => toHttpResponse(await sandbox.handle(toRequest(request)), clock.now());
  const options = { baseUrl: BASE_URL, accessToken: 'token', clock, random: seededRandom(3) };
  return { sandbox, clock, send, delivered, client: createHubSpotClient({ ...options, send }) };
}

function toRequest({ url, method, headers, body }: HttpRequest): Request {
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
}

async function toHttpResponse(response: Response, receivedAtMs: number): Promise<HttpResponse> {
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text(), receivedAtMs };
}

async function create(send: Send, path: string, body: unknown) {
  const response = await send({
    method: 'POST',
    url: `${BASE_URL}/crm/objects/2026-09/${path}`,
    headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: 1_000,
  });
  expect(response.status).toBeLessThan(300);
  return JSON.parse(response.body) as { id: string };
}

async function createCompanies(send: Send, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const properties = { name: `Kiln ${index}`, domain: `kiln-${index}.example` };
    ids.push(String((await create(send, 'companies', { properties })).id));
  }
  return ids;
}

describe('the adapter on the stand-in', () => {
  it('reads records and names the missing', async () => {
    const { client, send } = connected();
    const ids = await createCompanies(send, 3);
    const request = { objectType: 'companies', ids: [...ids, '999999999'], properties: ['domain'] } as const;
    const { byAskedId, missing } = await client.readBatch(request);
    expect(ids.map((id) => byAskedId.get(id)?.properties['domain'])).toEqual([
      'kiln-0.example',
      'kiln-1.example',
      'kiln-2.example',
    ]);
    expect(missing).toEqual(['999999999']);
  });

  it.each([true, false])('follows a merge, primary id kept: %j', async (mergeKeepsPrimaryId) => {
    const { client, send } = connected({ mergeKeepsPrimaryId });
    const [primaryObjectId = '', objectIdToMerge = ''] = await createCompanies(send, 2);
    const winner = await create(send, 'companies/merge', { primaryObjectId, objectIdToMerge });
    expect(String(winner.id) === primaryObjectId).toBe(mergeKeepsPrimaryId);
    const ids = [primaryObjectId, objectIdToMerge];
    const { byAskedId, found } = await client.readBatch({ objectType: 'companies', ids, properties: [] });
    expect(ids.map((id) => byAskedId.get(id)?.id)).toEqual([String(winner.id), String(winner.id)]);
    expect(found.length).toBe(1);
  });

  it('writes all but the guilty record', async () => {
    const { client, send } = connected({ partialBatches: ['update'] });
    const ids = await createCompanies(send, 9);
    const updates = ids.map((id, index) => ({
      id,
      properties: index === 4 ? { industry: 'Pottery' } : { city: 'Cork' },
    }));
    const attempt = await client.updateBatch({ objectType: 'companies', updates });
    if (attempt.kind === 'failed') throw attempt.error;
    expect(attempt.updated.length).toBe(8);
    expect(attempt.failed).toMatchObject([
      { id: ids[4], category: 'VALIDATION_ERROR', reason: 'INVALID_OPTION (industry)' },
    ]);
    const { found } = await client.readBatch({ objectType: 'companies', ids, properties: ['city'] });
    expect(found.filter(({ properties }) => properties['city'] === 'Cork').length).toBe(8);
  });

  it('finds every record by keyset', async () => {
    const { client, send } = connected();
    const ids = await createCompanies(send, 12);
    const found: string[] = [];
    const filter = { propertyName: 'domain', operator: 'HAS_PROPERTY' } as const;
    const request = {
      objectType: 'companies',
      properties: ['name'],
      filterGroups: [{ filters: [filter] }],
    } as const;
    for await (const { id } of client.searchAll(request)) found.push(id);
    expect(found).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
  });

  it('sets properties up once', async () => {
    const { client } = connected();
    const request = {
      objectType: 'contacts',
      group: { name: 'enrichment', label: 'Enrichment' },
      properties: [
        {
          name: 'enrichment_status',
          label: 'Enrichment status',
          type: 'enumeration',
          fieldType: 'select',
          options: [{ label: 'Enriched', value: 'enriched' }],
        },
        {
          name: 'enrichment_requested',
          label: 'Enrichment requested',
          type: 'bool',
          fieldType: 'booleancheckbox',
        },
      ],
    } as const;
    const names = request.properties.map(({ name }) => name);
    expect(await client.ensureProperties(request)).toMatchObject({ created: names, conflicts: [] });
    expect(await client.ensureProperties(request)).toMatchObject({ created: [], unchanged: names });
    const listed = await client.listProperties('contacts');
    expect(
      listed.find(({ name }) => name === 'enrichment_status')?.options.map(({ value }) => value),
    ).toEqual(['enriched']);
  });

  it('tells the account', async () => {
    const { client } = connected({ portalId: 77, timeZone: 'Europe/Dublin' });
    expect(await client.accountDetails()).toEqual({ portalId: '77', timeZone: 'Europe/Dublin' });
  });

  it('waits for a ten-secondly limit and then goes on', async () => {
    const rateLimits = { tenSecondly: 3, associationsTenSecondly: 100, searchSecondly: 5, daily: 1_000 };
    const { client, clock } = connected({ rateLimits });
    for (let call = 0; call < 5; call += 1) await client.accountDetails();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(10_000);
  });

  it('gives up at the daily limit', async () => {
    const rateLimits = { tenSecondly: 100, associationsTenSecondly: 100, searchSecondly: 5, daily: 1 };
    const { client } = connected({ rateLimits });
    await client.accountDetails();
    await expect(client.accountDetails()).rejects.toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT' });
  });
});

describe('webhooks of the stand-in', () => {
  it.each(['generic', 'classic'] as const)('in %s style verify and parse', async (eventStyle) => {
    const { sandbox, send, clock, delivered } = connected({ eventStyle });
    const ids = await createCompanies(send, 3);
    await clock.sleep(60_000);
    await sandbox.deliverWebhooks();
    const objectIds: string[] = [];
    for (const request of delivered) {
      const rawBody = new Uint8Array(await request.arrayBuffer());
      const verdict = verifyWebhookSignature({
        method: request.method,
        publicUrl: HOOK_URL,
        rawBody,
        headers: Object.fromEntries(request.headers),
        clientSecret: SECRET,
        nowMs: clock.now(),
      });
      expect(verdict).toEqual({ kind: 'valid', version: 'v3' });
      for (const value of JSON.parse(Buffer.from(rawBody).toString()) as unknown[]) {
        const parsed = parseWebhookEvent(value);
        expect(parsed).toMatchObject({ kind: 'event', event: { kind: 'creation', objectType: 'companies' } });
        if (parsed.kind === 'event') objectIds.push(parsed.event.objectId);
      }
    }
    expect(objectIds.toSorted()).toEqual(ids.toSorted());
  });
});
