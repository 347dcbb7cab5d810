import { describe, expect, it } from 'vitest';
import { onlyAllowedFields } from '#inside/kernel/logger.ts';
import type { LogFields } from '#shared/kernel';
import type { HttpEvent } from '../../../../functions/receive-webhook/handler.ts';
import { createDesk, delivery, event, NOW_MS, REQUEST_ID, ROUTE } from './deliveries.ts';

const BODY = JSON.stringify([event()]);

/** The only line of a log, with the fields that leave the process. */
function refusal(logs: ReturnType<typeof createDesk>['logs']) {
  expect(logs.map((line) => line.event)).toEqual(['webhook-refused']);
  return onlyAllowedFields(logs[0]?.fields as LogFields);
}

const logged = (status: number, reason: string) => ({ route: ROUTE, status, reason, requestId: REQUEST_ID });

function changed(headers: Record<string, string | undefined>, more: Partial<HttpEvent> = {}): HttpEvent {
  const signed = delivery({ body: BODY });
  return { ...signed, headers: { ...signed.headers, ...headers }, ...more };
}

it.each([false, true])(
  'a delivery that HubSpot signed is queued and answered 200, base64 %j',
  async (base64) => {
    const { receive, queued } = createDesk();
    expect(await receive(delivery({ body: BODY, base64 }))).toMatchObject({ statusCode: 200 });
    expect(queued()).toEqual([
      {
        version: 1,
        objectType: 'contacts',
        id: '101',
        purpose: 'live',
        eventKeys: [expect.stringContaining(':101:')],
        portalId: '62515',
        askedBy: 'user:1001',
      },
    ]);
  },
);

describe('a request that HubSpot did not sign, or not now', () => {
  const stamp = 'x-hubspot-request-timestamp';
  const signature = 'x-hubspot-signature-v3';
  const signed = delivery({ body: BODY }).headers[signature] ?? '';
  it.each<[string, HttpEvent]>([
    ['wrong-signature', changed({ [signature]: `A${signed.slice(1)}` })],
    ['wrong-signature', delivery({ body: BODY, secret: 'another secret' })],
    ['wrong-signature', changed({}, { body: BODY.replace('101', '102') })],
    ['wrong-signature', changed({}, { body: Buffer.from(BODY).toString('base64') })],
    ['wrong-signature', changed({}, { requestContext: { http: { method: 'PUT' }, requestId: REQUEST_ID } })],
    ['too-old', delivery({ body: BODY, timestampMs: NOW_MS - 300_001 })],
    ['from-the-future', delivery({ body: BODY, timestampMs: NOW_MS + 86_400_000 })],
    ['bad-timestamp', changed({ [stamp]: 'yesterday' })],
    ['missing-header', changed({ [stamp]: undefined })],
    ['missing-header', changed({ [signature]: undefined })],
    ['missing-header', { ...delivery({ body: BODY }), headers: {} }],
  ])('is refused with 401, %s, and nothing is queued', async (reason, request) => {
    const { receive, queued, logs } = createDesk();
    expect(await receive(request)).toMatchObject({ statusCode: 401, body: `Refused: ${reason}.` });
    expect(queued()).toEqual([]);
    expect(refusal(logs)).toEqual(logged(401, reason));
  });

  it('of more than a delivery’s size is refused before anything else is done with it', async () => {
    const { receive, queued, logs } = createDesk();
    const request = delivery({ body: JSON.stringify([event({ note: 'x'.repeat(6_000_000) })]) });
    expect((await receive(request)).statusCode).toBe(413);
    expect(queued()).toEqual([]);
    expect(refusal(logs)).toEqual(logged(413, 'body-too-large'));
  });
});

describe('a signed body that is no delivery', () => {
  it.each(['', 'hello', '{"events":[]}', 'null', '"[]"', '[1,'])('%j is answered 400', async (body) => {
    const { receive, queued, logs } = createDesk();
    expect((await receive(delivery({ body }))).statusCode).toBe(400);
    expect(queued()).toEqual([]);
    expect(refusal(logs)).toEqual(logged(400, 'body-not-a-json-array'));
  });

  it.each([null, {}, { ...event(), subscriptionType: 'deal.creation' }, { ...event(), occurredAt: 'now' }])(
    '%j among good events costs none of them',
    async (bad) => {
      const { receive, queued, logs } = createDesk();
      const body = JSON.stringify([event({ objectId: 1 }), bad, event({ objectId: 2 })]);
      expect((await receive(delivery({ body }))).statusCode).toBe(200);
      expect(queued().map(({ id }) => id)).toEqual(['1', '2']);
      expect(logs[0]?.fields).toMatchObject({ eventCount: 3, queued: 2 });
    },
  );
});

describe('when something of ours fails', () => {
  it.each([delivery({ body: BODY }), delivery({ body: BODY, secret: 'another secret' })])(
    'a secret that cannot be read is answered 503, so that HubSpot delivers again',
    async (request) => {
      const { receive, queued, logs } = createDesk({
        clientSecret: () => Promise.reject(new TypeError('x')),
      });
      expect((await receive(request)).statusCode).toBe(503);
      expect(queued()).toEqual([]);
      expect(logs).toEqual([{ event: 'secret-unreadable', fields: { code: 'TypeError' } }]);
    },
  );

  it('nothing of a body or a header is ever logged', async () => {
    const { receive, logs } = createDesk();
    const body = JSON.stringify([event({ propertyValue: 'jane@acme.example' }), { secret: 'swordfish' }]);
    await receive(delivery({ body }));
    await receive(delivery({ body, secret: 'swordfish' }));
    await receive(delivery({ body: 'swordfish' }));
    expect(JSON.stringify(logs)).not.toMatch(/jane|swordfish|acme/);
  });
});
