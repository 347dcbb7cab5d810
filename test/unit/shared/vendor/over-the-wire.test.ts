import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { priceOfAnswer } from '#inside/questions/question.ts';
import { createDataServiceClient, type ServiceAnswer } from '#inside/vendor/data-service/client.ts';
import { DATA_SERVICE_ERROR_CODES } from '#inside/vendor/data-service/errors.ts';
import { createUndiciSend } from '#shared/http/adapters';
import { systemClock as clock, systemClock } from '#shared/kernel/adapters';
import { DataServiceError, type OperationName } from '#shared/vendor';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type Served, serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { type Call, questionOf } from '../../../harness/questions-of-calls.ts';
import { repeated } from '../../../harness/repeated.ts';
import { canonicalOf } from '../../../tools/mapping/generated-answers.ts';
import { serve } from '../http/unruly-server.ts';
import { answered, clientOver } from './fake-service.ts';

const sandbox = createDataServiceSandbox({ clock, settings: { rateLimitPerMinute: 10_000 } });
const transport = createUndiciSend({ clock, connectTimeoutMs: 1_000 });
let served: Served;

beforeAll(async () => {
  served = await serveSandbox({ handle: sandbox.handle, port: 0 });
});
afterAll(async () => {
  await transport.close();
  await served.close();
});

async function control(path: string) {
  const response = await sandbox.handle(new Request(`http://sandbox.example/_sandbox/${path}`));
  return (await response.json()) as {
    readonly creditsCharged: number;
    readonly records: readonly Record<string, string>[];
  };
}

type Told = ServiceAnswer & { readonly first: Readonly<Record<string, unknown>> };

/** Everything about somebody who can be found in every way. */
async function somePerson() {
  const { records } = await control('records?kind=person&limit=500');
  const complete = records.find((one) =>
    ['email', 'mobile_number', 'network_url', 'organizations.primary_domain'].every((field) => one[field]),
  );
  if (!complete) throw new Error('nobody of the world can be found in every way');
  return complete;
}

it('against the stand-in, over a socket all nine operations answer as specified, for what they cost', async () => {
  const options = { apiKey: 'sandbox-key', send: transport.send, timeoutMs: 5_000, clock, random: () => 0 };
  const client = createDataServiceClient({ baseUrl: served.url, ...options });
  const person = await somePerson();
  const domain = person['organizations.primary_domain'] ?? '';
  const company_domain = domain;
  const network_url = person['network_url'] ?? '';
  let credits = 0;
  const ask = async (operation: OperationName, params: Call['params']): Promise<Told> => {
    const answer = await client.call(operation, params);
    expect({ operation, drift: answer.drift }).toEqual({ operation, drift: [] });
    const [first = {}] = answer.records;
    expect(answer.rate?.limit).toBe(10_000);
    expect(answer.rate?.serverDateMs).toBeGreaterThan(0);
    if (operation !== 'checkKey') credits += priceOfAnswer(questionOf({ operation, params }), answer.results);
    return { ...answer, first };
  };

  expect((await ask('checkKey', {})).first['id']).toBeTypeOf('string');
  const people = await ask('searchPeople', {
    q_organization_domains: [domain],
    include_email: 'include',
    per_page: 3,
  });
  expect(people.results).toBeGreaterThan(0);
  const companies = await ask('searchCompanies', {
    q_organization_domains: [domain],
    technology: 'include',
  });
  expect(companies.first['primary_domain']).toBe(domain);
  const employees = await ask('searchEmployees', { company_domain, limit: 2, include_phone: 'include' });
  expect(employees.companyInfo?.['domain']).toBe(domain);
  expect(employees.pagination?.has_more).toBeTypeOf('boolean');
  const first_name = person['first_name'] ?? '';
  const last_name = person['last_name'] ?? '';
  const found = await ask('lookUpPerson', { company_domain, first_name, last_name });
  expect(found.first['organizations.primary_domain']).toBe(domain);
  const wanted = { include_email: 'include', include_phone: 'include' } as const;
  const profile = await ask('personProfile', { network_url, ...wanted });
  expect(profile.first).toMatchObject({ email: person['email'], mobile_number: person['mobile_number'] });
  const company = await ask('companyProfile', {
    domain,
    include_funding: 'include',
    include_contacts: 'include',
  });
  expect(company.first['domains']).toContain(domain);
  expect((await ask('reverseEmail', { email: person['email'] ?? '' })).first['id']).toBe(person['id']);
  expect((await ask('reversePhone', { phone: person['mobile_number'] ?? '' })).first['id']).toBe(
    person['id'],
  );

  expect((await control('bill')).creditsCharged).toBe(credits);
});

const PHONE = { phone: '+1 202-555-0123' };
const { send, close } = createUndiciSend({
  clock: systemClock,
  connectTimeoutMs: 1_000,
  maxResponseBytes: 100_000,
});

afterAll(close);

function clientAt(baseUrl: string) {
  return createDataServiceClient({
    baseUrl,
    apiKey: 'key-1',
    send,
    timeoutMs: 5_000,
    clock: systemClock,
    random: () => 0,
  });
}

function respond(response: ServerResponse, text: string) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

it('over a socket a paid answer comes through, on a connection of its own', async () => {
  await using server = await serve((request, response) => {
    const data = { id: request.headers['x-api-key'], title: new URL(request.url ?? '', 'http://x').search };
    respond(response, JSON.stringify({ statusCode: 200, message: 'Success', data }));
  });
  const client = clientAt(server.url);
  const answers = [await client.call('reversePhone', PHONE), await client.call('reversePhone', PHONE)];
  expect(answers.flatMap((answer) => answer.records)).toEqual(
    Array(2).fill({ id: 'key-1', title: '?phone=%2B1%20202-555-0123' }),
  );
  expect(new Set(server.requests.map((request) => request.socket)).size).toBe(2);
});

const FIXED = { seed: 20_300_101, numRuns: repeated(500) };

const CALLS: readonly (readonly [OperationName, object])[] = [
  ['checkKey', {}],
  ['searchPeople', { person_titles: ['CTO'] }],
  ['searchCompanies', { person_titles: ['CTO'] }],
  ['searchEmployees', { company_domain: 'acme.example' }],
  ['lookUpPerson', { company_domain: 'acme.example', first_name: 'Jane' }],
  ['personProfile', { network_url: 'network.example/in/jane-roe' }],
  ['companyProfile', { domain: 'acme.example' }],
  ['reverseEmail', { email: 'jane@acme.example' }],
  ['reversePhone', { phone: '+1 202-555-0123' }],
];

const FIELDS = [
  'id',
  'title',
  'organizations.founded_year',
  'role_count.it',
  'iosstore.top_rating',
  'domains',
  'headquarters',
  'locations',
  'funding',
  'last_funding_round',
  'funding_rounds',
  'investors',
  'technology',
  'tools',
  'contacts',
  'previous_companies',
  'duration_months',
  'has_web_app',
  '__proto__',
  'constructor',
  'toString',
  '',
];

/** Values of any kind under names that the schemas know. */
const { value } = fc.letrec<{ value: unknown; record: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), tie('value')), {
      maxLength: 6,
      selector: ([name]) => name,
    })
    .map((entries) => Object.fromEntries(entries)),
}));

const envelope = fc.record(
  {
    data: value,
    statusCode: value,
    message: fc.oneof(fc.string(), value),
    error: fc.oneof(fc.string(), value),
    company_info: value,
    pagination: value,
  },
  { requiredKeys: [] },
);

const body = fc.oneof(
  envelope.map((whole) => JSON.stringify(whole)),
  value.map((whole) => JSON.stringify(whole)),
  fc.tuple(envelope, fc.nat(200)).map(([whole, cut]) => JSON.stringify(whole).slice(0, cut)),
  fc.string({ unit: 'binary' }),
);

const headers = fc.dictionary(
  fc.constantFrom('x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date'),
  fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)),
);

const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 400, 401, 402, 404, 429, 500),
  fc.integer({ min: 100, max: 999 }),
);

it('a damaged answer is an answer or one of the client’s own errors, for every operation', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(status, body, headers, async (code, text, given) => {
      const { client } = clientOver(() => answered(code, text, given));
      for (const [operation, params] of CALLS) {
        const outcome = await client.call(operation, params as never).then(
          ({ records }) =>
            records.map((record) => [canonicalOf(record, 'person'), canonicalOf(record, 'company')]),
          (error: unknown) => error,
        );
        if (Array.isArray(outcome)) seen.add('answer');
        else seen.add(ownCode(outcome));
      }
    }),
    FIXED,
  );
  expect([...seen].sort()).toEqual([
    'DATA_SERVICE_BAD_REQUEST',
    'DATA_SERVICE_INSUFFICIENT_CREDITS',
    'DATA_SERVICE_MALFORMED_ANSWER',
    'DATA_SERVICE_RATE_LIMITED',
    'DATA_SERVICE_SERVER_FAILURE',
    'DATA_SERVICE_UNAUTHORIZED',
    'DATA_SERVICE_UNEXPECTED_STATUS',
    'DATA_SERVICE_WRONG_ADDRESS',
    'answer',
  ]);
});

function ownCode(error: unknown): string {
  if (!(error instanceof DataServiceError)) throw error;
  expect(DATA_SERVICE_ERROR_CODES).toContain(error.code);
  expect(error.retryable && error.creditsMayBeSpent).toBe(false);
  expect(error.retryAfterMs === undefined || error.retryAfterMs >= 0).toBe(true);
  return error.code;
}
