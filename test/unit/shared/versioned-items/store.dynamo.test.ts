import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/versioned-items';
import { TABLES } from '../../../../infra/local/tables.ts';
import { createPlainItems } from '../../../builders/plain-items.ts';
import { startEmbedded, type TableServer } from '../../../contract/stores/stand-in.ts';

interface Kept {
  readonly name: string;
  readonly untilMs?: number;
}

/** What no port shows: how an item lies in its table. */
describe('an item in its table', () => {
  let server: TableServer;
  beforeAll(async () => {
    server = await startEmbedded();
  });
  afterAll(() => server.close());

  const write = async (value: Kept) => {
    const client = server.connect();
    const items = createPlainItems<Kept>({
      client,
      tableName: TABLES.questions,
      newId: randomUUID,
      parse: (stored) => stored as Kept,
      expiresAtMs: ({ untilMs }) => untilMs,
    });
    await items.write({ key: value.name, value, expectedVersion: undefined });
    const Key = { pk: `default#${value.name}` };
    return (await client.send(new GetCommand({ TableName: TABLES.questions, Key }))).Item;
  };

  it('carries its version, its writer, its format and its value', async () => {
    expect(await write({ name: 'plain' })).toStrictEqual({
      pk: 'default#plain',
      version: 1,
      writeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: { name: 'plain' },
      format: FORMAT,
    });
  });

  it('expires in whole seconds, never before its time', async () => {
    expect((await write({ name: 'kept', untilMs: 1_795_000_000_001 }))?.['expiresAtS']).toBe(1_795_000_001);
    expect((await write({ name: 'even', untilMs: 1_795_000_000_000 }))?.['expiresAtS']).toBe(1_795_000_000);
  });
});
