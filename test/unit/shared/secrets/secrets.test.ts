import { describe, expect, it } from 'vitest';
import { createCachedReader } from '#inside/secrets/cached-reader.ts';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { parseSecrets, SECRET_KEYS, type SecretKey, type Secrets } from '#shared/secrets';
import { createParameterSource } from '#shared/secrets/adapters';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';

const SECRETS = {
  dataServiceApiKey: 'key',
  hubSpotAccessToken: 'token',
  hubSpotClientSecret: 'client secret',
  installationSecret: 'sixteen letters!',
  alertWebhookUrl: 'https://chat.example/hook',
};

const KEYS = ['dataServiceApiKey', 'hubSpotAccessToken'] as const;
const { dataServiceApiKey, hubSpotAccessToken } = SECRETS;

function createDesk() {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const desk = {
    reads: [] as string[],
    documents: documentsOf(SECRETS),
    failure: undefined as Error | undefined,
  };
  const source = async (key: SecretKey) => {
    desk.reads.push(key);
    await Promise.resolve();
    if (desk.failure) throw desk.failure;
    return desk.documents.get(key) ?? '';
  };
  const kept: unknown[] = [];
  const onUnreadable = (error: unknown) => kept.push(error);
  return { clock, desk, kept, reader: createCachedReader({ keys: KEYS, source, clock, onUnreadable }) };
}

/** Each key in a document of its own. */
function documentsOf(secrets: Readonly<Partial<Secrets>>): Map<SecretKey, string> {
  return new Map(SECRET_KEYS.map((key) => [key, JSON.stringify({ [key]: secrets[key] })]));
}

describe('the secrets', () => {
  it('are those that were asked for, read once for all who ask at the same time, and kept for five minutes', async () => {
    const { clock, desk, reader } = createDesk();
    const read = await Promise.all(Array.from({ length: 50 }, () => reader.read()));
    expect(new Set(read).size).toBe(1);
    expect(read[0]).toEqual({ dataServiceApiKey, hubSpotAccessToken });
    await clock.sleep(5 * MINUTE_MS - 1);
    await reader.read();
    expect(desk.reads).toEqual(KEYS);
    await clock.sleep(1);
    await reader.read();
    expect(desk.reads).toEqual([...KEYS, ...KEYS]);
  });

  it('are read again soon after a refusal, but not more than every half minute', async () => {
    const { clock, desk, reader } = createDesk();
    await reader.read();
    for (let second = 0; second < 60; second += 1) {
      await clock.sleep(SECOND_MS);
      reader.doubt();
      await reader.read();
    }
    expect(desk.reads.length).toBe(3 * KEYS.length);
  });

  it('that could not be read are asked for again by the next call', async () => {
    const { desk, reader } = createDesk();
    desk.failure = new Error('throttled');
    const both = await Promise.allSettled([reader.read(), reader.read()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(desk.reads).toEqual(KEYS);
    desk.failure = undefined;
    expect(await reader.read()).toEqual({ dataServiceApiKey, hubSpotAccessToken });
  });
});

it.each(['throttled', 'slip'])(
  'secrets that are known go on while they cannot be read again (%s), and it is told',
  async (what) => {
    const { clock, desk, kept, reader } = createDesk();
    const known = await reader.read();
    if (what === 'throttled') desk.failure = new Error('throttled');
    else desk.documents = new Map([...desk.documents, ['dataServiceApiKey', '{ "dataServiceApiKey": ']]);
    await clock.sleep(5 * MINUTE_MS);
    expect(await reader.read()).toBe(known);
    expect(kept.length).toBe(1);
    await clock.sleep(29 * SECOND_MS);
    await reader.read();
    expect(desk.reads.length).toBe(2 * KEYS.length);
    desk.failure = undefined;
    desk.documents = documentsOf({ ...SECRETS, dataServiceApiKey: 'mended' });
    await clock.sleep(SECOND_MS);
    expect(await reader.read()).toMatchObject({ dataServiceApiKey: 'mended' });
  },
);

describe('documents of secrets that cannot be used', () => {
  const parsed = (changes: Readonly<Partial<Record<SecretKey, unknown>>>) => {
    const changed = Object.entries(changes).map(([key, value]) => [
      key,
      typeof value === 'string' && value.startsWith('!') ? value : JSON.stringify({ [key]: value }),
    ]);
    const documents = new Map([...documentsOf(SECRETS), ...(changed as [SecretKey, string][])]);
    return () => parseSecrets(SECRET_KEYS, documents);
  };

  it.each([
    [{ dataServiceApiKey: undefined }, 'SECRETS_MISSING', ['dataServiceApiKey']],
    [
      { hubSpotAccessToken: '', hubSpotClientSecret: '' },
      'SECRETS_MISSING',
      ['hubSpotAccessToken', 'hubSpotClientSecret'],
    ],
    [
      { hubSpotAccessToken: '', installationSecret: 'short' },
      'SECRETS_UNUSABLE',
      ['hubSpotAccessToken', 'installationSecret', '16'],
    ],
    [{ hubSpotAccessToken: 7 }, 'SECRETS_UNUSABLE', ['hubSpotAccessToken']],
    [{ hubSpotAccessToken: '! no JSON' }, 'SECRETS_UNUSABLE', ['hubSpotAccessToken']],
  ])('are told of by the names of the keys (%#)', (changes, code, names) => {
    const message = expect.stringMatching(new RegExp(names.join('.*')));
    expect(parsed(changes)).toThrow(expect.objectContaining({ code, message }));
  });

  it('are not quoted', () => {
    expect(parsed({ installationSecret: 'hush' })).toThrow(/^(?!.*hush)/s);
    expect(parsed({ installationSecret: '! hush' })).toThrow(/^(?!.*hush)/s);
  });
});

const settings = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

async function served(answer: (request: Request) => Promise<Response>) {
  const server = await serveSandbox({ port: 0, handle: answer });
  return { ...server, settings: { ...settings, endpoint: server.url, maxAttempts: 1 } };
}

it('the place where a secret is kept names itself and the reason when it refuses', async () => {
  const server = await served(async () =>
    Response.json({ __type: 'AccessDeniedException', message: 'no' }, { status: 400 }),
  );
  await expect(createParameterSource(server.settings)('/stack/secret')).rejects.toMatchObject({
    code: 'SECRETS_UNREADABLE',
    message: expect.stringMatching(/\/stack\/secret.*AccessDeniedException/),
  });
  await server.close();
});
