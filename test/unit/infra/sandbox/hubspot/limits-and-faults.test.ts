import { expect, it } from 'vitest';
import { CONTACTS, openAccount } from './account.ts';

const PROPERTIES = '/crm/properties/2026-09/contacts';
const LIMITS = { tenSecondly: 3, associationsTenSecondly: 2, searchSecondly: 5, daily: 5 };

it('the door tells about the account', async () => {
  const account = openAccount({ settings: { portalId: 77 } });
  const details = await account.call('GET', '/account-info/2026-09/details');
  expect(details.body).toMatchObject({ portalId: 77, timeZone: 'America/New_York' });
  const usage = await account.call('GET', '/account-info/2026-09/api-usage/daily/private-apps');
  expect(usage.body.results).toMatchObject([
    { usageLimit: 625_000, currentUsage: 2, resetsAt: '2026-11-22T05:00:00.000Z' },
  ]);
});

it('rate limits count the day in the zone of the account', async () => {
  const account = openAccount({ settings: { rateLimits: { ...LIMITS, tenSecondly: 100 } } });
  for (let index = 0; index < 5; index += 1) expect((await account.call('GET', PROPERTIES)).status).toBe(200);
  const refused = await account.call('POST', `${CONTACTS}/search`, {});
  expect(refused.body).toMatchObject({ policyName: 'DAILY' });
  await account.clock.advance(17 * 3_600_000 - 1);
  expect((await account.call('GET', PROPERTIES)).status).toBe(429);
  await account.clock.advance(1);
  expect((await account.call('GET', PROPERTIES)).status).toBe(200);
});

it('a fault without a rate meets each request that fits, as often as it says', async () => {
  const faults = [{ kind: 'status', status: 401, path: '/properties/', times: 2 }] as const;
  const account = openAccount({ settings: { faults } });
  const statuses: number[] = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await account.call('GET', PROPERTIES)).status);
  expect(statuses).toEqual([401, 401, 200]);
});
