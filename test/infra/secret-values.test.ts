import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECRET_KEYS, type SecretKey, secretName } from '#inside/secrets/names.ts';
import type { Secrets } from '#inside/secrets/secrets.ts';
import { ConfigurationError } from '../../infra/aws/configuration.ts';
import {
  prepareSecrets,
  removeSecrets,
  type SecretPlaces,
  secretPlaces,
} from '../../infra/aws/deploy/prepare-secrets.ts';
import type { SecretSource } from '../../infra/aws/schemas.ts';
import type { Served } from '../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';

const OLD = { installationSecret: 'of the stored questions', dataServiceApiKey: 'key-1' };
const ALL = {
  DATA_SERVICE_API_KEY: 'key-2',
  HUBSPOT_ACCESS_TOKEN: 'token',
  HUBSPOT_CLIENT_SECRET: 'client-secret',
};

const account = playedAccount();
let served: Served;
let places: SecretPlaces;
let keyedPlaces: SecretPlaces;
const KMS_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';
beforeAll(async () => {
  const { access, ...rest } = await serveAccount(account);
  served = rest;
  places = secretPlaces('crm', access);
  keyedPlaces = secretPlaces('crm', { ...access, kmsKeyArn: KMS_KEY });
});
afterAll(() => served.close());
beforeEach(() => {
  account.secrets.clear();
  account.parameters.clear();
  account.keys.clear();
  account.changes.length = 0;
});

const held = (source: SecretSource) => (source === 'ssm' ? account.parameters : account.secrets);
/** Each key in a document of its own. */
const put = (source: SecretSource, values: Readonly<Partial<Secrets>>) => {
  for (const key of SECRET_KEYS)
    if (values[key] !== undefined) held(source).set(nameOf(key), JSON.stringify({ [key]: values[key] }));
};
const nameOf = (key: SecretKey) => secretName('/crm', key);
const get = (source: SecretSource) => {
  const documents = SECRET_KEYS.map((key) => held(source).get(nameOf(key)) ?? '{}');
  return Object.assign({}, ...documents.map((text) => JSON.parse(text)));
};

/** What was looked at before anything was written. */
const check = vi.fn(async (_: unknown) => undefined);
const prepare = (wish: {
  source: SecretSource;
  usedSource?: SecretSource;
  hasQuestions?: boolean;
  environment?: Record<string, string>;
  replace?: boolean;
  at?: SecretPlaces;
}) =>
  prepareSecrets({
    environment: {},
    replace: false,
    check,
    ...wish,
    places: wish.at ?? places,
    usedSource: wish.usedSource,
    keyedTable: (wish.hasQuestions ?? true) ? 'crm-questions' : undefined,
  });

describe('new secrets', () => {
  it.each(['secrets-manager', 'ssm'] as const)(
    'are encrypted with the key of the setting, or with that of AWS: %s',
    async (source) => {
      for (const [at, key] of [
        [keyedPlaces, KMS_KEY],
        [places, ''],
      ] as const) {
        held(source).clear();
        account.keys.clear();
        await prepare({ source, hasQuestions: false, environment: ALL, at });
        expect(account.keys.size).toBe(SECRET_KEYS.length);
        expect(new Set(account.keys.values())).toEqual(new Set([key]));
      }
    },
  );
});

describe('the installation secret', () => {
  it.each([
    ['secrets-manager', 'ssm'],
    ['ssm', 'secrets-manager'],
  ] as const)('moves from %s to %s, as every key', async (usedSource, source) => {
    put(usedSource, OLD);
    const { installationSecret, carriedOver } = await prepare({ source, usedSource });
    expect(installationSecret).toBe('carried-over');
    expect(carriedOver).toEqual(['installationSecret', 'dataServiceApiKey']);
    expect(get(source)).toMatchObject(OLD);
    expect(get(usedSource)).toEqual(OLD);
  });

  it('comes along to kept questions when the functions are gone', async () => {
    put('ssm', OLD);
    expect(await prepare({ source: 'secrets-manager' })).toMatchObject({
      installationSecret: 'carried-over',
    });
    expect(get('secrets-manager')).toMatchObject(OLD);
  });

  it('and the newer keys of the place in use win when it moves back', async () => {
    put('secrets-manager', OLD);
    put('ssm', { ...OLD, dataServiceApiKey: 'key-2' });
    await prepare({ source: 'secrets-manager', usedSource: 'ssm' });
    expect(get('secrets-manager')).toMatchObject({ ...OLD, dataServiceApiKey: 'key-2' });
  });

  it.each(['secrets-manager', 'ssm'] as const)(
    'is never made anew in %s where there are questions, whatever keys are given',
    async (source) => {
      const attempt = prepare({ source, usedSource: source, environment: ALL });
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toThrow(/^The table crm-questions is there, .* Put it back there, or/);
      expect(account.changes).toEqual([]);
    },
  );

  it('is not chosen among two', async () => {
    put('secrets-manager', OLD);
    put('ssm', { ...OLD, installationSecret: 'another one' });
    for (const usedSource of ['ssm', undefined] as const) {
      const attempt = prepare({ source: 'secrets-manager', ...(usedSource && { usedSource }) });
      await expect(attempt).rejects.toThrow(/^Two installation secrets: /);
    }
    expect(account.changes).toEqual([]);
  });

  it.each(['secrets-manager', 'ssm'] as const)(
    'is made once for a first installation in %s, and outlives the functions',
    async (source) => {
      expect(await prepare({ source, hasQuestions: false })).toMatchObject({ installationSecret: 'made' });
      const made = get(source);
      expect(made.installationSecret).toMatch(/^[\w-]{48}$/);
      for (const used of [{ usedSource: source }, {}])
        expect(await prepare({ source, ...used })).toMatchObject({ installationSecret: 'present' });
      expect(get(source)).toEqual(made);
    },
  );
});

describe('keys from the environment', () => {
  const fill = (environment: Record<string, string>, replace = false) =>
    prepare({ source: 'ssm', usedSource: 'ssm', environment, replace });

  it('fill what is empty and replace nothing, each in a secret of its own', async () => {
    put('ssm', { ...OLD, hubSpotAccessToken: '' });
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
    put('ssm', { ...OLD, hubSpotAccessToken: 'token' });
    expect(await fill(ALL, true)).toMatchObject({
      replaced: ['DATA_SERVICE_API_KEY'],
      filled: ['HUBSPOT_CLIENT_SECRET'],
      ignored: [],
    });
    expect(get('ssm')).toMatchObject({ ...OLD, dataServiceApiKey: 'key-2' });
    account.changes.length = 0;
    await fill(ALL, true);
    await fill({});
    expect(account.changes).toEqual([]);
  });

  it('are asked for where neither place has them, and their secrets made empty', async () => {
    put('ssm', OLD);
    const { missing } = await fill({ HUBSPOT_ACCESS_TOKEN: '' });
    expect(missing).toEqual(['HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET']);
    expect(get('ssm')).toEqual({
      ...OLD,
      ...{ hubSpotAccessToken: '', hubSpotClientSecret: '', alertWebhookUrl: '' },
    });
    expect((await fill({ HUBSPOT_ACCESS_TOKEN: 'token' })).filled).toEqual(['HUBSPOT_ACCESS_TOKEN']);
  });

  it('take the address of a webhook, and refuse one that may not be used before anything is written', async () => {
    put('ssm', OLD);
    const ALERT_WEBHOOK_URL = 'https://hooks.slack.com/services/x';
    expect((await fill({ ALERT_WEBHOOK_URL })).filled).toEqual(['ALERT_WEBHOOK_URL']);
    expect(get('ssm')).toMatchObject({ alertWebhookUrl: ALERT_WEBHOOK_URL });
    account.changes.length = 0;
    const attempt = fill({ ...ALL, ALERT_WEBHOOK_URL: 'http://s3cret.example' }, true);
    await expect(attempt).rejects.toThrow('ALERT_WEBHOOK_URL must be an address that starts with https://.');
    expect(account.changes).toEqual([]);
  });

  it.each(['{"hubSpotAccessToken": "s3cret-value', '"s3cret-value"', '["s3cret-value"]'])(
    'find a secret that is no document, name it and never quote it: %s',
    async (text) => {
      put('secrets-manager', OLD);
      account.secrets.set(nameOf('hubSpotAccessToken'), text);
      const attempt = prepare({
        source: 'secrets-manager',
        usedSource: 'secrets-manager',
        environment: ALL,
        replace: true,
      });
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toThrow(
        /^The secret \/crm\/hubspot-access-token of Secrets Manager is not a JSON document/,
      );
      await expect(attempt).rejects.not.toThrow(/s3cret/);
      expect(account.secrets.get(nameOf('hubSpotAccessToken'))).toBe(text);
    },
  );
});

describe('the removal of all secrets', () => {
  it('finds them wherever they are', async () => {
    put('secrets-manager', OLD);
    put('ssm', { hubSpotAccessToken: 'token' });
    await removeSecrets(places);
    expect([account.secrets.size, account.parameters.size]).toEqual([0, 0]);
    await removeSecrets(places);
  });
});
