import { describe, expect, it } from 'vitest';
import { ConnectionReset } from '../../../../../infra/sandbox/connection-reset.ts';
import { createHubSpotSandbox } from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { COMPANIES, CONTACTS, create, openAccount, settled } from './account.ts';

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
