import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECRET_KEYS, type SecretKey, type Secrets, secretName } from '#shared/secrets';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import {
  prepareSecrets,
  removeSecrets,
  type SecretDocuments,
  secretDocuments,
} from '../../../infra/aws/deploy/secrets.ts';
import type { Served } from '../../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';

const OLD = { installationSecret: 'of the stored questions', dataServiceApiKey: 'key-1' };
const ALL = {
  DATA_SERVICE_API_KEY: 'key-2',
  HUBSPOT_ACCESS_TOKEN: 'token',
  HUBSPOT_CLIENT_SECRET: 'client-secret',
};

const account = playedAccount();
let served: Served;
let documents: SecretDocuments;
let keyedDocuments: SecretDocuments;
const KMS_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';
beforeAll(async () => {
  const { access, ...rest } = await serveAccount(account);
  served = rest;
  documents = secretDocuments('crm', access);
  keyedDocuments = secretDocuments('crm', { ...access, kmsKeyArn: KMS_KEY });
});
afterAll(() => served.close());
beforeEach(() => {
  account.parameters.clear();
  account.keys.clear();
  account.changes.length = 0;
});

/** Each key in a document of its own. */
const put = (values: Readonly<Partial<Secrets>>) => {
  for (const key of SECRET_KEYS)
    if (values[key] !== undefined)
      account.parameters.set(nameOf(key), JSON.stringify({ [key]: values[key] }));
};
const nameOf = (key: SecretKey) => secretName('/crm', key);
const get = () => {
  const texts = SECRET_KEYS.map((key) => account.parameters.get(nameOf(key)) ?? '{}');
  return Object.assign({}, ...texts.map((text) => JSON.parse(text)));
};

/** What was looked at before anything was written. */
const check = vi.fn(async (_: unknown) => undefined);
const prepare = (
  wish: {
    isDeployed?: boolean;
    hasQuestions?: boolean;
    environment?: Record<string, string>;
    replace?: boolean;
    documents?: SecretDocuments;
  } = {},
) =>
  prepareSecrets({
    environment: {},
    replace: false,
    isDeployed: false,
    check,
    documents,
    ...wish,
    keyedTable: (wish.hasQuestions ?? true) ? 'crm-questions' : undefined,
  });

it('new secrets are encrypted with the key of the setting, or with that of AWS', async () => {
  for (const [given, key] of [
    [keyedDocuments, KMS_KEY],
    [documents, ''],
  ] as const) {
    account.parameters.clear();
    account.keys.clear();
    await prepare({ hasQuestions: false, environment: ALL, documents: given });
    expect(account.keys.size).toBe(SECRET_KEYS.length);
    expect(new Set(account.keys.values())).toEqual(new Set([key]));
  }
});

it('an empty secret never replaces one that another deployment has filled meanwhile', async () => {
  put(OLD);
  await documents.dataServiceApiKey.create({ dataServiceApiKey: '' });
  expect(get()).toEqual(OLD);
});

describe('the installation secret', () => {
  it('is never made anew where there are questions, whatever keys are given', async () => {
    for (const isDeployed of [true, false]) {
      const attempt = prepare({ isDeployed, environment: ALL });
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toMatchObject({
        code: 'secret-lost',
        params: { table: 'crm-questions' },
      });
      expect(account.changes).toEqual([]);
    }
  });

  it('is made once for a first installation, and outlives the functions', async () => {
    await prepare({ hasQuestions: false });
    const made = get();
    expect(made.installationSecret).toMatch(/^[\w-]{48}$/);
    for (const isDeployed of [true, false]) await prepare({ isDeployed });
    expect(get()).toEqual(made);
  });
});

describe('keys from the environment', () => {
  const fill = (environment: Record<string, string>, replace = false) =>
    prepare({ isDeployed: true, environment, replace });

  it('fill what is empty and replace nothing, each in a secret of its own', async () => {
    put({ ...OLD, hubSpotAccessToken: '' });
    account.parameters.set(nameOf('hubSpotClientSecret'), '{"ofSomebody":"else","list":[1]}');
    expect(await fill(ALL)).toMatchObject({
      filled: ['HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET'],
      replaced: [],
      ignored: ['DATA_SERVICE_API_KEY'],
      missing: [],
    });
    const documents = SECRET_KEYS.map((key) => JSON.parse(account.parameters.get(nameOf(key)) ?? ''));
    expect(documents).toEqual([
      { dataServiceApiKey: 'key-1' },
      { hubSpotAccessToken: 'token' },
      { ofSomebody: 'else', list: [1], hubSpotClientSecret: 'client-secret' },
      { installationSecret: OLD.installationSecret },
      { alertWebhookUrl: '' },
    ]);
    expect(account.parameters.size).toBe(5);
  });

  it('replace what differs when they are told to, and write nothing when nothing changes', async () => {
    put({ ...OLD, hubSpotAccessToken: 'token' });
    expect(await fill(ALL, true)).toMatchObject({
      replaced: ['DATA_SERVICE_API_KEY'],
      filled: ['HUBSPOT_CLIENT_SECRET'],
      ignored: [],
    });
    expect(get()).toMatchObject({ ...OLD, dataServiceApiKey: 'key-2' });
    account.changes.length = 0;
    await fill(ALL, true);
    await fill({});
    expect(account.changes).toEqual([]);
  });

  it('are asked for where they are missing, and their secrets made empty', async () => {
    put(OLD);
    const { missing } = await fill({ HUBSPOT_ACCESS_TOKEN: '' });
    expect(missing).toEqual(['HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET']);
    expect(get()).toEqual({
      ...OLD,
      hubSpotAccessToken: '',
      hubSpotClientSecret: '',
      alertWebhookUrl: '',
    });
    expect((await fill({ HUBSPOT_ACCESS_TOKEN: 'token' })).filled).toEqual(['HUBSPOT_ACCESS_TOKEN']);
  });

  it('take the address of a webhook, and refuse one that may not be used before anything is written', async () => {
    put(OLD);
    const ALERT_WEBHOOK_URL = 'https://hooks.slack.com/services/x';
    expect((await fill({ ALERT_WEBHOOK_URL })).filled).toEqual(['ALERT_WEBHOOK_URL']);
    expect(get()).toMatchObject({ alertWebhookUrl: ALERT_WEBHOOK_URL });
    account.changes.length = 0;
    const attempt = fill({ ...ALL, ALERT_WEBHOOK_URL: 'http://s3cret.example' }, true);
    await expect(attempt).rejects.toMatchObject({ code: 'wrong-webhook' });
    await expect(attempt).rejects.not.toThrow('s3cret');
    expect(account.changes).toEqual([]);
  });

  it.each(['{"hubSpotAccessToken": "s3cret-value', '"s3cret-value"', '["s3cret-value"]'])(
    'find a secret that is no document, name it and never quote it: %s',
    async (text) => {
      put(OLD);
      account.parameters.set(nameOf('hubSpotAccessToken'), text);
      const attempt = fill(ALL, true);
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toMatchObject({
        code: 'not-a-document',
        params: { place: expect.stringContaining('/crm/hubspot-access-token') },
      });
      await expect(attempt).rejects.not.toThrow(/s3cret/);
      expect(account.parameters.get(nameOf('hubSpotAccessToken'))).toBe(text);
    },
  );
});

it('the removal of all secrets leaves none, and can be repeated', async () => {
  put({ ...OLD, hubSpotAccessToken: 'token' });
  await removeSecrets(documents);
  expect(account.parameters.size).toBe(0);
  await removeSecrets(documents);
});
