import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { startEmbeddedAws } from '../../../../infra/local/embedded-aws.ts';
import { createTables, TABLES } from '../../../../infra/local/tables.ts';
import { createPlainItems } from '../../../builders/plain-items.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Makes the first tables, and ends before any of them is active. */
async function cutOffInCreation(): Promise<void> {
  const server = dynalite({ path: folder, createTableMs: 600_000 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials,
    endpoint: `http://127.0.0.1:${port}`,
  });
  const looked = Promise.withResolvers<void>();
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        // Only who has asked for all tables looks what has become of them.
        if (commandName === 'DescribeTableCommand') looked.resolve();
        return next(args);
      },
    { step: 'initialize' },
  );
  // It waits for tables that are never finished.
  const making = createTables(client, systemClock).catch(() => undefined);
  await looked.promise;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLES.records }));
  expect(Table?.TableStatus).toBe('CREATING');
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await making;
}

describe('the embedded tables', () => {
  it('can be used where an earlier process was killed while it made them', async () => {
    await cutOffInCreation();
    const aws = await startEmbeddedAws({ folder, clock: systemClock });
    for (const tableName of [TABLES.records, TABLES.rateLimiter]) {
      const items = createPlainItems({
        client: aws.dynamo,
        tableName,
        newId: () => 'a write',
        parse: String,
        ...(tableName === TABLES.records && { indexPosition: () => ({ partition: 'here', order: 1 }) }),
      });
      expect(await items.write({ key: 'key', value: 'kept', expectedVersion: 0 })).toBe('written');
      expect(await items.read('key')).toEqual({ value: 'kept', version: 1 });
      if (tableName === TABLES.records) expect(await items.list({ partition: 'here' })).toEqual(['kept']);
    }
    await aws.close();
  });
});
