import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;
interface Check {
  readonly name: string;
  readonly verdict: string;
  readonly seen: string;
}

const LACKED = ['hs_logo_url', 'start_date', 'hs_state_code', 'web_technologies', 'hs_employee_range'];

let stage: Stage;
let domains: readonly string[];

/** A portal that counts in yen and lacks properties that others have. */
beforeAll(async () => {
  stage = await openStage();
  await setHubSpot({ currency: 'JPY', lackedProperties: LACKED });
  await stage.start().line(/^Serving until/);
  const employers = (await stage.people()).map((person) => String(person['organizations.primary_domain']));
  domains = [...new Set(employers)].slice(0, 4);
});
afterAll(() => stage.close());

const setHubSpot = (settings: object) => stage.atHubSpot('PUT', 'settings', settings);

async function enriched(objectType: 'contacts' | 'companies', properties: Values): Promise<Values> {
  const { id } = await stage.atHubSpot('POST', 'create', { objectType, properties });
  return vi.waitFor(
    async () => {
      const { records } = await stage.atHubSpot('GET', 'records');
      const found = (records as { id: string; properties: Values }[]).find((one) => one.id === id);
      expect(found?.properties).toMatchObject({ enrichment_status: 'enriched' });
      return found?.properties ?? {};
    },
    { timeout: 100_000, interval: 100 },
  );
}

async function examine(): Promise<(name: string) => Check | undefined> {
  const { out } = await stage.run('doctor', '--json');
  const { checks }: { readonly checks: readonly Check[] } = JSON.parse(out);
  return (name) => checks.find((check) => check.name === name);
}

it('enriches in silence where the portal lacks defaults, and writes no dollars into yen', async () => {
  const records = await Promise.all(domains.map((domain) => enriched('companies', { domain })));
  for (const record of records) {
    expect(record).toMatchObject({ name: expect.any(String), industry: expect.any(String) });
    for (const name of [...LACKED, 'annualrevenue', 'hs_annual_revenue_currency_code'])
      expect(record).not.toHaveProperty(name);
  }
  const unmapped: { property?: string; reason: string }[] = JSON.parse(
    (await stage.run('unmapped', '--json')).out,
  );
  expect(unmapped.filter(({ property }) => LACKED.includes(property ?? ''))).toEqual([]);
  const reason = expect.stringMatching(/USD.*JPY/);
  expect(unmapped).toContainEqual(expect.objectContaining({ property: 'annualrevenue', reason }));

  const of = await examine();
  expect(of('currency')).toMatchObject({ verdict: 'warn', seen: expect.stringContaining('JPY') });
  const fields = of('policy fields of companies');
  expect(fields).toMatchObject({ verdict: 'ok', seen: expect.stringContaining('hs_logo_url') });
});

it.each([
  ['account-info', 'HubSpot token', 'fail'],
  ['property-validations', 'value rules of companies', 'warn'],
])('the doctor hides nothing behind a 403 of %s', async (path, refused, verdict) => {
  await setHubSpot({ faults: [{ path, kind: 'status', status: 403, rate: 1 }] });
  const of = await examine();
  await setHubSpot({ faults: [] });
  expect(of(refused)).toMatchObject({ verdict });
  for (const name of [
    ...['tables', 'queues', 'budgets', 'data service key', 'webhook target'],
    ...['properties of contacts', 'properties of companies', 'choices of contacts'],
    'scope crm.objects.companies.read',
  ])
    expect(of(name)).toMatchObject({ name, verdict: 'ok' });
});
