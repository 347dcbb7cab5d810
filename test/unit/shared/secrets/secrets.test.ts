import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { createCachedReader } from '#shared/secrets/cached-reader.ts';
import { createSecretSource } from '#shared/secrets/reader.secrets.ts';
import { createParameterSource } from '#shared/secrets/reader.ssm.ts';
import { parseSecrets } from '#shared/secrets/schemas.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { createManualClock } from '../../../builders/manual-clock.ts';

const SECRETS = {
  dataServiceApiKey: 'key',
  hubSpotAccessToken: 'token',
  hubSpotClientSecret: 'client secret',
  installationSecret: 'sixteen letters!',
};

function createDesk() {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const desk = { reads: 0, document: JSON.stringify(SECRETS), failure: undefined as Error | undefined };
  const source = async () => {
    desk.reads += 1;
    await Promise.resolve();
    if (desk.failure) throw desk.failure;
    return desk.document;
  };
  const kept: unknown[] = [];
  const onUnreadable = (error: unknown) => kept.push(error);
  return { clock, desk, kept, reader: createCachedReader({ source, clock, onUnreadable }) };
}

describe('the secrets', () => {
  it('are read once for all who ask at the same time, and kept for five minutes', async () => {
    const { clock, desk, reader } = createDesk();
    const read = await Promise.all(Array.from({ length: 50 }, () => reader.read()));
    expect(new Set(read).size).toBe(1);
    expect(read[0]).toEqual(SECRETS);
    await clock.sleep(5 * MINUTE_MS - 1);
    await reader.read();
    expect(desk.reads).toBe(1);
    await clock.sleep(1);
    await reader.read();
    expect(desk.reads).toBe(2);
  });

  it('are the same object until something in them changes', async () => {
    const { clock, desk, reader } = createDesk();
    const first = await reader.read();
    await clock.sleep(5 * MINUTE_MS);
    expect(await reader.read()).toBe(first);
    desk.document = JSON.stringify({ ...SECRETS, dataServiceApiKey: 'another key' });
    await clock.sleep(5 * MINUTE_MS);
    expect(await reader.read()).toMatchObject({ dataServiceApiKey: 'another key' });
  });

  it('are read again soon after a refusal, but not more than every half minute', async () => {
    const { clock, desk, reader } = createDesk();
    await reader.read();
    for (let second = 0; second < 60; second += 1) {
      await clock.sleep(SECOND_MS);
      reader.doubt();
      await reader.read();
    }
    expect(desk.reads).toBe(3);
  });

  it('that could not be read are asked for again by the next call', async () => {
    const { desk, reader } = createDesk();
    desk.failure = new Error('throttled');
    const both = await Promise.allSettled([reader.read(), reader.read()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(desk.reads).toBe(1);
    desk.failure = undefined;
    expect(await reader.read()).toEqual(SECRETS);
  });
});

describe('secrets that are known', () => {
  it.each(['throttled', 'slip'])(
    'go on while they cannot be read again (%s), and it is told',
    async (what) => {
      const { clock, desk, kept, reader } = createDesk();
      const known = await reader.read();
      if (what === 'throttled') desk.failure = new Error('throttled');
      else desk.document = '{ "dataServiceApiKey": ';
      await clock.sleep(5 * MINUTE_MS);
      expect(await reader.read()).toBe(known);
      expect(kept.length).toBe(1);
      await clock.sleep(29 * SECOND_MS);
      await reader.read();
      expect(desk.reads).toBe(2);
      desk.failure = undefined;
      desk.document = JSON.stringify({ ...SECRETS, dataServiceApiKey: 'mended' });
      await clock.sleep(SECOND_MS);
      expect(await reader.read()).toMatchObject({ dataServiceApiKey: 'mended' });
    },
  );
});

describe('a document of secrets that cannot be used', () => {
  it.each([
    [{ ...SECRETS, dataServiceApiKey: undefined }, 'dataServiceApiKey is missing'],
    [{ ...SECRETS, hubSpotAccessToken: '' }, 'hubSpotAccessToken is empty'],
    [{ ...SECRETS, installationSecret: 'short' }, 'installationSecret needs at least 16 characters'],
    ['no JSON', 'it is not a JSON object'],
  ])('is told of by the name of the key (%#)', (document, words) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    expect(() => parseSecrets(text)).toThrow(`The secret cannot be used: ${words}.`);
  });

  it('is not quoted', () => {
    expect(() => parseSecrets(JSON.stringify({ ...SECRETS, installationSecret: 'hush' }))).toThrow(
      /^(?!.*hush)/s,
    );
  });
});

describe('the places where a secret is kept', () => {
  const settings = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

  async function served(answer: (request: Request) => Promise<Response>) {
    const server = await serveSandbox({ port: 0, handle: answer });
    return { ...server, settings: { ...settings, endpoint: server.url, maxAttempts: 1 } };
  }

  it('are Secrets Manager, asked by the name or ARN', async () => {
    const server = await served(async (request) =>
      Response.json({ SecretString: JSON.stringify(await request.json()) }),
    );
    expect(await createSecretSource('/stack/secrets', server.settings)()).toBe(
      '{"SecretId":"/stack/secrets"}',
    );
    await server.close();
  });

  it('and Parameter Store, asked to decrypt', async () => {
    const server = await served(async (request) =>
      Response.json({ Parameter: { Value: JSON.stringify(await request.json()) } }),
    );
    expect(await createParameterSource('/stack/secrets', server.settings)()).toBe(
      '{"Name":"/stack/secrets","WithDecryption":true}',
    );
    await server.close();
  });

  it('name themselves and the reason when they refuse', async () => {
    const server = await served(async () =>
      Response.json({ __type: 'AccessDeniedException', message: 'no' }, { status: 400 }),
    );
    await expect(createSecretSource('/stack/secrets', server.settings)()).rejects.toMatchObject({
      code: 'SECRETS_UNREADABLE',
      message: 'The secret could not be read from the secret /stack/secrets: AccessDeniedException.',
    });
    await expect(createParameterSource('/stack/secrets', server.settings)()).rejects.toMatchObject({
      code: 'SECRETS_UNREADABLE',
      message: 'The secret could not be read from the parameter /stack/secrets: AccessDeniedException.',
    });
    await server.close();
  });
});
