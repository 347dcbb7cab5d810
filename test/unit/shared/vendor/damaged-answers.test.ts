import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DATA_SERVICE_ERROR_CODES } from '#inside/vendor/data-service/errors.ts';
import { DataServiceError, type OperationName } from '#shared/vendor';
import { repeated } from '../../../harness/repeated.ts';
import { canonicalOf } from '../../../tools/mapping/generated-answers.ts';
import { answered, clientOver } from './fake-service.ts';

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
