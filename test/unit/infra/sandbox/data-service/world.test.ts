import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { describe, expect, it } from 'vitest';
import { generateWorld, worldOf } from '../../../../../infra/sandbox/data-service/world/generate.ts';
import { createCaller, PEOPLE_PROFILE } from './caller.ts';

const SEED = 1;
const { people, companies } = worldOf(SEED);

describe('the world', () => {
  it('is the same in every process', () => {
    const again = generateWorld(SEED);
    expect(JSON.stringify(again.people.slice(0, 300))).toBe(JSON.stringify(people.slice(0, 300)));
    expect(again.people.at(-1)).toEqual(people.at(-1));
  });

  it('has other people and companies for another seed', () => {
    const emails = new Set(people.flatMap(({ job }) => job.email ?? []));
    const other = generateWorld(7);
    const common = other.people.filter(({ job }) => job.email !== undefined && emails.has(job.email));
    expect(common.length).toBeLessThan(people.length / 100);
  });

  it('is large enough, with every identifier unique', () => {
    expect(companies.length).toBeGreaterThanOrEqual(400);
    expect(people.length).toBeGreaterThanOrEqual(2_000);
    const unique = [
      people.map((one) => one.id),
      people.flatMap((one) => one.networkSlug ?? []),
      people.flatMap((one) => one.mobile ?? []),
      people.flatMap((one) => one.job.email ?? []),
      companies.flatMap((one) => one.domains),
      companies.map((one) => one.networkSlug),
    ];
    for (const values of unique) expect(new Set(values).size).toBe(values.length);
  });

  it('has only phones that are possible in their country, in North America those of fiction', () => {
    for (const { mobile, place } of people) {
      if (mobile === undefined) continue;
      expect(parsePhoneNumberFromString(mobile)?.isPossible()).toBe(true);
      if (['US', 'CA'].includes(place.countryCode)) expect(mobile).toMatch(/^\+1\d{3}55501\d\d$/);
    }
  });
});

it('GET /_sandbox/records gives what the profile operation gives with everything included', async () => {
  const { send, get } = createCaller();
  const { records } = (await send('/_sandbox/records?kind=person&limit=40&offset=3')).body;
  expect(records).toHaveLength(40);
  const [record] = records.filter((one: Record<string, string>) => one['network_url'] && one['email']);
  const options = { include_email: 'include', include_phone: 'include' };
  const { body } = await get(PEOPLE_PROFILE, { network_url: record.network_url, ...options });
  expect(body.data).toEqual(record);
});
