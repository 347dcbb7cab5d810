import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkMessage } from '#shared/work-queue';
import { createHandler } from '../../../../functions/receive-webhook/handler.ts';
import { clockChecks } from '../../../../infra/local/doctor/own-checks.ts';
import { oneQueue } from '../../../builders/one-queue.ts';
import { createServer } from '../../../builders/server.ts';
import { createWorld, type World } from '../../../builders/world.ts';
import { STAND_IN_URLS, type StandIns, startStandIns } from './console.ts';

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

interface Check {
  readonly name: string;
  readonly verdict: string;
  readonly seen: string;
  readonly advice?: string;
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
    expect(of('properties of contacts')).toMatchObject({ verdict: 'fail', advice: 'run: setup' });
    expect(of('portal')?.seen).toBe('no account is set yet: the first start uses 24170001');
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
    expect(of('portal')?.seen).toBe('events of 24170001 alone, set at the first start');
    expect(of('daily requests')?.seen).toMatch(/^624,\d{3} of 625,000 left .* reset at 2/);
    expect(of('time zone')).toMatchObject({
      verdict: 'warn',
      advice: expect.stringContaining('America/New_York'),
    });
    expect(of('write scopes')).toMatchObject({ verdict: 'warn' });
    expect(of('webhook subscriptions')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('not checked'),
      advice: expect.stringContaining('contact.privacyDeletion'),
    });
    expect(checks.some(({ name }) => name.startsWith('clock of'))).toBe(true);
    expect((await standIns.run(['doctor'])).out).toMatch(/\nNo fault was found, but see \d+ warnings\.\n/);
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
      verdict: 'warn',
      seen: expect.stringMatching(
        /rules need changes of contact lifecyclestage; .* lacks contact lifecyclestage/,
      ),
      advice: expect.stringContaining('upload the app'),
    });
  });

  it('tells that another installation was set up on the account, until setup runs here again', async () => {
    const path = '/crm/properties/2026-09/contacts/enrichment_status';
    const described = async () =>
      ((await standIns.hubSpot('GET', path)) as { description: string }).description;
    const ours = await described();
    expect(ours).toMatch(/^How the last .+ ended\. \[installation [0-9a-f]{12}\]$/);
    const others = ours.replace(/[0-9a-f]{12}/, '0123456789ab');
    await standIns.hubSpot('PATCH', path, { description: others });
    expect((await examine()).of('installations')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('both buy and write the same records'),
      advice: expect.stringContaining('stop the other one'),
    });
    expect((await standIns.run(['setup', '--dry-run'])).err).toContain('WARNING: another installation');
    expect(await described()).toBe(others);
    expect((await standIns.run(['setup'])).err).toContain('WARNING: another installation');
    expect(await described()).toBe(ours);
    expect((await examine()).of('installations')).toMatchObject({ verdict: 'ok' });
    expect((await standIns.run(['setup'])).err).not.toContain('WARNING');
  });

  it.each([
    ['another secret', { clientSecret: 'another-secret' }, 'HUBSPOT_CLIENT_SECRET'],
    ['another address', { clientSecret: 'sandbox-client-secret', path: '/other' }, 'same public address'],
  ])('tells that the webhook target has %s', async (_, wrong, advice) => {
    receive = receiver(wrong);
    const { code, of } = await examine();
    expect(of('webhook target')).toMatchObject({ verdict: 'fail', advice: expect.stringContaining(advice) });
    expect(code).toBe(1);
  });

  it.each([
    ['takes everything', 200, 'instead of 401'],
    ['is another server', 404, 'answered 404'],
  ])('tells that what is at the webhook address %s', async (_, status, seen) => {
    receive = async () => new Response('', { status });
    const { of } = await examine();
    for (const name of ['webhook target', "app's card and action"])
      expect(of(name)).toMatchObject({ verdict: 'fail', seen: expect.stringContaining(seen) });
  });

  it('warns of misses with unpublished texts, and names no person', async () => {
    expect((await examine()).of('texts of "no match"')?.verdict).toBe('ok');
    await standIns.setting({ faults: [{ kind: 'status', status: 404, times: 1 }] });
    await standIns.run(['lookup', 'email', 'jane.roe@unknown-firm.com', '--yes']);
    const { of, out } = await examine();
    expect(of('texts of "no match"')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringMatching(/^1 or more/),
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
      verdict: 'warn',
      seen: expect.stringContaining('not written: total_money_raised (USD)'),
    });
    expect(of('policy fields of contacts')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('does not have: lifecyclestage'),
    });
    await standIns.hubSpot('PUT', '/_sandbox/settings', { lackedProperties: ['start_date'] });
    expect((await examine()).of('policy fields of contacts')).toMatchObject({
      verdict: 'ok',
      seen: expect.stringContaining('skipped default fields: not in the portal: start_date'),
    });
    expect(of('choices of companies')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('industry lacks'),
    });
    expect(of('choices of contacts')).toMatchObject({ verdict: 'ok' });
    expect(of('value rules of companies')).toMatchObject({ verdict: 'warn', seen: 'city MAX_LENGTH 20' });
    expect(of('value rules of contacts')).toMatchObject({ verdict: 'ok' });
    const back = { currency: 'USD', lackedProperties: [], valueRules: [] };
    await standIns.hubSpot('PUT', '/_sandbox/settings', back);
  });

  it('goes on after a request that fails, and names the scope that it lacks', async () => {
    const path = '/account-info/2026-09/details';
    const fault = { path, kind: 'status', status: 500, rate: 1 };
    await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [fault] });
    const failing = await examine();
    expect(failing.of('HubSpot token')).toMatchObject({ verdict: 'fail' });
    expect(failing.of('time zone')).toMatchObject({ verdict: 'warn' });
    await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
    expect(failing.of('properties of companies')).toMatchObject({ verdict: 'ok' });
  });

  it('tells which scope is missing, and when little is left of the day', async () => {
    const path = '/account-info/2026-09/api-usage/daily/private-apps';
    const { results } = (await standIns.hubSpot('GET', path)) as { results: { currentUsage: number }[] };
    const daily = (results[0]?.currentUsage ?? 0) + 20;
    const scopes = ['oauth', 'crm.objects.companies.read'];
    await standIns.hubSpot('PUT', '/_sandbox/settings', { scopes, rateLimits: { daily } });
    const { of } = await examine();
    expect(of('scope crm.objects.contacts.read')).toMatchObject({ verdict: 'fail' });
    expect(of('scope crm.objects.companies.read')).toMatchObject({ verdict: 'ok' });
    expect(of('daily requests')).toMatchObject({ verdict: 'warn' });
    const account = { scopes: scopes.slice(1), rateLimits: { daily: 9_999 } };
    await standIns.hubSpot('PUT', '/_sandbox/settings', account);
    const withoutAccount = await examine();
    expect(withoutAccount.of('HubSpot token')).toMatchObject({
      verdict: 'fail',
      seen: expect.stringContaining('lacks a scope that this request needs: oauth'),
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
    expect(of('HubSpot token')).toMatchObject({ advice: expect.stringContaining('HUBSPOT_ACCESS_TOKEN') });
    expect(of('data service key')).toMatchObject({ advice: expect.stringContaining('DATA_SERVICE_API_KEY') });
    expect(code).toBe(1);
    for (const secret of ['sandbox-token', 'sandbox-key', 'sandbox-client-secret'])
      expect(out).not.toContain(secret);
  });

  it.each([
    [0, 'ok'],
    [-20_000, 'warn'],
    [301_000, 'fail'],
  ])('holds a clock that is %d ms off to be %s', (offMs, verdict) => {
    const serverMs = 1_900_000_000_000;
    expect(clockChecks([{ host: 'a.example', serverMs, receivedAtMs: serverMs + offMs }])).toMatchObject([
      { verdict },
    ]);
  });
});
