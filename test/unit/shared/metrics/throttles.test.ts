import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it } from 'vitest';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { countThrottles } from '#inside/metrics/throttles.dynamo.ts';
import { type Served, serveSandbox } from '../../../../infra/sandbox/serve.ts';

let served: Served | undefined;
afterEach(() => served?.close());

/** Refuses so many requests, one after the other, and then answers. */
async function tableThatRefuses(times: number, name: string) {
  let left = times;
  served = await serveSandbox({
    port: 0,
    handle: async () => {
      if (left === 0) return Response.json({ Item: { pk: { S: 'a' } } });
      left -= 1;
      const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
      return Response.json({ __type, message: 'No.' }, { status: 400 });
    },
  });
  const emitted: Measurement[] = [];
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: served.url, region: 'eu-central-1', credentials });
  const metrics = { emit: (some: readonly Measurement[]) => void emitted.push(...some) };
  const documents = countThrottles(DynamoDBDocumentClient.from(client), metrics);
  const read = () => documents.send(new GetCommand({ TableName: 't', Key: { pk: 'a' } }));
  return { read, emitted };
}

it('counts each request that a table throttles, those included that are repeated with success', async () => {
  const { read, emitted } = await tableThatRefuses(2, 'ProvisionedThroughputExceededException');
  expect((await read()).Item).toEqual({ pk: 'a' });
  expect(emitted.map(({ metric, value }) => [metric, value])).toEqual([
    ['storeThrottled', 1],
    ['storeThrottled', 1],
  ]);
});

it('counts no other refusal', async () => {
  const { read, emitted } = await tableThatRefuses(1, 'ResourceNotFoundException');
  await expect(read()).rejects.toThrow();
  expect(emitted).toEqual([]);
});
