import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { AWS_TIMEOUTS } from '#shared/http';
import { SECOND_MS } from '#shared/kernel';

/** Timeouts of the test are this part of the product's, so that the test takes no seconds. */
const PART = 1 / 20;
const { requestHandler } = AWS_TIMEOUTS;
const requestTimeout = requestHandler.requestTimeout * PART;
/** The longest waits of the SDK between four attempts. */
const BACKOFF_MS = 100 + 200 + 400;
const ROOT = resolve(import.meta.dirname, '../../../..');

/** Lists tables through a server that answers like this. */
async function listTables(answer: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    requestHandler: {
      ...requestHandler,
      requestTimeout,
      socketTimeout: requestHandler.socketTimeout * PART,
    },
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  try {
    const result = await client.send(new ListTablesCommand({})).catch((error: unknown) => error);
    return { result, requests: () => requests };
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

describe('a request to AWS', () => {
  it('times out and is retried, and fails within the time of the webhook function', async () => {
    const begunAt = performance.now();
    const { result, requests } = await listTables(() => undefined);
    const tookMs = performance.now() - begunAt;
    expect(result).toMatchObject({ name: 'TimeoutError' });
    expect(requests()).toBe(4);
    expect(tookMs).toBeGreaterThanOrEqual(4 * requestTimeout - 10);
    expect(4 * requestHandler.requestTimeout + BACKOFF_MS).toBeLessThan(10 * SECOND_MS);
  }, 30_000);

  it('times out if the answer stops in the middle', async () => {
    const { result } = await listTables((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': '1000' });
      response.write('{"TableNames"');
    });
    expect(result).toBeInstanceOf(Error);
  }, 30_000);
});

it('a client of AWS has the timeouts, unless it talks to a server of the same machine', () => {
  const without = globSync('{functions,shared,infra}/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => {
      const made = readFileSync(resolve(ROOT, path), 'utf8').matchAll(CLIENT);
      return [...made].flatMap(([call]) => (KNOWN.test(call) ? [] : [`${path}: ${call}`]));
    });
  expect(without).toEqual([]);
});

const CLIENT = /new (?:DynamoDB|SQS|SSM|CloudFormation)Client\([^)]*\)/g;
/** Named in place, part of settings that several clients share, or an address of the machine. */
const KNOWN = /AWS_TIMEOUTS|\((?:access|settings)\)|\(access\('|\.\.\.access, endpoint/;
