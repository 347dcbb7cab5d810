import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../infra/aws/configuration.ts';
import { keptPlaces, leftBehind } from '../../infra/aws/deploy/kept-resources.ts';
import { adoptTable, type KeptTable } from '../../infra/aws/deploy/kept-tables.ts';
import { secretDocuments } from '../../infra/aws/deploy/secret-documents.ts';
import type { Served } from '../../infra/sandbox/serve.ts';
import { type PlayedTable, playedAccount, serveAccount } from './control-plane.ts';

const ITEM_KEYS: PlayedTable['keys'] = [{ name: 'pk', kind: 'HASH', type: 'S' }];
const LEDGER_KEYS: PlayedTable['keys'] = [...ITEM_KEYS, { name: 'seq', kind: 'RANGE', type: 'N' }];

const account = playedAccount();
let served: Served;
let dynamo: DynamoDBClient;
let documents: ReturnType<typeof secretDocuments>;
beforeAll(async () => {
  const { access, ...rest } = await serveAccount(account);
  served = rest;
  dynamo = new DynamoDBClient(access);
  documents = secretDocuments('/crm/secrets', access);
});
afterAll(() => served.close());
beforeEach(() => {
  account.tables.clear();
  account.secrets.clear();
  account.parameters.clear();
  account.unknown.clear();
  account.changes.length = 0;
});

const adopt = (kept: KeptTable) => adoptTable(dynamo, { stackName: 'crm', kept });

describe('a table that is adopted', () => {
  it('gets what a creation that was rolled back did not come to, once', async () => {
    account.tables.set('crm-questions', { keys: ITEM_KEYS });
    account.tables.set('crm-ledger', { keys: LEDGER_KEYS });
    expect([...(await adopt('questions')), ...(await adopt('ledger'))]).toEqual([]);
    expect(account.tables.get('crm-questions')).toMatchObject({ expiresBy: 'expiresAtS', isProtected: true });
    expect(account.tables.get('crm-ledger')).toMatchObject({ recoveryDays: 35, isProtected: true });
    expect(account.tables.get('crm-questions')).not.toHaveProperty('recoveryDays');
    account.changes.length = 0;
    await adopt('questions');
    await adopt('ledger');
    expect(account.changes).toEqual([]);
  });

  it.each([
    ['questions', LEDGER_KEYS],
    ['ledger', ITEM_KEYS],
    ['questions', [{ name: 'pk', kind: 'HASH', type: 'N' }]],
  ] as const)('is refused as %s when its key is %j', async (kept, keys) => {
    account.tables.set(`crm-${kept}`, { keys });
    const attempt = adopt(kept);
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toThrow(`The table crm-${kept} cannot be adopted: its key is "pk HASH`);
    expect(account.changes).toEqual([]);
  });

  it('is refused when it expires by something else', async () => {
    account.tables.set('crm-questions', { keys: ITEM_KEYS, expiresBy: 'ttl' });
    await expect(adopt('questions')).rejects.toThrow('The table crm-questions expires by ttl');
  });

  it('is not silently less than it should be where AWS is played without these calls', async () => {
    account.tables.set('crm-questions', { keys: ITEM_KEYS });
    account.tables.set('crm-ledger', { keys: LEDGER_KEYS });
    account.unknown.add('DescribeTimeToLive').add('DescribeContinuousBackups');
    const problems = [...(await adopt('questions')), ...(await adopt('ledger'))];
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^The expiry of the table crm-questions could not be set: /);
    expect(problems[1]).toMatch(/^Point-in-time recovery of the table crm-ledger could not be set: /);
    expect(account.tables.get('crm-ledger')).toMatchObject({ isProtected: true });
  });
});

describe('what is kept', () => {
  it('is adopted where the stack does not have it, and named wherever it is', async () => {
    account.tables.set('crm-ledger', { keys: LEDGER_KEYS });
    account.secrets.set('/crm/secrets', '{}');
    account.parameters.set('/crm/secrets', 'damaged');
    const here = { dynamo, documents };
    const settings = { stackName: 'crm', secretSource: 'secrets-manager' } as const;
    expect(await leftBehind(here, settings, undefined)).toEqual(['ledger', 'secret']);
    expect(await leftBehind(here, settings, { resources: new Set(['Ledger']) })).toEqual(['secret']);
    expect(await leftBehind(here, { ...settings, secretSource: 'ssm' }, undefined)).toEqual(['ledger']);
    expect(await keptPlaces(here, settings)).toEqual([
      'the table crm-ledger',
      'the secret /crm/secrets of Secrets Manager',
      'the parameter /crm/secrets of SSM',
    ]);
  });
});
