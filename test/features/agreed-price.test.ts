import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { cardOf } from '../harness/at-the-screen.ts';
import type { FusePlan } from '../harness/fuse.ts';
import { somePerson } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import { STRIDE } from '../harness/repeated.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const AGREED = 5;

/** A contact whom the data service does not know: by its profile for 4 credits, its email for 1, its name for 4. */
async function unknownContact() {
  const world = await createWorld({
    agedMs: DAY_MS,
    policy: { questions: { fallThrough: true, wantPhone: true } },
  });
  const domain = somePerson(world).job.email?.split('@')[1] ?? '';
  const record = await world.portal.create('contacts', {
    hs_linkedin_url: 'https://www.linkedin.com/in/zoe-quill-of-nowhere',
    email: `zoe.quill@${domain}`,
    firstname: 'Zoe',
    lastname: 'Quill',
    website: domain,
  });
  await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
  return { world, record };
}

/** Somebody reads in the vendor's own list what a request in doubt was charged. */
async function resolveDoubts(world: World): Promise<boolean> {
  const open = await world.services.ledger.openReservations();
  const { posted = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
  for (const { questionKey } of open) {
    const resolution = { questionKey, charged: world.charged() > posted, note: 'looked up' };
    await resolveDoubt(world.services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
  }
  return open.length > 0;
}

async function liveThrough(plans: readonly FusePlan[]) {
  const { world, record } = await unknownContact();
  const began = world.processes.fuses.length;
  for (const plan of plans) world.processes.planForNext(plan);
  await cardOf(world, record).post({ id: 'card-request-1', kind: 'enrich', maxCredits: AGREED });
  await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  const wasDoubtful = await resolveDoubts(world);
  if (wasDoubtful) await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  const struck = (world.processes.fuses[began]?.calls() ?? 0) >= (plans[0]?.at ?? 0);
  return { world, record, struck, wasDoubtful };
}

/** What each course comes to: nothing more is charged than was agreed to, and the card shows each credit. */
async function expectKept(at: number, course: Awaited<ReturnType<typeof liveThrough>>) {
  const { world, record } = course;
  const state = await world.state(record);
  const { view } = await cardOf(world, record).show();
  expect({ at, open: state?.run, charged: world.charged(), isKept: world.charged() <= AGREED }).toEqual({
    ...{ at, open: undefined, charged: expect.any(Number), isKept: true },
  });
  expect({ at, shown: view.creditsSpent }).toEqual({ at, shown: world.charged() });
  return world.charged();
}

const FATES = [
  { kind: 'death', effect: 'none' },
  { kind: 'death', effect: 'done' },
  { kind: 'error', effect: 'none' },
  { kind: 'error', effect: 'done' },
] as const;

describe('a price that a person agreed to on the card', () => {
  it('pays for the questions that it covers and for no more', async () => {
    const { world, record } = await liveThrough([]);
    expect(world.wire.questions()).toHaveLength(2);
    expect(world.charged()).toBe(AGREED);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', credits: AGREED });
  });

  it.each(FATES)('is kept by a run that is cut off at any one of its calls: %j', async (fate) => {
    const charges = new Set<number>();
    for (let at = 1; ; at += STRIDE) {
      const course = await liveThrough([{ ...fate, at }]);
      if (!course.struck) break;
      charges.add(await expectKept(at, course));
    }
    expect(Math.max(...charges)).toBe(AGREED);
  });

  it('is kept by a run that is cut off twice', async () => {
    for (let at = 20; ; at += 2 * STRIDE) {
      const course = await liveThrough([
        { kind: 'death', effect: 'done', at },
        { kind: 'death', effect: 'none', at },
      ]);
      if (!course.struck) break;
      await expectKept(at, course);
    }
  });
});
