import { afterAll, beforeAll, expect, it } from 'vitest';
import { priceOfAnswer } from '#inside/questions/question.ts';
import type { ServiceAnswer } from '#inside/vendor/data-service/answer.ts';
import { createDataServiceClient } from '#inside/vendor/data-service/client.ts';
import { createUndiciSend } from '#shared/http/adapters';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { OperationName } from '#shared/vendor';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type Served, serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { type Call, questionOf } from '../../../harness/questions-of-calls.ts';

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
