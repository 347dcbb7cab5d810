import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { CHECK_KEY, COMPANY_PROFILE, PEOPLE_PROFILE, PEOPLE_SEARCH } from './endpoints.ts';
import { existingOf, QUESTIONS } from './questions.ts';
import { useSamples } from './samples.ts';
import { isOwn, refresh, targetKind, useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);

const WINDOW_S = 60;
const DOCUMENTED_LIMIT = 20;
/** Beyond it, the row that needs more requests than the limit cannot be tried. */
const LARGEST_BURST = 2_000;

/** The three headers, as numbers; `NaN` where one is missing or no whole number. */
function rateOf({ headers }: Answer) {
  const numberIn = (name: string) => {
    const text = headers.get(name) ?? '';
    return /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  return {
    limit: numberIn('X-RateLimit-Limit'),
    remaining: numberIn('X-RateLimit-Remaining'),
    resetS: numberIn('X-RateLimit-Reset'),
  };
}

/** Present, whole, and possible: reset is a Unix time in seconds, at most a window ahead. */
function expectRateHeaders(answer: Answer): void {
  const { limit, remaining, resetS } = rateOf(answer);
  const nowS = Date.now() / 1_000;
  expect(limit).toBeGreaterThanOrEqual(1);
  expect(remaining).toBeGreaterThanOrEqual(0);
  expect(remaining).toBeLessThanOrEqual(limit);
  expect(resetS).toBeGreaterThan(nowS - WINDOW_S);
  expect(resetS).toBeLessThanOrEqual(nowS + WINDOW_S + 2);
}

describe('the rate headers are on every answer', () => {
  it.each(QUESTIONS)('$operation', async ({ endpoint, params }) => {
    const answer = await target.ask(endpoint, params(samples));
    expect(answer.status).toBe(endpoint.status);
    expectRateHeaders(answer);
  });

  it.each([
    ['401 without a key', 401, () => target.ask(CHECK_KEY, {}, null)],
    ['401 with a wrong key', 401, () => target.ask(CHECK_KEY, {}, 'not-a-key-4711')],
    ['400', 400, () => target.ask(PEOPLE_SEARCH, {})],
    ['404 of a record', 404, () => target.ask(COMPANY_PROFILE, { domain: 'no-such-company-4711.com' })],
    ['404 of a path', 404, () => target.ask({ method: 'GET', path: '/api/v1/no/such/path' })],
  ] as const)('%s', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expectRateHeaders(answer);
  });

  it.skipIf(!isOwn)('402 (needs the /_sandbox verbs)', async () => {
    await target.verb('PUT', 'settings', { creditBalance: 0 });
    const answer = await target.ask(PEOPLE_PROFILE, { network_url: existingOf(samples).profileUrl });
    await refresh(target);
    expect(answer.status).toBe(402);
    expectRateHeaders(answer);
  });
});

describe.skipIf(!isOwn)('the documented limit (needs the /_sandbox verbs)', () => {
  afterEach(() => refresh(target));

  /** With the settings that a stand-in starts with. */
  const askInARow = async (count: number) => {
    await target.verb('POST', 'reset');
    const answers: Answer[] = [];
    for (let asked = 0; asked < count; asked += 1) answers.push(await target.askOnce(CHECK_KEY));
    return answers;
  };

  it('is 20 requests a minute', async () => {
    const [answer] = await askInARow(1);
    expect(answer && rateOf(answer).limit).toBe(DOCUMENTED_LIMIT);
  });

  it('lets 20 requests through, and no more', async () => {
    const statuses = (await askInARow(DOCUMENTED_LIMIT + 3)).map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(DOCUMENTED_LIMIT).fill(200), 429, 429, 429]);
  });

  it('counts down to nothing and stays there', async () => {
    const remaining = (await askInARow(DOCUMENTED_LIMIT + 2)).map((answer) => rateOf(answer).remaining);
    const down = Array.from({ length: DOCUMENTED_LIMIT }, (_, index) => DOCUMENTED_LIMIT - 1 - index);
    expect(remaining).toEqual([...down, 0, 0]);
  });

  it('names one reset for a whole window, refusals included', async () => {
    const resets = (await askInARow(DOCUMENTED_LIMIT + 2)).map((answer) => rateOf(answer).resetS);
    expect(new Set(resets).size).toBe(1);
  });

  it('has the headers on a 429', async () => {
    const last = (await askInARow(DOCUMENTED_LIMIT + 1)).at(-1);
    expect(last?.status).toBe(429);
    if (last !== undefined) expectRateHeaders(last);
  });

  it('can be another one, which the headers then say', async () => {
    await target.verb('PUT', 'settings', { rateLimitPerMinute: 2 });
    const answers = [1, 2, 3].map(() => target.askOnce(CHECK_KEY));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await Promise.all(answers)).map((answer) => rateOf(answer).limit)).toEqual([2, 2, 2]);
  });
});

/** Where the limit cannot be set, more requests than it allows at once show it; checking a key is free. */
it.skipIf(targetKind === 'shared')('more requests at once than the limit end in 429', async () => {
  if (isOwn) await target.verb('PUT', 'settings', { rateLimitPerMinute: DOCUMENTED_LIMIT });
  const { limit } = rateOf(await target.ask(CHECK_KEY));
  expect(limit).toBeLessThanOrEqual(LARGEST_BURST);
  const answers = await Promise.all(Array.from({ length: limit + 1 }, () => target.askOnce(CHECK_KEY)));
  if (isOwn) await refresh(target);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).not.toEqual([]);
  expect(refused[0]?.body).toEqual({
    statusCode: 429,
    message: 'Rate Limit Exceeded',
    error: 'Too many requests within the limit',
  });
});
