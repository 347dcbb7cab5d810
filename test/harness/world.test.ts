import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { profileUrlOf, somePerson } from './people.ts';
import { liveOn, verify } from './steps.ts';
import { createWorld } from './world.ts';

/** Everything that can be seen of a run with duplicates, faults and five workers. */
async function story(seed: number): Promise<string> {
  const world = await createWorld({
    seed,
    hubSpot: { duplicateRate: 0.5, outOfOrder: true, faults: [{ kind: 'status', status: 503, rate: 0.2 }] },
    dataService: { faults: [{ kind: 'reset-after', rate: 0.2 }] },
  });
  for (let index = 0; index < 8; index += 1)
    await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somePerson(world, index)) });
  await liveOn(world, { forMs: HOUR_MS });
  return JSON.stringify([world.logs, await world.ledger(), await world.states(), world.processes.reports]);
}

describe('a world', () => {
  it('takes the same course for the same seed, and another for another', async () => {
    const first = await story(5);
    expect(await story(5)).toBe(first);
    expect(await story(6)).not.toBe(first);
  });

  it('notices when the books do not agree with the bill', async () => {
    const world = await createWorld();
    const { networkSlug } = somePerson(world);
    const url = `https://data.example/api/v1/people/profile?network_url=https://linkedin.com/in/${networkSlug}`;
    const headers = { 'x-api-key': 'sandbox-key' };
    const answer = world.wire.send({ method: 'GET', url, headers, timeoutMs: 10_000 });
    expect((await answer).status).toBe(200);
    await expect(verify(world)).rejects.toThrow('charged 1, but posted 0');
  });
});
