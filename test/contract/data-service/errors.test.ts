import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import {
  CHECK_KEY,
  EMPLOYEE_SEARCH,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  PERSON_OPTIONS,
} from './endpoints.ts';
import { BAD_REQUEST_ROWS, type ErrorRow, NOT_FOUND_ROWS } from './error-rows.ts';
import { existingOf, QUESTIONS } from './questions.ts';
import { named, useSamples } from './samples.ts';
import { isOwn, refresh, useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);

const whenOf = ({ when }: ErrorRow) => when;

const WRONG_KEY = 'not-a-key-4711';
const NO_KEY_TEXT = 'API key is required';
const WRONG_KEY_TEXT = 'Invalid or missing API key';

/** Status, `statusCode`, `message` and `error`, and nothing else in the body. */
function expectError(answer: Answer, status: number, message: string, text: string | RegExp): void {
  const error = typeof text === 'string' ? text : expect.stringMatching(text);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { statusCode: status, message, error },
  });
}

const expectUnauthorized = (answer: Answer, text: string) => expectError(answer, 401, 'Unauthorized', text);
const expectNoCredits = (answer: Answer) =>
  expectError(answer, 402, 'Insufficient credits', 'Not sufficient credit available for request');
const expectRateLimited = (answer: Answer) =>
  expectError(answer, 429, 'Rate Limit Exceeded', 'Too many requests within the limit');

describe.each(QUESTIONS)('$operation', ({ endpoint, params }) => {
  it('is 401 without a key', async () => {
    expectUnauthorized(await target.ask(endpoint, params(samples), null), NO_KEY_TEXT);
  });

  it('is 401 with a key that is not valid', async () => {
    expectUnauthorized(await target.ask(endpoint, params(samples), WRONG_KEY), WRONG_KEY_TEXT);
  });

  it('succeeds with the status of the summary, and says so in its envelope', async () => {
    const { status, body } = await target.ask(endpoint, params(samples));
    expect({ status, statusCode: body['statusCode'], message: body['message'] }).toEqual({
      status: endpoint.status,
      statusCode: endpoint.status,
      message: 'Success',
    });
    expect(body).toHaveProperty('data');
  });
});

const setBalance = (creditBalance: number) => target.verb('PUT', 'settings', { creditBalance });

describe('a wrong request', () => {
  afterEach(() => (isOwn ? refresh(target) : undefined));

  it.each(named(BAD_REQUEST_ROWS, whenOf))(
    'is 400 before the credits are checked, and costs nothing: %s',
    async (_, { endpoint, params, status, message, text }) => {
      if (isOwn) await refresh(target);
      if (isOwn) await setBalance(0);
      expectError(await target.ask(endpoint, params(existingOf(samples))), status, message, text);
      if (isOwn) expect(await target.verb('GET', 'bill')).toMatchObject({ creditsCharged: 0 });
    },
  );
});

it.each(named(NOT_FOUND_ROWS, whenOf))('404: %s', async (_, { endpoint, params, status, message, text }) => {
  expectError(await target.ask(endpoint, params(existingOf(samples))), status, message, text);
});

const CHARGED = QUESTIONS.filter(({ endpoint }) => endpoint !== CHECK_KEY);
const BAD = { per_page: 0, limit: 0 };

describe.skipIf(!isOwn)('with the balance used up (needs the /_sandbox verbs)', () => {
  afterEach(() => refresh(target));

  it.each(CHARGED)('402: $operation', async ({ endpoint, params }) => {
    await setBalance(0);
    expectNoCredits(await target.ask(endpoint, params(samples)));
  });

  it('checking the key is free', async () => {
    await setBalance(0);
    expect((await target.ask(CHECK_KEY)).status).toBe(200);
  });

  it('402: a balance too low for the options asked for', async () => {
    const { profileUrl: network_url } = existingOf(samples);
    await setBalance(5);
    expectNoCredits(await target.ask(PEOPLE_PROFILE, { network_url, ...PERSON_OPTIONS }));
    expect((await target.ask(PEOPLE_PROFILE, { network_url, include_email: 'include' })).status).toBe(200);
  });

  it('402: a balance too low for all results of a search', async () => {
    const people = { person_seniorities: ['Manager'], per_page: 20 };
    await setBalance(19);
    expectNoCredits(await target.ask(PEOPLE_SEARCH, people));
    await setBalance(20);
    expect((await target.ask(PEOPLE_SEARCH, people)).status).toBe(201);
  });

  it('the key is checked before the credits', async () => {
    await setBalance(0);
    expectUnauthorized(await target.ask(PEOPLE_SEARCH, {}, WRONG_KEY), WRONG_KEY_TEXT);
  });

  it.each(named(NOT_FOUND_ROWS, whenOf))('the credits are checked before the record: %s', async (_, row) => {
    await setBalance(0);
    expectNoCredits(await target.ask(row.endpoint, row.params(existingOf(samples))));
  });
});

describe.skipIf(!isOwn)('with the rate used up (needs the /_sandbox verbs)', () => {
  afterEach(() => refresh(target));
  const useUp = async () => {
    await target.verb('PUT', 'settings', { rateLimitPerMinute: 1, creditBalance: 0 });
    await target.askOnce(CHECK_KEY);
  };

  it.each(QUESTIONS)('429: $operation', async ({ endpoint, params }) => {
    await useUp();
    expectRateLimited(await target.askOnce(endpoint, params(samples)));
  });

  it('the key is checked before the rate', async () => {
    await useUp();
    expectUnauthorized(await target.askOnce(CHECK_KEY, {}, null), NO_KEY_TEXT);
    expectUnauthorized(await target.askOnce(CHECK_KEY, {}, WRONG_KEY), WRONG_KEY_TEXT);
  });

  it('the rate is checked before the parameters', async () => {
    await useUp();
    expectRateLimited(await target.askOnce(PEOPLE_SEARCH, BAD));
    expectRateLimited(await target.askOnce(EMPLOYEE_SEARCH, BAD));
  });

  it('the rate is checked before the credits and the record', async () => {
    await useUp();
    const nobody = { company_domain: 'no-such-company-4711.com', first_name: 'Ada' };
    expectRateLimited(await target.askOnce(PEOPLE_LOOKUP, nobody));
  });
});

it('the key is checked before the parameters', async () => {
  expectUnauthorized(await target.ask(PEOPLE_SEARCH, BAD, null), NO_KEY_TEXT);
  expectUnauthorized(await target.ask(EMPLOYEE_SEARCH, BAD, WRONG_KEY), WRONG_KEY_TEXT);
});

it('the parameters are checked before the record', async () => {
  const params = { company_domain: 'no-such-company-4711.com', limit: 0 };
  const text = 'Invalid limit value. Must be between 1 and 100';
  expectError(await target.ask(EMPLOYEE_SEARCH, params), 400, 'Bad Request', text);
});
