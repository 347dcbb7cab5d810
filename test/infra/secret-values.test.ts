import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../infra/aws/configuration.ts';
import { type SecretDocuments, secretDocuments } from '../../infra/aws/deploy/secret-documents.ts';
import { fillSecret } from '../../infra/aws/deploy/secret-values.ts';
import { prepareInstallationSecret } from '../../infra/aws/installation-secret.ts';
import type { SecretSource } from '../../infra/aws/schemas.ts';
import type { Served } from '../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';

const NAME = '/crm/secrets';
const OLD = { installationSecret: 'of the stored questions', dataServiceApiKey: 'key-1' };

const account = playedAccount();
let served: Served;
let documents: SecretDocuments;
beforeAll(async () => {
  const { access, ...rest } = await serveAccount(account);
  served = rest;
  documents = secretDocuments(NAME, access);
});
afterAll(() => served.close());
beforeEach(() => {
  account.secrets.clear();
  account.parameters.clear();
  account.changes.length = 0;
});

const held = (source: SecretSource) => (source === 'ssm' ? account.parameters : account.secrets);
const put = (source: SecretSource, values: object) => held(source).set(NAME, JSON.stringify(values));
const get = (source: SecretSource) => JSON.parse(held(source).get(NAME) ?? 'null');

const prepare = (wish: { source: SecretSource; usedSource?: SecretSource; hasQuestions?: boolean }) =>
  prepareInstallationSecret({
    documents,
    source: wish.source,
    usedSource: wish.usedSource,
    questionsTable: (wish.hasQuestions ?? true) ? 'crm-questions' : undefined,
  });

describe('the installation secret', () => {
  it.each([
    ['secrets-manager', 'ssm'],
    ['ssm', 'secrets-manager'],
  ] as const)('moves from %s to %s with everything beside it', async (usedSource, source) => {
    put(usedSource, OLD);
    expect(await prepare({ source, usedSource })).toBe('carried-over');
    expect(get(source)).toEqual(OLD);
    expect(get(usedSource)).toEqual(OLD);
  });

  it('comes along to kept questions when the stack is gone', async () => {
    put('ssm', OLD);
    expect(await prepare({ source: 'secrets-manager' })).toBe('carried-over');
    expect(get('secrets-manager')).toEqual(OLD);
  });

  it('and the newer keys of the place in use win when it moves back', async () => {
    put('secrets-manager', OLD);
    put('ssm', { ...OLD, dataServiceApiKey: 'key-2' });
    await prepare({ source: 'secrets-manager', usedSource: 'ssm' });
    expect(get('secrets-manager')).toEqual({ ...OLD, dataServiceApiKey: 'key-2' });
  });

  it.each(['secrets-manager', 'ssm'] as const)(
    'is never made anew in %s where there are questions',
    async (source) => {
      const attempt = prepare({ source, usedSource: source });
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

  it('is made once for a first installation: by AWS in a secret of the stack, here in a parameter', async () => {
    expect(await prepare({ source: 'secrets-manager', hasQuestions: false })).toBe('left-to-the-stack');
    expect(account.changes).toEqual([]);
    expect(await prepare({ source: 'ssm', hasQuestions: false })).toBe('made');
    const made = get('ssm');
    expect(made.installationSecret).toMatch(/^[\w-]{48}$/);
    expect(await prepare({ source: 'ssm', usedSource: 'ssm' })).toBe('present');
    expect(get('ssm')).toEqual(made);
  });
});

describe('keys from the environment', () => {
  const fill = (environment: Record<string, string>, replace = false) =>
    fillSecret(documents.ssm, { environment, replace });
  const ALL = {
    DATA_SERVICE_API_KEY: 'key-2',
    HUBSPOT_ACCESS_TOKEN: 'token',
    HUBSPOT_CLIENT_SECRET: 'client-secret',
  };

  it('fill what is empty and replace nothing', async () => {
    put('ssm', { ...OLD, hubSpotAccessToken: '', ofSomebody: 'else', list: [1] });
    expect(await fill(ALL)).toEqual({
      filled: ['HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET'],
      replaced: [],
      ignored: ['DATA_SERVICE_API_KEY'],
      missing: [],
    });
    expect(get('ssm')).toEqual({
      ...OLD,
      hubSpotAccessToken: 'token',
      hubSpotClientSecret: 'client-secret',
      ofSomebody: 'else',
      list: [1],
    });
  });

  it('replace what differs when they are told to, and write nothing when nothing changes', async () => {
    put('ssm', { ...OLD, hubSpotAccessToken: 'token' });
    const { replaced, filled, ignored } = await fill(ALL, true);
    expect({ replaced, filled, ignored }).toEqual({
      replaced: ['DATA_SERVICE_API_KEY'],
      filled: ['HUBSPOT_CLIENT_SECRET'],
      ignored: [],
    });
    expect(get('ssm')).toMatchObject({ dataServiceApiKey: 'key-2' });
    account.changes.length = 0;
    await fill(ALL, true);
    await fill({});
    expect(account.changes).toEqual([]);
  });

  it('are asked for where neither place has them', async () => {
    put('ssm', OLD);
    const { missing } = await fill({ HUBSPOT_ACCESS_TOKEN: '' });
    expect(missing).toEqual(['HUBSPOT_ACCESS_TOKEN', 'HUBSPOT_CLIENT_SECRET']);
  });

  it.each(['{"installationSecret": "s3cret-value', '"s3cret-value"', '["s3cret-value"]'])(
    'find a secret that is no document, name it and never quote it: %s',
    async (text) => {
      account.secrets.set(NAME, text);
      const attempt = fillSecret(documents['secrets-manager'], { environment: ALL, replace: true });
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toThrow(
        /^The secret \/crm\/secrets of Secrets Manager is not a JSON document/,
      );
      await expect(attempt).rejects.not.toThrow(/s3cret/);
      expect(account.secrets.get(NAME)).toBe(text);
    },
  );

  it('never make an installation secret', async () => {
    put('ssm', { dataServiceApiKey: 'key-1' });
    await expect(fill(ALL)).rejects.toThrow('has no "installationSecret"');
    expect(get('ssm')).toEqual({ dataServiceApiKey: 'key-1' });
  });
});
