import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, UpstreamError } from '#shared/kernel';
import { skipWithoutKeys, withSecrets } from '#shared/lambda/adapters';
import { startSecretKeeper } from '../../../harness/lambda-surroundings.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

const secrets = {
  hubSpotAccessToken: 'token-1',
  dataServiceApiKey: 'key-1',
  installationSecret: 'an installation secret of a test',
};
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

let keeper: Awaited<ReturnType<typeof startSecretKeeper>>;
beforeAll(async () => {
  keeper = await startSecretKeeper(secrets);
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', keeper.url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await keeper.close();
});

it('a handler with secrets goes on with a rotated key within five minutes, without a deployment, and with its own keys alone', async () => {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const env = { SECRET_PREFIX: '/crm' };
  const wish = { env, keys: ['hubSpotAccessToken'], clock, logger: SILENT } as const;
  let composed = 0;
  const handler = withSecrets(wish, ({ secrets: own, digest }) => {
    composed += 1;
    return async () => ({ own, hash: digest.keyed('somebody') });
  });
  const first = await handler({}, {});
  expect(first.own).toEqual({
    hubSpotAccessToken: 'token-1',
    installationSecret: 'an installation secret of a test',
  });
  secrets.hubSpotAccessToken = 'token-2';
  expect(await handler({}, {})).toEqual(first);
  await clock.sleep(5 * MINUTE_MS);
  const second = await handler({}, {});
  expect(second.own.hubSpotAccessToken).toBe('token-2');
  expect(second.hash).toBe(first.hash);
  expect(composed).toBe(2);
  expect([...new Set(keeper.reads())].sort()).toEqual([
    '/crm/hubspot-access-token',
    '/crm/installation-secret',
  ]);
});

describe('a scheduled handler', () => {
  const message = 'It cannot be used.';
  const failing = (code: string) => async () => {
    throw new UpstreamError({ code, message, retryable: false });
  };

  it('ends well while keys are missing, and says so', async () => {
    const told: unknown[] = [];
    const warn = (event: string, fields: object = {}) => void told.push({ event, ...fields });
    const handler = skipWithoutKeys({ ...SILENT, warn }, failing('SECRETS_MISSING'));
    expect(await handler({}, {})).toBeUndefined();
    expect(told).toEqual([{ event: 'keys-missing', reason: message }]);
  });

  it.each(['SECRETS_UNUSABLE', 'SECRETS_UNREADABLE', 'HTTP_TIMEOUT'])(
    'fails with all else: %s',
    async (code) => {
      await expect(skipWithoutKeys(SILENT, failing(code))({}, {})).rejects.toMatchObject({ code });
    },
  );
});
