import { describe, expect, it } from 'vitest';
import { createHubSpotSandbox } from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { CONTACTS, create, openAccount } from './account.ts';

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
