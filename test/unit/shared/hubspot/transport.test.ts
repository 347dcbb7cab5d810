import { describe, expect, it } from 'vitest';
import type { UpstreamError } from '#shared/kernel';
import { contact, createFakeHubSpot, type FakeAnswer, lost, rateLimited } from './fake-hubspot.ts';

const ask = { objectType: 'contacts', ids: ['1'], properties: ['jobtitle'] } as const;

async function meeting(...answers: (FakeAnswer | UpstreamError)[]) {
  const hubspot = createFakeHubSpot([contact(1)]);
  hubspot.interruptions.push(...answers);
  const outcome = await hubspot
    .client()
    .readBatch(ask)
    .then(
      ({ found }) => found.length,
      (error: unknown) => error,
    );
  return { outcome, waits: hubspot.waits, attempts: hubspot.requests.length };
}

describe('a request that has a deadline', () => {
  it('makes no attempt and no wait beyond it', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    hubspot.interruptions.push(rateLimited('TEN_SECONDLY_ROLLING'), rateLimited('TEN_SECONDLY_ROLLING'));
    const untilMs = hubspot.clock.now() + 5_000;
    await expect(hubspot.client().readBatch({ ...ask, untilMs })).rejects.toMatchObject({ retryable: true });
    expect(hubspot.clock.now()).toBeLessThanOrEqual(untilMs);
    expect(hubspot.requests[0]?.timeoutMs).toBeLessThanOrEqual(5_000);
  });

  it('is not sent when it is past', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const untilMs = hubspot.clock.now();
    await expect(hubspot.client().readBatch({ ...ask, untilMs })).rejects.toMatchObject({
      code: 'HUBSPOT_TIME_SHORT',
      retryable: true,
    });
    expect(hubspot.requests).toEqual([]);
  });
});

describe('retried', () => {
  it('is a secondly limit after about a second, with jitter', async () => {
    const { outcome, waits } = await meeting(rateLimited('SECONDLY'), rateLimited('SECONDLY'));
    expect(outcome).toBe(1);
    expect(waits.length).toBe(2);
    expect(waits.every((ms) => ms >= 1_000 && ms <= 1_500)).toBe(true);
    expect(waits[0]).not.toBe(waits[1]);
  });

  it('is a 429 without policy name by its message', async () => {
    const message = 'You have reached your secondly limit.';
    const { waits } = await meeting({ status: 429, body: { message } });
    expect(waits[0]).toBeLessThanOrEqual(1_500);
    const daily = await meeting({ status: 429, body: { message: 'You have reached your daily limit.' } });
    expect(daily.outcome).toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT' });
  });

  it('is a lock, not before two seconds', async () => {
    const { outcome, waits } = await meeting({ status: 423, body: {} });
    expect(outcome).toBe(1);
    expect(waits[0]).toBeGreaterThanOrEqual(2_000);
  });

  it('is a migration after the wait that HubSpot names', async () => {
    const { outcome, waits } = await meeting({ status: 477, headers: { 'retry-after': '3' } });
    expect(outcome).toBe(1);
    expect(waits[0]).toBeGreaterThanOrEqual(3_000);
  });

  it.each([500, 502, 503, 504, 521, 524])('is a %i, also without a body', async (status) => {
    expect((await meeting({ status })).outcome).toBe(1);
  });

  it('is a lost connection', async () => {
    expect((await meeting(lost())).outcome).toBe(1);
  });
});

describe('not retried', () => {
  it('is a wait that does not fit the deadline; the caller learns how long it is', async () => {
    const { outcome, attempts } = await meeting({ status: 477, headers: { 'retry-after': '3600' } });
    expect(attempts).toBe(1);
    expect(outcome).toMatchObject({ code: 'HUBSPOT_MIGRATING', retryAfterMs: 3_600_000 });
  });

  it.each([
    [400, 'HUBSPOT_INVALID_REQUEST'],
    [401, 'HUBSPOT_UNAUTHORIZED'],
    [403, 'HUBSPOT_FORBIDDEN'],
    [404, 'HUBSPOT_NOT_FOUND'],
    [414, 'HUBSPOT_INVALID_REQUEST'],
    [488, 'HUBSPOT_WRONG_DATA_CENTRE'],
  ])('is a %i: %s', async (status, code) => {
    const { outcome, attempts } = await meeting({ status, body: {} });
    expect(attempts).toBe(1);
    expect(outcome).toMatchObject({ code, status, retryable: false });
  });
});

describe('errors', () => {
  it('do not take a sentence for a category', async () => {
    const { outcome } = await meeting({ status: 400, body: { category: 'ines.weaver@mail.example wrote' } });
    expect(outcome).toMatchObject({ status: 400, message: expect.not.stringContaining('weaver') });
  });
});
