import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#inside/kernel/random.ts';
import { kind } from '#inside/versioned-items/kind.ts';
import { createDynamoItems } from '#inside/versioned-items/store.dynamo.ts';
import { replacing } from '#inside/versioned-items/store.ts';
import { createMemoryDynamo } from '../../../../infra/local/virtual/memory-dynamo.ts';
import { firstSchema, raisedSchema } from './schemas.ts';

const ROW = {
  name: 'sample',
  table: 'records',
  key: (id: string) => id,
  expiry: { kept: 'for a test' },
  holdsPeople: false,
  bound: {},
} as const;

/** A kind, and the same one after its field was renamed. */
const first = kind({ ...ROW, schema: firstSchema });
const raised = kind({
  ...ROW,
  schema: raisedSchema,
  raised: {
    format: 2,
    upgrade: (body) => {
      const { credits, ...rest } = Object(body);
      return { ...rest, amountCredits: credits };
    },
  },
});

function open() {
  const { client } = createMemoryDynamo(seededRandom(1));
  let made = 0;
  const common = {
    ...{
      client,
      tableName: 'records',
      account: 'default',
      policy: { journalDays: 30, privacy: { keepDisclosures: 1095 } },
    },
    newId: () => `id-${++made}`,
  };
  const stored = async () =>
    (
      await client.send(
        new GetCommand({ TableName: 'records', Key: { pk: 'default#a' }, ConsistentRead: true }),
      )
    ).Item;
  return {
    older: createDynamoItems({ ...common, kind: first }),
    newer: createDynamoItems({ ...common, kind: raised }),
    stored,
  };
}

describe('a kind whose format was raised', () => {
  it('reads items of the older format, and stores the present one with the next write', async () => {
    const { older, newer, stored } = open();
    await older.write({
      key: first.key('a'),
      value: { credits: 3 },
      expectedVersion: 0,
      unknown: { later: 7 },
    });
    const read = await newer.read(raised.key('a'));
    expect(read).toEqual({ value: { amountCredits: 3 }, version: 1, unknown: { later: 7 } });
    await newer.write({ key: raised.key('a'), value: { amountCredits: 4 }, ...replacing(read) });
    expect(await stored()).toMatchObject({ format: 2, body: { amountCredits: 4, later: 7 } });
    expect((await stored())?.['body']).not.toHaveProperty('credits');
  });

  it('is refused by older code, which then changes nothing', async () => {
    const { older, newer, stored } = open();
    await newer.write({ key: raised.key('a'), value: { amountCredits: 3 }, expectedVersion: 0 });
    const before = await stored();
    await expect(older.read(first.key('a'))).rejects.toThrow(
      'The tables hold items of format 2, and this version reads format 1 only. A newer version wrote them: deploy it again.',
    );
    const blind = await older.write({ key: first.key('a'), value: { credits: 9 }, expectedVersion: 0 });
    expect([blind, await stored()]).toEqual(['conflict', before]);
  });
});
