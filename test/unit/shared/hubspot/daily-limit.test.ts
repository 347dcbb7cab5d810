import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { contact, createFakeHubSpot, rateLimited } from './fake-hubspot.ts';

const ask = { objectType: 'contacts', ids: ['1'], properties: ['jobtitle'] } as const;

function left(remaining: number, limit = 1_000) {
  const headers = {
    'x-hubspot-ratelimit-daily': String(limit),
    'x-hubspot-ratelimit-daily-remaining': String(remaining),
  };
  return { status: 200, body: { results: [] }, headers };
}

/** A client that has heard so much of the daily limit. */
async function heard(remaining: number, options = {}) {
  const hubspot = createFakeHubSpot([contact(1)]);
  const client = hubspot.client(options);
  hubspot.interruptions.push(left(remaining));
  await client.readBatch(ask);
  return { hubspot, client };
}

describe('the reserve for the customer’s other apps', () => {
  it('is nothing to go by before any answer told, and asks HubSpot nothing', async () => {
    const hubspot = createFakeHubSpot();
    expect(await hubspot.client().pausedUntil('bulk')).toBeUndefined();
    expect(hubspot.requests).toEqual([]);
  });

  it('is looked at again in an hour where the time zone cannot be had', async () => {
    const { client, hubspot } = await heard(5);
    hubspot.interruptions.push({ status: 403, body: {} });
    expect(await client.pausedUntil('bulk')).toBe(Date.UTC(2030, 0, 1, 13));
  });
});

describe('a daily limit that is used up', () => {
  it('is tried again after an hour where HubSpot refuses to tell the time zone too', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    const client = hubspot.client();
    hubspot.interruptions.push(rateLimited('DAILY'), rateLimited('DAILY'));
    await expect(client.readBatch(ask)).rejects.toMatchObject({ retryAfterMs: HOUR_MS });
    await hubspot.clock.sleep(HOUR_MS);
    expect((await client.readBatch(ask)).found.length).toBe(1);
  });

  it('leaves the reset to HubSpot where it names one', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    hubspot.interruptions.push({ ...rateLimited('DAILY'), headers: { 'retry-after': '90' } });
    await expect(hubspot.client().readBatch(ask)).rejects.toMatchObject({ retryAfterMs: 90_000 });
  });
});
