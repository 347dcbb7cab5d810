import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkMessage } from '#shared/work-queue';
import { createHandler } from '../../../../functions/receive-webhook/handler.ts';
import type { Check } from '../../../../infra/doctor/check.ts';
import { STAND_IN_URLS, type StandIns, startStandIns } from '../../../harness/console.ts';
import { oneQueue } from '../../../harness/one-queue.ts';
import { createServer } from '../../../harness/server.ts';
import { createWorld, type World } from '../../../harness/world.ts';

let standIns: StandIns;
let world: World;
let receive: (request: Request) => Promise<Response>;
const queued: WorkMessage[] = [];

beforeAll(async () => {
  world = await createWorld();
  standIns = await startStandIns({}, { receive: (request) => receive(request) });
  receive = receiver({ clientSecret: 'sandbox-client-secret' });
});
afterAll(() => standIns.stop());

/** The product's own receiver behind an address, and what HubSpot shows of it below. */
function receiver({ clientSecret, path = '/hubspot' }: { clientSecret: string; path?: string }) {
  const { clock } = standIns;
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const handle = createHandler({
    queues: oneQueue({ send: async (messages: readonly WorkMessage[]) => void queued.push(...messages) }),
    clientSecret: async () => clientSecret,
    publicUrl: STAND_IN_URLS.webhook.replace('/hubspot', path),
    clock,
    logger,
  });
  const publicUrl = STAND_IN_URLS.webhook;
  const show = createServer({
    services: world.services,
    policy: world.policy,
    queues: world.queues,
    clock,
    logger,
    publicUrl,
  });
  return async (request: Request) => {
    if (request.url.startsWith(`${publicUrl}/`)) return show(request);
    const { statusCode, body } = await handle({
      requestContext: { http: { method: request.method } },
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      isBase64Encoded: false,
    });
    return new Response(body, { status: statusCode });
  };
}

async function examine() {
  const { code, json, out } = await standIns.run(['doctor', '--json']);
  const { checks } = json() as unknown as { checks: Check[] };
  const of = (name: string) => checks.find((check) => check.name === name);
  return { code, checks, of, out };
}

describe('doctor', () => {
  it('says what is missing and what to do', async () => {
    const { code, of } = await examine();
    expect(of('properties of contacts')).toMatchObject({
      code: 'properties-missing',
      params: { command: 'setup' },
    });
    expect(of('portal')).toMatchObject({ code: 'no-portal-yet', params: { portal: '24170001' } });
    expect(code).toBe(1);
  });

  it('finds nothing in the way after the set-up', async () => {
    await standIns.run(['setup']);
    const { code, checks, of } = await examine();
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(code).toBe(0);
    for (const name of [
      'tables',
      'queues',
      'budgets',
      'data service key',
      'HubSpot token',
      'installations',
      'webhook target',
      "app's card and action",
    ])
      expect(of(name)).toMatchObject({ name, verdict: 'ok' });
    expect(of('portal')).toMatchObject({ code: 'portal-is-own', params: { portal: '24170001', by: 'pin' } });
    expect(of('daily requests')).toMatchObject({
      code: 'requests-left',
      params: { left: expect.any(Number), limit: 625_000, resetsAt: expect.any(String) },
    });
    expect(of('time zone')).toMatchObject({
      code: 'time-zone-differs',
      params: { hubSpot: 'America/New_York' },
    });
    expect(of('write scopes')).toMatchObject({ verdict: 'warn' });
    expect(of('webhook subscriptions')).toMatchObject({ code: 'subscriptions-not-checked', verdict: 'warn' });
    expect(checks.some(({ name }) => name.startsWith('clock of'))).toBe(true);
    expect(queued).toEqual([]);
  });

  it("names the subscriptions that the policy's rules need, and advises an upload of the app", async () => {
    const policy = {
      budgets: { perDay: 200 },
      whom: { contacts: [{ name: 'a', when: [{ property: 'lifecyclestage', is: 'customer' }] }] },
    };
    const file = join(standIns.path, 'ruled.mjs');
    await writeFile(file, `export default ${JSON.stringify(policy)};`);
    const { json } = await standIns.run(['--policy', file, 'doctor', '--json']);
    const { checks } = json() as unknown as { checks: Check[] };
    expect(checks.find(({ name }) => name === 'webhook subscriptions')).toMatchObject({
      code: 'subscriptions-needed',
      params: { needed: ['contact lifecyclestage'], lacking: ['contact lifecyclestage'] },
    });
  });

  it('tells that another installation was set up on the account, until setup runs here again', async () => {
    const path = '/crm/properties/2026-09/contacts/enrichment_status';
    const described = async () =>
      ((await standIns.hubSpot('GET', path)) as { description: string }).description;
    const ours = await described();
    expect(ours).toMatch(/ \[installation [0-9a-f]{12}\]$/);
    const others = ours.replace(/[0-9a-f]{12}/, '0123456789ab');
    await standIns.hubSpot('PATCH', path, { description: others });
    expect((await examine()).of('installations')).toMatchObject({
      code: 'another-installation',
      verdict: 'warn',
    });
    const markSeenBy = async (...words: string[]) =>
      (await standIns.run(['setup', '--json', ...words])).json()['mark'];
    expect(await markSeenBy('--dry-run')).toBe('other');
    expect(await described()).toBe(others);
    expect(await markSeenBy()).toBe('other');
    expect(await described()).toBe(ours);
    expect((await examine()).of('installations')).toMatchObject({ verdict: 'ok' });
    expect(await markSeenBy()).toBe('ours');
  });

  it.each([
    ['another secret', { clientSecret: 'another-secret' }],
    ['another address', { clientSecret: 'sandbox-client-secret', path: '/other' }],
  ])('tells that the webhook target has %s', async (_, wrong) => {
    receive = receiver(wrong);
    const { code, of } = await examine();
    expect(of('webhook target')).toMatchObject({ code: 'webhook-secret-differs', verdict: 'fail' });
    expect(code).toBe(1);
  });

  it.each([
    ['takes everything', 200, 'webhook-takes-forged', 'app-takes-forged'],
    ['is another server', 404, 'webhook-answered', 'app-answered'],
  ])('tells that what is at the webhook address %s', async (_, status, ofWebhook, ofApp) => {
    receive = async () => new Response('', { status });
    const { of } = await examine();
    expect(of('webhook target')).toMatchObject({ verdict: 'fail', code: ofWebhook, params: { status } });
    expect(of("app's card and action")).toMatchObject({ verdict: 'fail', code: ofApp });
  });

  it('warns of misses with unpublished texts, and names no person', async () => {
    expect((await examine()).of('texts of "no match"')?.verdict).toBe('ok');
    await standIns.setting({ faults: [{ kind: 'status', status: 404, times: 1 }] });
    await standIns.run(['lookup', 'email', 'jane.roe@unknown-firm.com', '--yes']);
    const { of, out } = await examine();
    expect(of('texts of "no match"')).toMatchObject({
      code: 'unknown-misses',
      params: { count: 1 },
    });
    expect(out).not.toContain('jane');
  });

  it('tells what of the policy the portal will not take', async () => {
    const objectType = 'company' as const;
    const rule = { objectType, propertyName: 'city', ruleType: 'MAX_LENGTH', ruleArguments: ['20'] };
    const fine = { ...rule, propertyName: 'fax_of_nobody' };
    const changed = {
      currency: 'JPY',
      lackedProperties: ['start_date', 'lifecyclestage'],
      valueRules: [rule, fine],
    };
    await standIns.hubSpot('PUT', '/_sandbox/settings', changed);
    const options = [{ label: 'Banking', value: 'BANKING', displayOrder: 0, hidden: false }];
    await standIns.hubSpot('PATCH', '/crm/properties/2026-09/companies/industry', { options });
    const { of } = await examine();
    expect(of('currency')).toMatchObject({
      code: 'currency-differs',
      params: { currency: 'JPY', notWritten: expect.arrayContaining(['total_money_raised (USD)']) },
    });
    expect(of('policy fields of contacts')).toMatchObject({
      code: 'weights-unknown',
      params: { properties: ['lifecyclestage'] },
    });
    await standIns.hubSpot('PUT', '/_sandbox/settings', { lackedProperties: ['start_date'] });
    expect((await examine()).of('policy fields of contacts')).toMatchObject({
      code: 'fields-without-effect',
      verdict: 'warn',
      params: { missing: ['start_date'] },
    });
    const dropped = join(standIns.path, 'dropped.mjs');
    const fields = { contacts: { start_date: { write: 'never' } } };
    await writeFile(dropped, `export default ${JSON.stringify({ budgets: { perDay: 200 }, fields })};`);
    const checked = (await standIns.run(['--policy', dropped, 'doctor', '--json'])).json();
    expect(checked['checks']).toContainEqual(
      expect.objectContaining({ name: 'policy fields of contacts', verdict: 'ok' }),
    );
    expect(of('choices of companies')).toMatchObject({
      code: 'choices-missing',
      params: { lacking: [{ property: 'industry' }] },
    });
    expect(of('choices of contacts')).toMatchObject({ verdict: 'ok' });
    expect(of('value rules of companies')).toMatchObject({
      code: 'value-rules',
      params: { rules: ['city MAX_LENGTH 20'] },
    });
    expect(of('value rules of contacts')).toMatchObject({ verdict: 'ok' });
    const back = { currency: 'USD', lackedProperties: [], valueRules: [] };
    await standIns.hubSpot('PUT', '/_sandbox/settings', back);
  });

  it('tells which scope is missing, and when little is left of the day', async () => {
    const path = '/account-info/2026-09/api-usage/daily/private-apps';
    const { results } = (await standIns.hubSpot('GET', path)) as { results: { currentUsage: number }[] };
    const daily = (results[0]?.currentUsage ?? 0) + 20;
    const scopes = ['oauth', 'crm.objects.companies.read'];
    await standIns.hubSpot('PUT', '/_sandbox/settings', { scopes, rateLimits: { daily } });
    const { of } = await examine();
    expect(of('scope crm.objects.contacts.read')).toMatchObject({ code: 'scope-missing', verdict: 'fail' });
    expect(of('scope crm.objects.companies.read')).toMatchObject({ verdict: 'ok' });
    expect(of('daily requests')).toMatchObject({ code: 'requests-scarce', verdict: 'warn' });
    const account = { scopes: scopes.slice(1), rateLimits: { daily: 9_999 } };
    await standIns.hubSpot('PUT', '/_sandbox/settings', account);
    const withoutAccount = await examine();
    expect(withoutAccount.of('HubSpot token')).toMatchObject({
      code: 'token-lacks-scope',
      params: { said: expect.stringContaining('oauth') },
    });
    expect(withoutAccount.of('scope crm.objects.contacts.read')).toMatchObject({ verdict: 'fail' });
    expect(withoutAccount.of('scope crm.objects.companies.read')).toMatchObject({ verdict: 'ok' });
    expect(withoutAccount.of('currency')).toMatchObject({ verdict: 'warn' });
  });

  it('tells of keys that are refused, and shows none', async () => {
    await standIns.hubSpot('PUT', '/_sandbox/settings', {
      accessToken: 'rotated',
      rateLimits: { daily: 9_999 },
    });
    await standIns.setting({ faults: [{ kind: 'status', status: 401, times: 1 }] });
    const { code, of, out } = await examine();
    expect(of('HubSpot token')).toMatchObject({
      code: 'token-refused',
      params: { key: 'HUBSPOT_ACCESS_TOKEN' },
    });
    const key = { key: 'DATA_SERVICE_API_KEY' };
    expect(of('data service key')).toMatchObject({ code: 'key-refused-by-stranger', params: key });
    expect(code).toBe(1);
    for (const secret of ['sandbox-token', 'sandbox-key', 'sandbox-client-secret'])
      expect(out).not.toContain(secret);
  });
});
