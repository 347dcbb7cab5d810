import { describe, expect, it } from 'vitest';
import { LANES } from '#shared/crm';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { openStation, type Station } from './station.ts';

async function deadLettersAfter(station: Station, hours: number): Promise<number> {
  await station.live(30 * MINUTE_MS);
  station.disorder({ throttled: ['enrich-records'] });
  await station.live(hours * HOUR_MS);
  station.disorder({});
  await station.live(HOUR_MS);
  const { queues } = station.world;
  return LANES.flatMap((lane) => queues[lane].deadLetters()).length;
}

describe('a worker that Lambda throttles, while SQS counts each delivery', () => {
  it('loses no message in two hours, and then enriches every lead', async () => {
    const station = await openStation({ leadEveryMs: 10 * MINUTE_MS });
    expect(await deadLettersAfter(station, 2)).toBe(0);
    const states = await station.world.states();
    const contacts = states.filter(({ objectType }) => objectType === 'contacts');
    expect(contacts.length).toBeGreaterThan(15);
    expect(contacts.filter(({ outcome }) => !outcome)).toEqual([]);
  });

  it('leaves dead letters after four hours', async () => {
    const station = await openStation({ leadEveryMs: 10 * MINUTE_MS });
    expect(await deadLettersAfter(station, 4)).toBeGreaterThan(0);
  });
});
