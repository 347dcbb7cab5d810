import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionKind } from '#shared/questions';
import { type Stores, storesOf } from './backends.ts';
import { sampleEntry } from './sample-entry.ts';
import { startEmbedded, type TableServer } from './stand-in.ts';

/** A stand-in has one copy of everything, so only the request tells whether an older copy would have done. */
function notingReads(client: DynamoDBDocumentClient) {
  const reads: { readonly command: string | undefined; readonly isConsistent: boolean }[] = [];
  client.middlewareStack.add(
    (next, { commandName: command }) =>
      (args) => {
        const { input } = args;
        if (command !== 'PutItemCommand')
          reads.push({ command, isConsistent: 'ConsistentRead' in input && input.ConsistentRead === true });
        return next(args);
      },
    { step: 'build', name: 'noteReads' },
  );
  return { client, reads };
}

describe('what is decided on is read as it is, not as some replica has it', () => {
  let server: TableServer;
  beforeAll(async () => {
    server = await startEmbedded();
  });
  afterAll(() => server.close());

  const readsOf = async (use: (stores: Stores) => Promise<unknown>) => {
    const { client, reads } = notingReads(server.connect());
    await use(storesOf(server, client));
    return reads;
  };
  const get = { command: 'GetItemCommand', isConsistent: true };
  const query = { command: 'QueryCommand', isConsistent: true };

  it('an item, and whose write it was that came before', async () => {
    const write = { key: 'one', value: { name: 'one' }, expectedVersion: 0 };
    const reads = await readsOf(async ({ items }) => {
      await items.read(questionKind.key('one'));
      await items.write(write);
      expect(await items.write(write)).toBe('conflict');
    });
    expect(reads).toEqual([get, get]);
  });

  it('the newest entry, the log, and whose entry stands in a place', async () => {
    const reads = await readsOf(async ({ ledger }) => {
      await ledger.newest('books');
      await ledger.entries({ account: 'books', fromSeq: 1, limit: 10 });
      await ledger.append(sampleEntry({ account: 'books', seq: 1 }));
      expect(await ledger.append(sampleEntry({ account: 'books', seq: 1 }, { writer: 'b' }))).toBe('taken');
    });
    expect(reads).toEqual([query, query, get]);
  });
});
