import { describe, expect, it } from 'vitest';
import { backoffMs, type RetryOptions } from '#inside/http/retry.ts';
import {
  type HttpErrorCode,
  type HttpRequest,
  type HttpResponse,
  httpError,
  type RetryDecision,
  retryAfterMs,
  type Send,
  type SendResult,
  sendWithRetries,
  serverDateMs,
} from '#shared/http';
import { UpstreamError } from '#shared/kernel';
import { jumpingClock, NOON_MS } from '../../../harness/jumping-clock.ts';

function response(status: number, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body: '', receivedAtMs: NOON_MS };
}

function failure(code: HttpErrorCode, retryable = true): UpstreamError {
  return httpError({ code, retryable });
}

/** Answers from a script, one entry an attempt; the last one for ever. */
function scripted(script: readonly (HttpResponse | UpstreamError)[]) {
  const requests: HttpRequest[] = [];
  const send: Send = async (request) => {
    requests.push(request);
    const next = script[Math.min(requests.length, script.length) - 1];
    if (!next || next instanceof UpstreamError) throw next;
    return next;
  };
  return { send, requests };
}

const REQUEST: HttpRequest = { method: 'GET', url: 'http://x.example/', headers: {}, timeoutMs: 1_000 };

async function attempt(script: (HttpResponse | UpstreamError)[], options: Partial<RetryOptions> = {}) {
  const { clock, waits } = jumpingClock();
  const { send, requests } = scripted(script);
  const outcome = await sendWithRetries({
    send,
    request: REQUEST,
    policy: { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 1_000 },
    classify: failuresAnd429,
    clock,
    random: () => 0.5,
    ...options,
  }).then(
    (answered) => answered.status,
    (error: unknown) => (error instanceof UpstreamError ? error.code : error),
  );
  return { outcome, waits, requests, attempts: requests.length };
}

it.each([200, 401, 503])('asks nobody again whose %i is to stand', async (status) => {
  expect(await attempt([response(status), response(200)])).toMatchObject({ outcome: status, attempts: 1 });
});

it('waits for its own time where the server has no wish', async () => {
  const made = await attempt([failure('HTTP_NOT_SENT'), response(429), response(200)]);
  expect(made).toMatchObject({ outcome: 200, waits: [50, 100] });
});

it('does not hide a lost request behind a later one that was not sent', async () => {
  const made = await attempt([failure('HTTP_TIMEOUT'), failure('HTTP_NOT_SENT')]);
  expect(made).toMatchObject({ outcome: 'HTTP_TIMEOUT', attempts: 3 });
});

function failuresAnd429(made: SendResult): RetryDecision {
  if (made.kind === 'failure') return { retry: made.failure.retryable };
  return made.response.status === 429
    ? { retry: true, waitMs: retryAfterMs(made.response) }
    : { retry: false };
}

describe('bounds', () => {
  it('stops after the last attempt allowed, with what it came to', async () => {
    expect(await attempt([response(429)])).toMatchObject({ outcome: 429, attempts: 3 });
  });

  it('waits as long as the server wishes, even beyond its own longest wait', async () => {
    const script = [response(429, { 'retry-after': '30' }), response(200)];
    const policy = { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 1_000, totalMs: 60_000 };
    expect(await attempt(script, { policy })).toMatchObject({ outcome: 200, waits: [30_000] });
  });

  it('does not begin a wait that ends past the deadline', async () => {
    const script = [response(429, { 'retry-after': '30' }), response(200)];
    const policy = { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 1_000, totalMs: 30_000 };
    expect(await attempt(script, { policy })).toMatchObject({ outcome: 429, waits: [] });
  });

  it('gives a later attempt only the time that is left', async () => {
    const script = [response(429, { 'retry-after': '2' }), response(200)];
    const policy = { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 1_000, totalMs: 2_400 };
    const { requests } = await attempt(script, { policy });
    expect(requests.map((request) => request.timeoutMs)).toEqual([1_000, 400]);
  });

  it('begins no other attempt when the caller gave up during the wait', async () => {
    const signal = AbortSignal.abort();
    expect(await attempt([response(429), response(200)], { signal })).toMatchObject({
      outcome: 429,
      attempts: 1,
    });
  });
});

describe('backoff', () => {
  const policy = { maxAttempts: 9, baseDelayMs: 100, maxDelayMs: 1_000 };

  it('doubles its upper end until the longest wait', () => {
    const ends = [1, 2, 3, 4, 5, 60].map((made) => backoffMs({ policy, made, random: () => 1 }));
    expect(ends).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });
});

describe('the wish of the server', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Tue, 01 Jan 2030 12:00:10 GMT', 10_000],
    ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
    ['soon', undefined],
    ['in 10', undefined],
    ['9'.repeat(400), undefined],
    ['', undefined],
  ])('reads Retry-After %j as %j ms', (value, expected) => {
    expect(retryAfterMs(response(429, { 'retry-after': value }))).toBe(expected);
  });

  it('measures a date against the clock of the server where it tells it', () => {
    const headers = {
      'retry-after': 'Tue, 01 Jan 2030 12:00:10 GMT',
      date: 'Tue, 01 Jan 2030 12:00:07 GMT',
    };
    expect(retryAfterMs(response(429, headers))).toBe(3_000);
    expect(serverDateMs(response(429, headers))).toBe(NOON_MS + 7_000);
    expect(serverDateMs(response(429, { date: 'today' }))).toBeUndefined();
  });
});
