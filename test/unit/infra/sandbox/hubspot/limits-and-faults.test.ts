import { describe, expect, it } from 'vitest';
import { ConnectionReset } from '../../../../../infra/sandbox/connection-reset.ts';
import { createHubSpotSandbox } from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { born, COMPANIES, CONTACTS, create, openAccount, settled, update } from './account.ts';

const LIMITS = { tenSecondly: 3, associationsTenSecondly: 2, searchSecondly: 5, daily: 5 };

describe('the door', () => {
  it('wants the token, and says so with a correlation id', async () => {
    const sandbox = createHubSpotSandbox({ clock: createManualClock({ startMs: 0 }) });
    for (const headers of [{}, { authorization: 'Bearer other' }]) {
      const answer = await sandbox.handle(new Request(`https://api.hubapi.com${CONTACTS}`, { headers }));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        status: 'error',
        category: 'INVALID_AUTHENTICATION',
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
  });

  it('wants the scope of the type and names it', async () => {
    const account = openAccount({ settings: { scopes: ['crm.objects.contacts.read'] } });
    expect((await account.call('GET', CONTACTS)).status).toBe(200);
    const refused = await create(account, CONTACTS, {});
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      category: 'MISSING_SCOPES',
      errors: [{ context: { requiredGranularScopes: ['crm.objects.contacts.write'] } }],
    });
    expect((await account.call('POST', '/crm/properties/2026-09/contacts', {})).status).toBe(403);
    for (const path of ['details', 'api-usage/daily/private-apps'])
      expect(await account.call('GET', `/account-info/2026-09/${path}`)).toMatchObject({
        status: 403,
        body: { errors: [{ context: { requiredGranularScopes: ['oauth'] } }] },
      });
  });

  it('knows wrong addresses, methods, types and bodies', async () => {
    const account = openAccount();
    expect((await account.call('GET', '/crm/objects/2030-01/contacts')).status).toBe(404);
    expect((await account.call('PUT', CONTACTS, {})).status).toBe(405);
    expect((await account.call('GET', '/crm/properties/2026-09/contacts/%zz')).status).toBe(404);
    expect((await account.call('GET', '/crm/v3/objects/constructor')).status).toBe(400);
    expect((await account.call('GET', '/crm/v3/objects/deals')).status).toBe(400);
    const init = { method: 'POST', body: '{', headers: { authorization: 'Bearer sandbox-token' } };
    const url = `https://api.hubapi.com${CONTACTS}/search`;
    const broken = await account.sandbox.handle(new Request(url, init));
    expect(broken.status).toBe(400);
  });

  it('tells about the account', async () => {
    const account = openAccount({ settings: { portalId: 77 } });
    const details = await account.call('GET', '/account-info/2026-09/details');
    expect(details.body).toMatchObject({ portalId: 77, timeZone: 'America/New_York', utcOffset: '-05:00' });
    expect(details.body).toMatchObject({ utcOffsetMilliseconds: -5 * 3_600_000 });
    const usage = await account.call('GET', '/account-info/v3/api-usage/daily/private-apps');
    expect(usage.body.results).toMatchObject([
      { usageLimit: 625_000, currentUsage: 2, resetsAt: '2026-11-22T05:00:00.000Z' },
    ]);
  });
});

describe('rate limits', () => {
  it('count any ten seconds, show what is left, and refuse by name', async () => {
    const account = openAccount({ settings: { rateLimits: { ...LIMITS, daily: 100 } } });
    const remaining = async () => {
      const { headers } = await account.call('GET', CONTACTS);
      return ['Max', 'Remaining', 'Interval-Milliseconds', 'Daily', 'Daily-Remaining'].map((name) =>
        headers.get(`X-HubSpot-RateLimit-${name}`),
      );
    };
    expect(await remaining()).toEqual(['3', '2', '10000', '100', '99']);
    await account.clock.advance(5_000);
    await remaining();
    expect(await remaining()).toEqual(['3', '0', '10000', '100', '97']);
    const refused = await account.call('GET', CONTACTS);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      status: 'error',
      message: expect.any(String),
      errorType: 'RATE_LIMIT',
      policyName: 'TEN_SECONDLY_ROLLING',
      correlationId: expect.any(String),
    });
    await account.clock.advance(5_000);
    expect((await account.call('GET', CONTACTS)).status).toBe(200);
    expect((await account.call('GET', CONTACTS)).status).toBe(429);
  });

  it('count the day in the zone of the account', async () => {
    const account = openAccount({ settings: { rateLimits: { ...LIMITS, tenSecondly: 100 } } });
    for (let index = 0; index < 5; index += 1) expect((await account.call('GET', CONTACTS)).status).toBe(200);
    const refused = await account.call('POST', `${CONTACTS}/search`, {});
    expect(refused.body).toMatchObject({ policyName: 'DAILY' });
    await account.clock.advance(17 * 3_600_000 - 1);
    expect((await account.call('GET', CONTACTS)).status).toBe(429);
    await account.clock.advance(1);
    expect((await account.call('GET', CONTACTS)).status).toBe(200);
  });

  it('count associations apart, and what the sandbox itself is asked not at all', async () => {
    const account = openAccount({ settings: { rateLimits: { ...LIMITS, daily: 100 } } });
    const contact = await born(account, 'contact', {});
    const companies = () => account.call('GET', `/crm/v4/objects/contacts/${contact}/associations/companies`);
    expect([(await companies()).status, (await companies()).status, (await companies()).status]).toEqual([
      200, 200, 429,
    ]);
    expect((await account.call('GET', CONTACTS)).headers.get('X-HubSpot-RateLimit-Remaining')).toBe('2');
  });
});

describe('faults', () => {
  it('answer with a status, as often as told', async () => {
    const faults = [
      { path: 'contacts', method: 'GET', kind: 'status', status: 503, rate: 1, times: 2 },
    ] as const;
    const account = openAccount({ settings: { faults } });
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await account.call('GET', CONTACTS)).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect((await account.call('GET', COMPANIES)).status).toBe(200);
  });

  it('can be bare, can say when to come back, and can be a limit', async () => {
    const account = openAccount({
      settings: { faults: [{ kind: 'status', status: 503, bare: true, rate: 1 }] },
    });
    const bare = await account.call('GET', CONTACTS);
    expect([bare.status, bare.headers.get('content-type'), bare.body]).toEqual([503, null, undefined]);
    await account.settings({ faults: [{ kind: 'status', status: 477, retryAfterS: 30, rate: 1 }] });
    expect((await account.call('GET', CONTACTS)).headers.get('retry-after')).toBe('30');
    await account.settings({ faults: [{ kind: 'status', status: 429, policyName: 'DAILY', rate: 1 }] });
    expect((await account.call('GET', CONTACTS)).body).toMatchObject({
      errorType: 'RATE_LIMIT',
      policyName: 'DAILY',
    });
  });

  it('strike the share of requests that the rate says', async () => {
    const rateLimits = { ...LIMITS, tenSecondly: 1e6, daily: 1e6 };
    const account = openAccount({ settings: { rateLimits, faults: [{ kind: 'status', rate: 0.25 }] } });
    let struck = 0;
    for (let index = 0; index < 400; index += 1)
      if ((await account.call('GET', CONTACTS)).status === 500) struck += 1;
    expect(struck).toBeGreaterThan(70);
    expect(struck).toBeLessThan(130);
  });

  it('fail one record of a batch and spare the others', async () => {
    const account = openAccount();
    const ids = [await born(account, 'company', {}), await born(account, 'company', {})];
    await account.settings({ faults: [{ recordId: ids[1] ?? '', kind: 'status', status: 400, rate: 1 }] });
    const inputs = ids.map((id, index) => ({
      id,
      properties: { city: 'Ulm' },
      objectWriteTraceId: `t${index}`,
    }));
    const update = await account.call('POST', `${COMPANIES}/batch/update`, { inputs });
    expect(update.status).toBe(207);
    expect(update.body.results.map((one) => one.id)).toEqual([ids[0]]);
    expect(update.body.errors).toMatchObject([
      { category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['t1'], ids: [ids[1]] } },
    ]);
    const read = await account.call('POST', `${COMPANIES}/batch/read`, { properties: [], inputs });
    expect(read.body.results.map((one) => one.id)).toEqual([ids[0]]);
  });

  it('reset the connection before or after the work', async () => {
    const account = openAccount();
    const count = async () => (await account.call('GET', CONTACTS)).body.results.length;
    await account.settings({ faults: [{ path: 'batch/create', kind: 'reset-before', rate: 1 }] });
    await expect(create(account, CONTACTS, {})).rejects.toMatchObject({
      name: 'ConnectionReset',
      afterWork: false,
    });
    expect(await count()).toBe(0);
    await account.settings({ faults: [{ path: 'batch/create', kind: 'reset-after', rate: 1 }] });
    await expect(create(account, CONTACTS, {})).rejects.toBeInstanceOf(ConnectionReset);
    expect(await count()).toBe(1);
  });

  it('hang until the client gives up, or answer late', async () => {
    const account = openAccount({ settings: { faults: [{ kind: 'hang', rate: 1 }] } });
    const headers = { authorization: 'Bearer sandbox-token' };
    const stop = new AbortController();
    const request = new Request(`https://api.hubapi.com${CONTACTS}`, { headers, signal: stop.signal });
    const hanging = account.sandbox.handle(request);
    stop.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await account.settings({ faults: [{ kind: 'slow', delayMs: 3_000, rate: 1 }] });
    const slow = account.call('GET', CONTACTS);
    await settled();
    await account.clock.advance(2_999);
    const early = await Promise.race([slow, settled().then(() => 'nothing yet')]);
    expect(early).toBe('nothing yet');
    await account.clock.advance(1);
    expect((await slow).status).toBe(200);
  });
});

describe('the books', () => {
  it('count requests by address and status, and the writes of the app', async () => {
    const account = openAccount();
    const id = await born(account, 'company', { name: 'Acme' });
    await update(account, COMPANIES, id, { city: 'Ulm', country: 'Germany' });
    await update(account, COMPANIES, id, { industry: 'nonsense' });
    await account.call('GET', COMPANIES);
    const answer = await account.sandbox.handle(new Request('http://localhost/_sandbox/requests'));
    const path = '/crm/objects/{version}/{objectType}';
    expect(await answer.json()).toEqual({
      total: 3,
      requests: [
        { method: 'POST', path: `${path}/batch/update`, status: 200, count: 1 },
        { method: 'POST', path: `${path}/batch/update`, status: 400, count: 1 },
        { method: 'GET', path, status: 200, count: 1 },
      ],
      recordWrites: 1,
      propertyWrites: 2,
      webhooks: { delivered: 0, failedAttempts: 0, dropped: 0, pending: 1 },
    });
  });

  it('list what exists, by kind', async () => {
    const account = openAccount();
    await born(account, 'contact', { firstname: 'Ada' });
    await born(account, 'company', { name: 'Acme' });
    await born(account, 'company', { name: 'Other' });
    const answer = await account.call('GET', '/_sandbox/records?kind=company&limit=1');
    expect(answer.body.records).toMatchObject([{ objectType: 'company', properties: { name: 'Acme' } }]);
    expect((await account.call('GET', '/_sandbox/records')).body.records).toHaveLength(3);
  });

  it('are emptied by a reset, which brings the first settings back', async () => {
    const account = openAccount({ settings: { portalId: 77 } });
    await born(account, 'contact', {});
    await account.settings({ portalId: 78, latencyMs: 5 });
    expect((await account.person('reset', undefined)).status).toBe(204);
    expect((await account.call('GET', '/_sandbox/records')).body.records).toEqual([]);
    const settings = await account.call('GET', '/_sandbox/settings');
    expect(settings.body).toMatchObject({ portalId: 77, latencyMs: 0 });
  });

  it('merge settings and refuse unknown or ill-typed ones', async () => {
    const account = openAccount();
    const merged = await account.call('PUT', '/_sandbox/settings', { rateLimits: { daily: 9 } });
    expect(merged.body).toMatchObject({ rateLimits: { daily: 9, tenSecondly: 190 } });
    for (const patch of [{ nonsense: 1 }, { latencyMs: '5' }, { faults: {} }, { webhookUrl: 5 }]) {
      expect((await account.call('PUT', '/_sandbox/settings', patch)).status).toBe(400);
    }
  });
});
