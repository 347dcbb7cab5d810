import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { put, type Store } from '#shared/store';
import { type DynamoEngine, dynamoEngines, otherThings, thing } from './engines.ts';

type Answer = (answer: { output: Record<string, unknown> }, nth: number, command: string) => unknown;

/** Puts `answer` between the client and the engine's answers; requests count from 1. */
function between(answer: Answer) {
  let nth = 0;
  return (client: DynamoDBDocumentClient) =>
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const result = (await next(args)) as { output: Record<string, unknown> };
          nth += 1;
          await answer(result, nth, commandName);
          return result as never;
        },
      { step: 'deserialize', name: 'between', priority: 'high' },
    );
}

function connectionLost(): Error {
  return Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
}

/** The first answer is lost after the engine has done the work, so the SDK sends the request again. */
function losingFirst(meanwhile: () => Promise<unknown> = async () => undefined) {
  return between(async (_, nth) => {
    if (nth > 1) return;
    await meanwhile();
    throw connectionLost();
  });
}

describe.skipIf(dynamoEngines.length === 0).each(dynamoEngines)('the store over $name', ({ open }) => {
  let engine: DynamoEngine;
  let store: Store;
  beforeAll(async () => {
    engine = await open();
    store = engine.connect();
  });
  afterAll(() => engine.close());

  const read = async (key: string) => (await store.getMany([thing(key)])).get(thing(key));
  const pair = (key: string, name: string) => [
    put(thing(key), { name }, undefined),
    put(thing(key, otherThings), { name }, undefined),
  ];

  it('a put whose answer was lost is done', async () => {
    const losing = engine.connectThrough(losingFirst());
    expect((await losing.transact([put(thing('put'), { name: 'ours' }, undefined)])).kind).toBe('done');
    expect((await read('put'))?.value.name).toBe('ours');
  });

  it('a put whose answer was lost has lost when another writer came before its repetition', async () => {
    const overtaking = engine.connectThrough(
      losingFirst(async () => store.transact([put(thing('over'), { name: 'theirs' }, await read('over'))])),
    );
    expect((await overtaking.transact([put(thing('over'), { name: 'ours' }, undefined)])).kind).toBe(
      'conflict',
    );
    expect((await read('over'))?.value.name).toBe('theirs');
  });

  it('a transaction whose answer was lost is done: the engine knows its token', async () => {
    const losing = engine.connectThrough(losingFirst());
    expect((await losing.transact(pair('token', 'ours'))).kind).toBe('done');
    expect((await read('token'))?.value.name).toBe('ours');
  });

  it('a transaction whose token has expired is done: its items carry its id', async () => {
    const forgetToken = (client: DynamoDBDocumentClient) => {
      losingFirst()(client);
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            const isTransaction = commandName === 'TransactWriteItemsCommand';
            const input = {
              ...args.input,
              ...(isTransaction && { ClientRequestToken: crypto.randomUUID() }),
            };
            return next({ ...args, input: input as never });
          },
        { step: 'initialize', name: 'forgetToken' },
      );
      // Each attempt of the SDK has a token of its own, as after ten minutes.
      client.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as { body?: string };
          const body = request.body?.replace(
            /"ClientRequestToken":"[^"]*"/,
            () => `"ClientRequestToken":"${crypto.randomUUID()}"`,
          );
          return next({ ...args, request: { ...request, ...(body !== undefined && { body }) } });
        },
        { step: 'finalizeRequest', name: 'newToken', priority: 'high' },
      );
    };
    const losing = engine.connectThrough(forgetToken);
    expect((await losing.transact(pair('expired', 'ours'))).kind).toBe('done');
    expect((await read('expired'))?.value.name).toBe('ours');
  });

  it('reads again what the engine left out of a batch', async () => {
    await store.transact(['u1', 'u2', 'u3'].map((key) => put(thing(key), { name: key }, undefined)));
    const leaving = engine.connectThrough(
      between(({ output }, nth, command) => {
        if (command !== 'BatchGetItemCommand' || nth > 2) return;
        const [[table = '', items = []] = []] = Object.entries(
          (output['Responses'] ?? {}) as Record<string, { pk: string }[]>,
        );
        const [first, ...rest] = items;
        output['Responses'] = { [table]: first ? [first] : [] };
        output['UnprocessedKeys'] = { [table]: { Keys: rest.map(({ pk }) => ({ pk })) } };
      }),
    );
    const places = ['u1', 'u2', 'u3', 'u4'].map((key) => thing(key));
    const items = await leaving.getMany(places);
    expect(places.map((place) => items.get(place)?.value.name)).toEqual(['u1', 'u2', 'u3', undefined]);
  });

  it.each([
    { reason: 'TransactionConflict', expected: 'conflict' },
    { reason: 'ConditionalCheckFailed', expected: 'conflict' },
  ])('a transaction that is cancelled for $reason has lost a race', async ({ reason, expected }) => {
    expect((await cancelledFor(reason).transact(pair(`cancelled-${reason}`, 'x'))).kind).toBe(expected);
  });

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction that is cancelled for %s may be repeated later',
    async (reason) => {
      await expect(cancelledFor(reason).transact(pair('throttled', 'x'))).rejects.toMatchObject({
        code: 'STORE_BUSY',
        retryable: true,
      });
    },
  );

  it('a transaction that is cancelled for what only a bug causes is an error', async () => {
    await expect(cancelledFor('ValidationError').transact(pair('bug', 'x'))).rejects.toBeInstanceOf(
      TransactionCanceledException,
    );
  });

  function cancelledFor(reason: string): Store {
    return engine.connectThrough((client) =>
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName !== 'TransactWriteItemsCommand') return next(args);
            const CancellationReasons = [{ Code: 'None' }, { Code: reason }];
            throw new TransactionCanceledException({ message: reason, CancellationReasons, $metadata: {} });
          },
        { step: 'initialize', name: 'cancel' },
      ),
    );
  }
});
