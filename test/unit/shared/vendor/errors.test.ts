import { describe, expect, it } from 'vitest';
import { plainWordsOf } from '#inside/vendor/data-service/miss-words.ts';
import { type HttpErrorCode, httpError } from '#shared/http';
import { answered, clientOver, type DriftNotice, failureOf, NOON_MS, success } from './fake-service.ts';

const RATE = { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '1780000000' };
const PHONE = { phone: '+1 202-555-0123' };

function failed(status: number, message: string, error: string, headers: Record<string, string> = {}) {
  return answered(status, { statusCode: status, message, error }, headers);
}

/** Whatever its words, a status means one thing; the suite for any address has all words of the specification. */
const ROWS: [number, string, string, string, boolean][] = [
  [401, 'Unauthorized', 'API key is required', 'UNAUTHORIZED', false],
  [401, 'Unauthorized', 'Invalid or missing API key', 'UNAUTHORIZED', false],
  [400, 'Bad Request', 'Invalid limit value. Must be between 1 and 100', 'BAD_REQUEST', false],
  [402, 'Insufficient credits', 'Not sufficient credit available for request', 'INSUFFICIENT_CREDITS', false],
  [404, 'Not Found', 'Company not found or has insufficient employee data', 'NOT_FOUND', true],
];

describe('an error of the service', () => {
  it.each(ROWS)('%i %s: %s', async (status, message, text, code, creditsMayBeSpent) => {
    const { client } = clientOver(() => failed(status, message, text));
    const failure = await failureOf(client.call('reversePhone', PHONE));
    expect(failure).toMatchObject({
      code: `DATA_SERVICE_${code}`,
      status,
      vendorText: text,
      creditsMayBeSpent,
      retryable: false,
      operation: 'reversePhone',
    });
    expect(failure.message).toContain(text);
  });

  it('429 may be tried again after the reset, as the service’s clock counts', async () => {
    const { client } = clientOver(() =>
      failed(429, 'Rate Limit Exceeded', 'Too many requests within the limit', {
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOON_MS / 1_000 + 30),
        date: 'Tue, 01 Jan 2030 12:00:10 GMT',
      }),
    );
    expect(await failureOf(client.call('reversePhone', PHONE))).toMatchObject({
      code: 'DATA_SERVICE_RATE_LIMITED',
      retryable: true,
      creditsMayBeSpent: false,
      rate: { resetAtMs: NOON_MS + 30_000 },
    });
  });

  it('429 carries the wait that the service names, or none', async () => {
    const headers = [{ 'retry-after': '5' }, {}];
    const { client } = clientOver(() => failed(429, 'Rate Limit Exceeded', 'x', headers.shift()));
    expect((await failureOf(client.call('reversePhone', PHONE))).retryAfterMs).toBe(5_000);
    const bare = await failureOf(client.call('reversePhone', PHONE));
    expect({ after: bare.retryAfterMs, rate: bare.rate }).toEqual({ after: undefined, rate: undefined });
  });

  it.each([500, 502, 503, 504, 599])('%i leaves open what was charged', async (status) => {
    const { client } = clientOver(() => answered(status, '<html>busy</html>', { 'retry-after': '7' }));
    expect(await failureOf(client.call('reversePhone', PHONE))).toMatchObject({
      code: 'DATA_SERVICE_SERVER_FAILURE',
      status,
      creditsMayBeSpent: true,
      retryable: false,
      retryAfterMs: 7_000,
    });
  });

  it.each([301, 304, 403, 409, 418])(
    '%i is not documented, and leaves open what was charged',
    async (status) => {
      const { client } = clientOver(() => answered(status, ''));
      expect(await failureOf(client.call('reversePhone', PHONE))).toMatchObject({
        code: 'DATA_SERVICE_UNEXPECTED_STATUS',
        status,
        creditsMayBeSpent: true,
        retryable: false,
      });
    },
  );

  it.each([
    '<html>Not Found</html>',
    '{"statusCode":404,"message":"Cannot GET /api/x","error":"Not Found"}',
    '{"statusCode":404,"message":"Not Found","error":"Not Found"}',
    '{"timestamp":"2026-06-01","status":404,"error":"Not Found","path":"/api/x"}',
    '{"message":"no Route matched with those values"}',
    '{}',
    '',
  ])('404 with %j is a wrong address: no "not found", and nothing was charged', async (body) => {
    const { client } = clientOver(() => answered(404, body));
    expect(await failureOf(client.call('reversePhone', PHONE))).toMatchObject({
      code: 'DATA_SERVICE_WRONG_ADDRESS',
      status: 404,
      creditsMayBeSpent: false,
      retryable: false,
    });
  });

  it.each([
    ['the shape of its errors', '{"statusCode":404,"message":"Nicht gefunden","error":"Niemand"}', {}],
    ['its rate headers', '', RATE],
  ])(
    '404 with %s is "not found", in whatever words, and these are counted once',
    async (_, body, headers) => {
      const drifted: DriftNotice[] = [];
      const onDrift = (notice: DriftNotice) => drifted.push(notice);
      const { client } = clientOver(() => answered(404, body, headers), { onDrift });
      for (let nth = 0; nth < 2; nth += 1)
        expect((await failureOf(client.call('reversePhone', PHONE))).code).toBe('DATA_SERVICE_NOT_FOUND');
      expect(drifted).toEqual([{ operation: 'reversePhone', field: 'no-match-wording-unknown' }]);
    },
  );

  it('404 in the words of a framework is a wrong address, though a gate before it counts the rate', async () => {
    const { client } = clientOver(() => answered(404, '<pre>Cannot GET /v2/api/x</pre>', RATE));
    expect((await failureOf(client.call('reversePhone', PHONE))).code).toBe('DATA_SERVICE_WRONG_ADDRESS');
  });

  it('never repeats unpublished words in its message, where they would reach a log', async () => {
    const text = `No profile found for jane@acme.example${'!'.repeat(500)}`;
    const { client } = clientOver(() => failed(404, 'Not Found', text));
    const failure = await failureOf(client.call('reverseEmail', { email: 'jane@acme.example' }));
    expect(failure.message).not.toContain('jane');
    expect(failure.vendorText).toBe(text.slice(0, 200));
    expect(failure.isTextPublished).toBe(false);
  });

  it('repeats the words that the specification publishes, and says that they are published', async () => {
    const text = 'No profile found matching the provided criteria';
    const { client } = clientOver(() => failed(404, 'Not Found', text));
    const failure = await failureOf(client.call('reversePhone', PHONE));
    expect(failure).toMatchObject({ vendorText: text, message: expect.stringContaining(text) });
    expect(failure.isTextPublished).toBe(true);
  });

  it('of the free key check costs nothing and may be tried again', async () => {
    const statuses = [500, 404, 200];
    const { client } = clientOver(() => answered(statuses.shift() ?? 0, ''));
    for (const [code, retryable] of [
      ['SERVER_FAILURE', true],
      ['WRONG_ADDRESS', false],
      ['MALFORMED_ANSWER', true],
    ] as const) {
      expect(await failureOf(client.call('checkKey', {}))).toMatchObject({
        code: `DATA_SERVICE_${code}`,
        creditsMayBeSpent: false,
        retryable,
      });
    }
  });
});

describe('a failure of the transport', () => {
  it.each<[HttpErrorCode, string, boolean, boolean]>([
    ['HTTP_NOT_SENT', 'NOT_SENT', false, true],
    ['HTTP_TIMEOUT', 'TIMEOUT', true, false],
    ['HTTP_CONNECTION_LOST', 'CONNECTION_LOST', true, false],
    ['HTTP_ABORTED', 'ABORTED', true, false],
    ['HTTP_RESPONSE_TOO_LARGE', 'MALFORMED_ANSWER', true, false],
  ])('%s is %s', async (httpCode, code, creditsMayBeSpent, retryable) => {
    const cause = httpError({ code: httpCode, retryable: true });
    const { client, requests } = clientOver(() => Promise.reject(cause));
    expect(await failureOf(client.call('reversePhone', PHONE))).toMatchObject({
      code: `DATA_SERVICE_${code}`,
      creditsMayBeSpent,
      retryable,
      cause,
      rate: undefined,
    });
    expect(requests).toHaveLength(1);
  });

  it('that is a bug of the sender goes through as it is', async () => {
    const { client } = clientOver(() => Promise.reject(new TypeError('bug')));
    await expect(client.call('reversePhone', PHONE)).rejects.toThrow(TypeError);
  });
});

describe('the free key check', () => {
  const notSent = () => Promise.reject(httpError({ code: 'HTTP_NOT_SENT', retryable: true }));

  it('is tried again when it was not sent', async () => {
    const { client, requests } = clientOver(() => (requests.length < 3 ? notSent() : success({ id: 'w1' })));
    expect((await client.call('checkKey', {})).records).toEqual([{ id: 'w1' }]);
    expect(requests).toHaveLength(3);
  });

  it('is sent once when it reached the service, whose rate it counts against', async () => {
    const { client, requests } = clientOver(() => answered(429, ''));
    expect((await failureOf(client.call('checkKey', {}))).code).toBe('DATA_SERVICE_RATE_LIMITED');
    expect(requests).toHaveLength(1);
  });
});

it.each([
  ['No record matched your query', 'No record matched your query'],
  ['No person found for jane.roe@acme.example.', 'No person found for …'],
  ['Jane Roe (Acme Ltd.) does not exist', '… does not exist'],
  ['No profile for https://pages.example/in/jane-roe in our database', 'No profile for … in our database'],
  ['Phone +49 30 1234567 not found', 'Phone … not found'],
  ['not found '.repeat(20), 'not found '.repeat(6)],
  ['找不到', '…'],
  ['', ''],
])('of %j only plain words are kept', (text, words) => {
  expect(plainWordsOf(text)).toBe(words);
});
