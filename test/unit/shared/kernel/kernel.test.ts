import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '#inside/kernel/lambda-credentials.system.ts';
import { onlyAllowedFields } from '#inside/kernel/logger.ts';
import { counted, type LogFields, readEnvironment } from '#shared/kernel';
import {
  brotliPacking,
  createDigest,
  createJsonLogger,
  createPowertoolsLogger,
  systemClock,
} from '#shared/kernel/adapters';
import { hubSpotEnvSchema as schema } from '#shared/lambda';
import { createManualClock } from '../../../harness/manual-clock.ts';

describe('the system clock', () => {
  it('sleeps on its monotonic time', async () => {
    const before = systemClock.monotonic();
    await systemClock.sleep(2);
    expect(systemClock.monotonic()).toBeGreaterThan(before);
  });

  it('wakes with the reason of whoever aborts, before or during sleep', async () => {
    const reason = new Error('late');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const caller = new AbortController();
    const sleeping = systemClock.sleep(60_000, caller.signal);
    caller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

it('counts have the plural of their noun', () => {
  expect(counted(1, 'credit')).toBe('1 credit');
  expect(counted(0, 'credit')).toBe('0 credits');
  expect(counted(1, 'company')).toBe('1 company');
  expect(counted(1200, 'ledger entry')).toBe('1,200 ledger entries');
  expect(counted(2, 'whole day')).toBe('2 whole days');
});

describe('digests', () => {
  const digest = createDigest('0123456789abcdef');

  it('are those of the standards (FIPS 180-4; RFC 2104)', () => {
    expect(digest.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digest.keyed('abc')).toBe('bcaa92843247bc258080d2824bddeba4');
  });

  it('need a secret that cannot be guessed', () => {
    expect(() => createDigest('fifteen letters')).toThrow();
  });
});

describe('log lines', () => {
  it('are one JSON object each, with a time, a level, an event, and allowed fields only', () => {
    const lines: string[] = [];
    const clock = createManualClock({ startMs: Date.parse('2026-11-18T12:00:00Z') });
    const logger = createJsonLogger(clock, (line) => lines.push(line));
    const fields: LogFields & { email: string } = { count: 3, email: 'someone@example.com' };
    logger.info('asked', fields);
    logger.warn('late');
    logger.error('failed', { code: 'HTTP_TIMEOUT' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: '2026-11-18T12:00:00.000Z', level: 'info', event: 'asked', count: 3 },
      { time: '2026-11-18T12:00:00.000Z', level: 'warn', event: 'late' },
      { time: '2026-11-18T12:00:00.000Z', level: 'error', event: 'failed', code: 'HTTP_TIMEOUT' },
    ]);
  });

  it.each(['email', 'name', 'phone', 'token', 'body', 'properties'])('have no field for %s', (field) => {
    expect(onlyAllowedFields({ [field]: 'x' })).toEqual({});
  });
});

describe('packing', () => {
  it('gives back what it was given, in less room', () => {
    const value = { names: Array.from({ length: 200 }, (_, i) => ({ id: i, text: 'Größe und Maß' })) };
    const packed = brotliPacking.pack(value);
    expect(packed.length).toBeLessThan(JSON.stringify(value).length / 4);
    expect(brotliPacking.unpack(packed)).toEqual(value);
  });

  it('does not take a damaged text for a value', () => {
    expect(() => brotliPacking.unpack('bm90aGluZw==')).toThrow();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it("Lambda's log has the invocation and the allowed fields in each line, and nothing else", () => {
  const lines: unknown[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
  const logger = createPowertoolsLogger('a-stack');
  const fields = { recordId: 'contacts#1', email: 'someone@somewhere.example', message: 'hush' };
  logger.info('record-ended', fields);
  const given = { awsRequestId: 'r-1', functionName: 'worker', memoryLimitInMB: '512' };
  logger.invoked(given);
  logger.info('record-ended', fields);
  const line = {
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'info',
    event: 'record-ended',
    service: 'a-stack',
    recordId: 'contacts#1',
  };
  const invocation = { awsRequestId: 'r-1', functionName: 'worker', coldStart: expect.any(Boolean) };
  expect(lines).toEqual([line, { ...line, ...invocation }]);
});

it('the environment is refused with the names of all that is wrong, and none of the values', () => {
  expect(() => readEnvironment(schema, { HUBSPOT_BASE_URL: 'hush' })).toThrow(
    /^(?!.*hush).*HUBSPOT_BASE_URL.*INSTALLED_AT/,
  );
});

it("the credentials are the role's, as Lambda gives them", async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  const credentials = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' };
  expect(await defaultProvider()()).toEqual(credentials);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
  await expect(defaultProvider()()).rejects.toThrow('AWS_SECRET_ACCESS_KEY');
});
