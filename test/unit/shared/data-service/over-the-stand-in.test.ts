import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type PricedCall, priceOf } from '../../../../shared/data-service/pricing.ts';
import type { Answer, OperationData, OperationName } from '../../../../shared/data-service/types.ts';
import { systemClock } from '../../../../shared/kernel/clock.system.ts';
import { failureOf } from './fake-service.ts';
import { clientOfServed } from './sandbox-server.ts';

const sandbox = createDataServiceSandbox({ clock: systemClock, settings: { rateLimitPerMinute: 10_000 } });
let served: Awaited<ReturnType<typeof clientOfServed>>;

beforeAll(async () => {
  served = await clientOfServed(sandbox.handle);
});

afterAll(() => served.stop());

async function control(path: string, init?: RequestInit) {
  const response = await sandbox.handle(new Request(`http://sandbox.example/_sandbox/${path}`, init));
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as {
    readonly creditsCharged: number;
    readonly records: readonly Record<string, string>[];
  };
}

function setUp(settings: object) {
  return control('settings', { method: 'PUT', body: JSON.stringify(settings) });
}

beforeEach(() => control('reset', { method: 'POST' }));

/** Everything about somebody who can be found in every way. */
async function somebody() {
  const { records } = await control('records?kind=person&limit=500');
  const complete = records.find((one) =>
    ['email', 'mobile_number', 'network_url', 'organizations.primary_domain'].every((field) => one[field]),
  );
  if (!complete) throw new Error('nobody of the world can be found in every way');
  return complete;
}

describe('against the stand-in, over a socket', () => {
  it('all nine operations answer as specified, for what they cost', async () => {
    const client = served.clientWith('sandbox-key');
    const person = await somebody();
    const domain = person['organizations.primary_domain'] ?? '';
    const company_domain = domain;
    const network_url = person['network_url'] ?? '';
    let credits = 0;
    const ask = async <Name extends OperationName>(
      operation: Name,
      params: PricedCall<Name>['params'],
    ): Promise<Answer<OperationData[Name]>> => {
      const answer = await client.call(operation, params);
      expect({ operation, drift: answer.drift, message: answer.message }).toEqual({
        operation,
        drift: [],
        message: 'Success',
      });
      expect(answer.rate?.limit).toBe(10_000);
      expect(answer.rate?.serverDateMs).toBeGreaterThan(0);
      credits += priceOf({ operation, params, results: answer.results });
      return answer;
    };

    expect((await ask('checkKey', {})).data.id).toBeTypeOf('string');
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
    expect(companies.data[0]?.primary_domain).toBe(domain);
    const employees = await ask('searchEmployees', { company_domain, limit: 2, include_phone: 'include' });
    expect(employees.companyInfo?.domain).toBe(domain);
    expect(employees.pagination?.limit).toBe(2);
    const first_name = person['first_name'] ?? '';
    const last_name = person['last_name'] ?? '';
    const found = await ask('lookUpPerson', { company_domain, first_name, last_name });
    expect(found.data['organizations.primary_domain']).toBe(domain);
    const options = { include_email: 'include', include_phone: 'include' } as const;
    const profile = await ask('personProfile', { network_url, ...options });
    expect(profile.data).toMatchObject({ email: person['email'], mobile_number: person['mobile_number'] });
    const company = await ask('companyProfile', {
      domain,
      include_funding: 'include',
      include_contacts: 'include',
    });
    expect(company.data.domains).toContain(domain);
    expect((await ask('reverseEmail', { email: person['email'] ?? '' })).data.id).toBe(person['id']);
    expect((await ask('reversePhone', { phone: person['mobile_number'] ?? '' })).data.id).toBe(person['id']);

    expect((await control('bill')).creditsCharged).toBe(credits);
  });

  it('pages never cost more than allowed', async () => {
    const client = served.clientWith('sandbox-key');
    const ids = new Set<unknown>();
    for await (const person of client.people({ person_location: ['United States'] }, { maxResults: 150 })) {
      ids.add(person.id);
    }
    expect(ids.size).toBe(150);
    expect((await control('bill')).creditsCharged).toBe(150);
  });

  it('errors are told apart, with the vendor’s words', async () => {
    const client = served.clientWith('sandbox-key');
    const nobody = { email: 'nobody@nowhere.example' };
    expect(await failureOf(client.reverseEmail(nobody))).toMatchObject({
      code: 'DATA_SERVICE_NOT_FOUND',
      status: 404,
    });
    expect(await failureOf(served.clientWith('sandbox-key-old').checkKey())).toMatchObject({
      code: 'DATA_SERVICE_UNAUTHORIZED',
      vendorText: 'Invalid or missing API key',
    });
    await setUp({ creditBalance: 0 });
    expect((await failureOf(client.reverseEmail(nobody))).code).toMatch(/NOT_FOUND|INSUFFICIENT_CREDITS/);
    const search = client.searchPeople({ person_location: ['United States'] });
    expect((await failureOf(search)).code).toBe('DATA_SERVICE_INSUFFICIENT_CREDITS');
    await setUp({ rateLimitPerMinute: 1 });
    const limited = await failureOf(client.checkKey());
    expect(limited).toMatchObject({ code: 'DATA_SERVICE_RATE_LIMITED', rate: { limit: 1, remaining: 0 } });
    expect(limited.resetAtMs).toBeGreaterThan(0);
  });

  it.each([
    [{ kind: 'status', status: 503 }, 'SERVER_FAILURE'],
    [{ kind: 'reset-before' }, 'CONNECTION_LOST'],
    [{ kind: 'reset-after' }, 'CONNECTION_LOST'],
    [{ kind: 'malformed' }, 'MALFORMED_ANSWER'],
  ])('the fault %j leaves open what was charged', async (fault, code) => {
    const client = served.clientWith('sandbox-key');
    const { email = '' } = await somebody();
    await setUp({ faults: [{ ...fault, rate: 1 }] });
    expect(await failureOf(client.reverseEmail({ email }))).toMatchObject({
      code: `DATA_SERVICE_${code}`,
      creditsMayBeSpent: true,
      retryable: false,
    });
  });

  it('a hang runs into the time of the call', async () => {
    const client = served.clientWith('sandbox-key');
    await setUp({ faults: [{ kind: 'hang', rate: 1 }] });
    const calling = client.call('reverseEmail', { email: 'jane@acme.example' }, { timeoutMs: 100 });
    expect((await failureOf(calling)).code).toBe('DATA_SERVICE_TIMEOUT');
  });
});
