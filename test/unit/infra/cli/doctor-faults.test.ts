import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Check } from '../../../../infra/doctor/check.ts';
import { STAND_IN_URLS, START, type StandIns, startStandIns } from '../../../harness/console.ts';

/** What is wrong with an installation when doctor examines it. */
interface Fault {
  readonly policy?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** What a server answers that is no stand-in. Both services, or the webhook address, may lead to it. */
  readonly stranger?: () => Response;
  readonly hubSpot?: object;
  readonly dataService?: Readonly<Record<string, unknown>>;
  readonly before?: (standIns: StandIns) => unknown;
  readonly words?: readonly string[];
}

const REAL = {
  DATA_SERVICE_BASE_URL: STAND_IN_URLS.dataService,
  DATA_SERVICE_API_KEY: 'sandbox-key',
  HUBSPOT_BASE_URL: STAND_IN_URLS.hubSpot,
  HUBSPOT_ACCESS_TOKEN: 'sandbox-token',
  HUBSPOT_CLIENT_SECRET: 'sandbox-client-secret',
  CREDITS_PER_DAY: '50',
};
const NOBODY = 'https://nobody.example';
const STRANGER = new URL(STAND_IN_URLS.webhook).origin;

/** HubSpot fails at some of its paths. */
const failing = (status: number, more: object = {}): Fault => ({
  hubSpot: { faults: [{ kind: 'status', status, rate: 1, ...more }] },
});
const answersAt = (offMs: number): Fault => ({
  stranger: () => new Response('', { headers: { date: new Date(START.getTime() - offMs).toUTCString() } }),
});
const AMOUNTS = ['annualrevenue', 'hs_annual_revenue_currency_code', 'total_money_raised'];

async function storeOfAnotherFormat({ run, store }: StandIns): Promise<void> {
  await run(['setup']);
  await run(['ledger', 'grant', '--credits', '1', '--note', 'x']);
  store.database.exec('UPDATE items SET format = 99');
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

const rules = (...contacts: object[]): Fault => ({ policy: { whom: { contacts } } });
const property = (method: string, path: string, body?: object): Fault => ({
  before: async ({ run, hubSpot }) => {
    await run(['setup']);
    await hubSpot(method, `/crm/properties/2026-09/contacts/${path}`, body);
  },
});

it.each<[code: string, Fault]>([
  ['budgets-are-zero', { policy: { budgets: { perDay: 0 } } }],
  [
    'requests-used-up',
    { dataService: { rateLimitPerMinute: 1 }, before: ({ run }) => run(['doctor']), words: ['--wait', '0'] },
  ],
  [
    'not-the-data-service',
    { env: { ...REAL, DATA_SERVICE_BASE_URL: STRANGER }, stranger: () => new Response('') },
  ],
  ['data-service-unreachable', { env: { ...REAL, DATA_SERVICE_BASE_URL: NOBODY } }],
  ['data-service-fails', { dataService: { faults: [{ kind: 'status', status: 503, rate: 1 }] } }],
  [
    'not-hubspot',
    { env: { ...REAL, HUBSPOT_BASE_URL: STRANGER }, stranger: () => new Response('', { status: 404 }) },
  ],
  ['hubspot-unreachable', { env: { ...REAL, HUBSPOT_BASE_URL: NOBODY } }],
  ['hubspot-fails', failing(503)],
  ['hubspot-limit', failing(429)],
  ['hubspot-silent', { hubSpot: { faults: [{ kind: 'hang', rate: 1, path: '/crm/' }] } }],
  ['hubspot-refuses-token', failing(401, { path: '/crm/' })],
  ['hubspot-wrong-data-centre', failing(488)],
  ['usage-fails', { hubSpot: { faults: [{ kind: 'reset-before', rate: 1, path: '/api-usage/' }] } }],
  ['no-requests-left', { hubSpot: { rateLimits: { daily: 3 } } }],
  ['portal-is-another', { before: ({ run }) => run(['setup']), hubSpot: { portalId: 24_170_002 } }],
  ['time-zone-fits', { hubSpot: { timeZone: 'UTC' } }],
  [
    'properties-conflict',
    {
      before: ({ hubSpot }) => {
        const group = { groupName: 'contactinformation', label: 'Status' };
        const body = { name: 'enrichment_status', type: 'number', fieldType: 'number', ...group };
        return hubSpot('POST', '/crm/properties/2026-09/contacts', body);
      },
    },
  ],
  ['options-missing', property('PATCH', 'enrichment_status', { options: [] })],
  ['no-rule-allows', rules({ name: 'none', enrich: false })],
  ['rules-doubtful', rules({ name: 'all' }, { name: 'late' })],
  ['rules-broken', rules({ name: 'gone', when: [{ property: 'no_such_property', blank: true }] })],
  [
    'no-amounts',
    {
      policy: {
        fields: { companies: Object.fromEntries(AMOUNTS.map((name) => [name, { write: 'never' }])) },
      },
    },
  ],
  [
    'newest-books-hold',
    { before: ({ run }) => repeat(51, () => run(['ledger', 'grant', '--credits', '1', '--note', 'x'])) },
  ],
  ['tables-fail', { before: storeOfAnotherFormat }],
  ['stores-fail', { before: storeOfAnotherFormat }],
  [
    'stopped',
    {
      dataService: { pageOverrun: 3 },
      before: ({ run }) => run(['search', 'people', '--title', 'Manager', '--max', '2', '--yes']),
    },
  ],
  ['clock-wrong', { ...answersAt(301_000), env: { ...REAL, WEBHOOK_PUBLIC_URL: STAND_IN_URLS.webhook } }],
  ['clock-off', answersAt(-20_000)],
  ['clock-far-off', answersAt(301_000)],
])(
  'doctor shows %s',
  async (code, { policy, env, stranger, hubSpot, dataService = {}, before, words = [] }) => {
    const receive = async () => stranger?.() ?? new Response('');
    const standIns = await startStandIns(dataService, stranger ? { receive } : {});
    onTestFinished(standIns.stop);
    await before?.(standIns);
    if (hubSpot) await standIns.hubSpot('PUT', '/_sandbox/settings', hubSpot);
    const file = join(standIns.path, 'policy.mjs');
    await writeFile(file, `export default ${JSON.stringify({ budgets: { perDay: 200 }, ...policy })};`);
    const ran = await standIns.run(
      ['doctor', '--json', ...(policy ? ['--policy', file] : []), ...words],
      env ? { env } : {},
    );
    const { checks, error } = ran.json() as unknown as { checks: Check[]; error: unknown };
    expect(error).toBeUndefined();
    expect(checks.map((check) => check.code)).toContain(code);
  },
);
