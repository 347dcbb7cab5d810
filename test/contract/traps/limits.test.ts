import { expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { contact, createFakeHubSpot } from '../../unit/shared/hubspot/fake-hubspot.ts';
import { contactsIn, openPortal } from './portal.ts';

const contacts = { objectType: 'contacts' } as const;
/** Of the stand-in's day, which begins at midnight in New York. */
const MIDNIGHT_MS = Date.UTC(2026, 10, 22, 5);

it('trap 26: a search goes past 10,000 results by id, at most four times a second', async () => {
  const hubspot = createFakeHubSpot(Array.from({ length: 10_050 }, (_, index) => contact(index + 1)));
  const startedMs = hubspot.clock.monotonic();
  const everything = { ...contacts, filterGroups: [], properties: [] };
  const found = await Array.fromAsync(hubspot.client().searchAll(everything));
  expect(new Set(found.map(({ id }) => id)).size).toBe(10_050);
  const seconds = (hubspot.clock.monotonic() - startedMs) / 1_000;
  expect((hubspot.requests.length - 1) / seconds).toBeLessThanOrEqual(4);
  expect(hubspot.bodies().every((body) => body.after === undefined)).toBe(true);
});

it('trap 33: bulk work leaves a tenth of the day’s requests to the customer’s other apps, live work a fiftieth', async () => {
  const rateLimits = { tenSecondly: 1_000, associationsTenSecondly: 100, searchSecondly: 5, daily: 100 };
  const portal = openPortal({ rateLimits });
  const client = portal.client();
  const left: Record<string, number | undefined> = {};
  for (let made = 0; made < 98; made += 1) {
    await client.listProperties('contacts');
    const remaining = client.dailyLimit()?.remaining;
    for (const urgency of ['bulk', 'live'] as const) {
      const untilMs = await client.pausedUntil(urgency);
      if (untilMs === undefined) continue;
      expect(untilMs).toBe(MIDNIGHT_MS);
      left[urgency] ??= remaining;
    }
  }
  expect(left).toEqual({ bulk: 9, live: 1 });
});

it('trap 34: a used-up day is not tried again before midnight, with or without a Retry-After', async () => {
  const faults = [
    { kind: 'status', status: 429, policyName: 'DAILY', rate: 1, times: 1, path: 'properties' },
  ] as const;
  const portal = openPortal({ faults });
  const client = portal.client();
  const untilMidnight = { code: 'HUBSPOT_DAILY_LIMIT', retryAfterMs: MIDNIGHT_MS - portal.clock.now() };
  await expect(client.listProperties('contacts')).rejects.toMatchObject(untilMidnight);
  const sent = portal.requests.length;
  await portal.clock.sleep(HOUR_MS);
  await expect(client.listProperties('contacts')).rejects.toMatchObject({ code: 'HUBSPOT_DAILY_LIMIT' });
  expect(portal.requests.length).toBe(sent);
  await portal.clock.sleep(MIDNIGHT_MS - portal.clock.now());
  expect((await client.listProperties('contacts')).length).toBeGreaterThan(10);
});

it('trap 35: processes that know nothing of each other all get through HubSpot’s limit', async () => {
  const rateLimits = { tenSecondly: 6, associationsTenSecondly: 6, searchSecondly: 5, daily: 100_000 };
  const portal = openPortal({ rateLimits });
  const ids = await contactsIn(portal, 4);
  const work = Array.from({ length: 4 }, async () => {
    const client = portal.client();
    let found = 0;
    for (let time = 0; time < 3; time += 1)
      found += (await client.readBatch({ ...contacts, ids, properties: [] })).found.length;
    return found;
  });
  expect(await Promise.all(work)).toEqual([12, 12, 12, 12]);
  // More than the twelve that were needed: HubSpot refused some, and nobody hammered.
  expect(portal.requests.length).toBeGreaterThan(12);
  expect(portal.requests.length).toBeLessThan(40);
});
