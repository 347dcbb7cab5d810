import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/versioned-items';
import { TABLES } from '../../../infra/local/tables.ts';
import { storesOf, tableServers } from './backends.ts';
import { sampleEntry } from './sample-entry.ts';
import type { TableServer } from './stand-in.ts';

/** A client whose first put is done while its answer is lost: the SDK below us then sends it again. */
function losingFirstAnswer(
  client: DynamoDBDocumentClient,
  meanwhile: () => Promise<unknown> = async () => {},
) {
  const attempts: string[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next(args);
        if (commandName !== 'PutItemCommand') return answer;
        attempts.push(commandName);
        if (attempts.length > 1) return answer;
        await meanwhile();
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
      },
    { step: 'deserialize', name: 'loseFirstAnswer', priority: 'low' },
  );
  return { client, attempts };
}

describe.each(tableServers)('a put whose answer was lost, in $name', ({ open }) => {
  let server: TableServer;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());

  it('is written, once, when the retry meets its own item', async () => {
    const { client, attempts } = losingFirstAnswer(server.connect());
    const { items } = storesOf(server, client);
    expect(await items.write({ key: 'new', value: { name: 'ours' }, expectedVersion: 0 })).toBe('written');
    expect(attempts).toHaveLength(2);
    expect(await items.read('new')).toEqual({ value: { name: 'ours' }, version: 1 });
  });

  it('is written, once, when the retry meets its own change of an item', async () => {
    await storesOf(server).items.write({ key: 'changed', value: { name: 'before' }, expectedVersion: 0 });
    const { client, attempts } = losingFirstAnswer(server.connect());
    const { items } = storesOf(server, client);
    expect(await items.write({ key: 'changed', value: { name: 'ours' }, expectedVersion: 1 })).toBe(
      'written',
    );
    expect(attempts).toHaveLength(2);
    expect(await items.read('changed')).toEqual({ value: { name: 'ours' }, version: 2 });
  });

  it('is a conflict when somebody else has changed the item before the retry', async () => {
    const other = storesOf(server).items;
    const overwrite = () => other.write({ key: 'overrun', value: { name: 'theirs' }, expectedVersion: 1 });
    const { client } = losingFirstAnswer(server.connect(), overwrite);
    const { items } = storesOf(server, client);
    expect(await items.write({ key: 'overrun', value: { name: 'ours' }, expectedVersion: 0 })).toBe(
      'conflict',
    );
    expect(await items.read('overrun')).toEqual({ value: { name: 'theirs' }, version: 2 });
  });

  it('is no success for a writer with the same value that came second', async () => {
    const { items } = storesOf(server);
    await items.write({ key: 'alike', value: { name: 'alike' }, expectedVersion: 0 });
    expect(await items.write({ key: 'alike', value: { name: 'alike' }, expectedVersion: 0 })).toBe(
      'conflict',
    );
  });

  it('is appended, once, when the retry meets its own entry', async () => {
    const { client, attempts } = losingFirstAnswer(server.connect());
    const { ledger } = storesOf(server, client);
    const entry = sampleEntry({ account: 'lost', seq: 1 });
    expect(await ledger.append(entry)).toBe('appended');
    expect(attempts).toHaveLength(2);
    expect(await ledger.entries({ account: 'lost', fromSeq: 1, limit: 10 })).toEqual([entry]);
  });

  it('is appended also when the log has gone on before the retry', async () => {
    const other = storesOf(server).ledger;
    const goOn = () => other.append(sampleEntry({ account: 'gone-on', seq: 2 }, { writer: 'b' }));
    const { client } = losingFirstAnswer(server.connect(), goOn);
    const { ledger } = storesOf(server, client);
    expect(await ledger.append(sampleEntry({ account: 'gone-on', seq: 1 }))).toBe('appended');
    expect((await ledger.newest('gone-on'))?.seq).toBe(2);
  });

  it('passes on what is no conflict: an item too large for the table changes nothing', async () => {
    const { items } = storesOf(server);
    const change = { key: 'too-large', value: { name: 'x'.repeat(410_000) }, expectedVersion: 0 };
    await expect(items.write(change)).rejects.toThrow(/size/i);
    expect(await items.read('too-large')).toBeUndefined();
  });
});

describe.each(tableServers)('a stored item that is damaged, in $name', ({ open }) => {
  let server: TableServer;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());

  const put = (TableName: string, Item: Record<string, unknown>) =>
    server.connect().send(new PutCommand({ TableName, Item }));

  it.each([
    ['without a body', {}],
    ['with a body of another kind', { body: 'name' }],
    ['with a body without what every value has', { body: { note: 'x' } }],
  ])('is refused $0', async (_, damage) => {
    const { items } = storesOf(server);
    await put(TABLES.records, { pk: 'default#damaged', version: 1, writeId: 'w', format: FORMAT, ...damage });
    await expect(items.read('damaged')).rejects.toThrow('no thing');
  });

  it('is refused in a list, too', async () => {
    const place = { indexPartition: 'default#damaged', indexOrder: 1 };
    await put(TABLES.records, { pk: 'default#listed', version: 1, writeId: 'w', format: FORMAT, ...place });
    const { items } = storesOf(server);
    await expect(items.list({ partition: 'damaged', limit: 1 })).rejects.toThrow('no thing');
  });

  it.each([
    ['an amount that is no whole number', { amountCredits: 1.5 }],
    ['an amount that is a text', { amountCredits: '10' }],
    ['an unknown kind', { kind: 'gift' }],
    ['an unknown purpose', { purpose: 'fun' }],
    ['totals without a lifetime', { totals: { periods: {} } }],
    ['open reservations that are none', { open: [{ id: 'q:1' }] }],
    ['no hash', { hash: undefined }],
  ])('is refused as a ledger entry with %s', async (name, damage) => {
    const entry = { ...sampleEntry({ account: name, seq: 1 }), ...damage };
    await put(TABLES.ledger, { ...entry, pk: `${name}#ledger` });
    const { ledger } = storesOf(server);
    await expect(ledger.newest(name)).rejects.toThrow();
    await expect(ledger.entries({ account: name, fromSeq: 1, limit: 1 })).rejects.toThrow();
  });
});
