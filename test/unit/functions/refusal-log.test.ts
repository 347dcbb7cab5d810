import { describe, expect, it } from 'vitest';
import { onlyAllowedFields } from '#inside/kernel/logger.ts';
import type { LogFields } from '#shared/kernel';
import type { HttpEvent } from '../../../functions/receive-webhook/handler.ts';
import { WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { createServer } from '../../harness/server.ts';
import { createWorld } from '../../harness/world.ts';
import { createDesk, delivery, NOW_MS } from './receive-webhook/deliveries.ts';

const ROUTE = 'POST /hubspot';
const BODY = '[{"secret":"of a person"}]';
const { headers } = delivery({ body: BODY });
const signature = 'x-hubspot-signature-v3';

/** As the API hands it over: with its route and its id of the request. */
function arriving(changed: Partial<HttpEvent>): HttpEvent {
  const requestContext = { http: { method: 'POST' }, requestId: 'Qx1=' };
  return { ...delivery({ body: BODY }), routeKey: ROUTE, ...changed, requestContext };
}

describe('the log line of a refused webhook', () => {
  it.each<[number, string, Partial<HttpEvent>]>([
    [401, 'missing-header', { headers: { ...headers, [signature]: undefined } }],
    [401, 'wrong-signature', { headers: { ...headers, [signature]: 'forged by a stranger' } }],
    [401, 'too-old', delivery({ body: BODY, timestampMs: NOW_MS - 300_001 })],
    [413, 'body-too-large', { body: 'x'.repeat(6_000_001) }],
    [400, 'body-not-a-json-array', delivery({ body: '{"secret":"of a person"}' })],
  ])(
    "has route, status %i, code %s and the API's id, and nothing of the request",
    async (status, reason, changed) => {
      const { receive, logs } = createDesk();
      expect(await receive(arriving(changed))).toMatchObject({ statusCode: status });
      expect(logs.map(({ event, fields }) => [event, onlyAllowedFields(fields as LogFields)])).toEqual([
        ['webhook-refused', { route: ROUTE, status, reason, requestId: 'Qx1=' }],
      ]);
    },
  );
});

describe("the log line of a refused request of HubSpot's extensions", () => {
  it.each([
    [401, 'missing-header', ''],
    [413, 'body-too-large', 'x'.repeat(1_400_001)],
  ])(
    "has route, status %i, code %s and the API's id, and nothing of the request",
    async (status, reason, body) => {
      const { services, policy, queues, clock } = await createWorld();
      const logs: unknown[] = [];
      const log = (event: string, fields: LogFields = {}) =>
        void logs.push([event, onlyAllowedFields(fields)]);
      const serve = createServer({
        services,
        policy,
        queues,
        clock,
        logger: { info: log, warn: log, error: log },
      });
      const init = { method: 'POST', body, headers: { 'x-a-secret': 'of a person' } };
      const response = await serve(new Request(`${WEBHOOK_URL}/records/contacts/1/requests`, init));
      expect(response.status).toBe(status);
      expect(logs).toEqual([
        ['hubspot-refused', { route: 'POST /hubspot/{proxy+}', status, reason, requestId: 'Qx1=' }],
      ]);
    },
  );
});
