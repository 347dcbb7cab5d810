import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { jobAt } from '../../../../../infra/sandbox/data-service/world/world.ts';
import {
  createCaller,
  EMPLOYEE_SEARCH,
  found,
  PEOPLE_PROFILE,
  REVERSE_EMAIL,
  REVERSE_PHONE,
  START_MS,
} from './caller.ts';

/** What the stand-in chose where the interface is silent; what the interface says is in `test/contract`. */
const { sandbox, get, clock } = createCaller();
const { people } = sandbox.world;
const complete = found(
  people.find(
    (one) =>
      one.networkSlug && one.mobile?.startsWith('+4477') && one.job.email && !one.nextJob && !one.isRemote,
  ),
);
const mobile = complete.mobile ?? '';
const national = mobile.slice(3);

describe('written forms', () => {
  it.each([
    (slug: string) => `http://linkedin.com/in/${slug}/`,
    (slug: string) => `linkedin.com/in/${slug.toUpperCase()}`,
    (slug: string) => `https://de.linkedin.com/in/${slug}?trk=x#top`,
    (slug: string) => `www.linkedin.com/in/${slug}/en`,
  ])('of an address %#', async (write) => {
    const { body } = await get(PEOPLE_PROFILE, { network_url: write(complete.networkSlug ?? '') });
    expect(body.data.id).toBe(complete.id);
  });

  it.each([` ${mobile.slice(1)}`, `(${national.slice(0, 4)}) ${national.slice(4)}`])(
    'of a phone: %j',
    async (phone) => {
      expect((await get(REVERSE_PHONE, { phone })).body.data?.id).toBe(complete.id);
    },
  );
});

it('time moves people on: the new job shows, the old one becomes history, the old address still finds them', async () => {
  const mover = found(
    people.find(
      ({ job, nextJob }) =>
        job.email && nextJob && nextJob.company !== job.company && nextJob.startMs > START_MS,
    ),
  );
  const profile = async () => (await get(REVERSE_EMAIL, { email: mover.job.email ?? '' })).body.data;
  expect((await profile()).organization_id).toBe(mover.job.company.id);
  await clock.advance(3_000 * DAY_MS);
  expect((await profile()).organization_id).toBe(mover.nextJob?.company.id);
  expect(jobAt(mover, clock.now())).toBe(mover.nextJob);
  const [company_domain = ''] = mover.nextJob?.company.domains ?? [];
  const { body } = await get(EMPLOYEE_SEARCH, { company_domain, limit: '100' });
  const employee = body.data.find((one: { id: string }) => one.id === mover.id);
  expect(employee.previous_companies[0].name).toBe(mover.job.company.name);
});
