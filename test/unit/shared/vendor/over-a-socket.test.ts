import type { ServerResponse } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { createDataServiceClient } from '#inside/vendor/data-service/client.ts';
import { createUndiciSend } from '#shared/http/adapters';
import { systemClock } from '#shared/kernel/adapters';
import { serve } from '../http/unruly-server.ts';

const PHONE = { phone: '+1 202-555-0123' };
const { send, close } = createUndiciSend({
  clock: systemClock,
  connectTimeoutMs: 1_000,
  maxResponseBytes: 100_000,
});

afterAll(close);

function clientAt(baseUrl: string, timeoutMs = 5_000) {
  return createDataServiceClient({
    baseUrl,
    apiKey: 'key-1',
    send,
    timeoutMs,
    clock: systemClock,
    random: () => 0,
  });
}

function respond(response: ServerResponse, text: string) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

it('over a socket a paid answer comes through, on a connection of its own', async () => {
  await using server = await serve((request, response) => {
    const data = { id: request.headers['x-api-key'], title: new URL(request.url ?? '', 'http://x').search };
    respond(response, JSON.stringify({ statusCode: 200, message: 'Success', data }));
  });
  const client = clientAt(server.url);
  const answers = [await client.call('reversePhone', PHONE), await client.call('reversePhone', PHONE)];
  expect(answers.flatMap((answer) => answer.records)).toEqual(
    Array(2).fill({ id: 'key-1', title: '?phone=%2B1%20202-555-0123' }),
  );
  expect(new Set(server.requests.map((request) => request.socket)).size).toBe(2);
});
