import { describe, expect, it } from 'vitest';
import type { HomeView } from '#inside/home/schemas.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { HomeData } from '../../infra/hubspot-app/src/app/pages/home-service.ts';
import { verb } from '../harness/at-the-screen.ts';
import { WEBHOOK_URL } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** `hubspot.fetch` of a person at the app's home. */
async function home(world: World): Promise<HomeView | undefined> {
  const fetched = await verb<{ status: number; text: string }>(world, 'fetch', {
    url: `${WEBHOOK_URL}/home`,
  });
  expect(fetched.status).toBe(200);
  return JSON.parse(fetched.text).view;
}

/** The page's own type, which is written down in its folder, takes what the function returns. */
const drawn = (view: HomeView): HomeData => view;

async function swept(world: World): Promise<HomeView> {
  await settleDown(world);
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  const view = await home(world);
  if (!view) throw new Error('The sweep stored no home page.');
  return view;
}

describe("the app's home", () => {
  it('shows nothing before the first sweep', async () => {
    expect(await home(await createWorld())).toBeUndefined();
  });

  it('shows spend, budgets and the last charges with their records', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 100, perMonth: 1_000 } } });
    const record = await contact(world);
    const view = await swept(world);
    const { spend, activity, review, waiting } = view;
    expect(spend).toMatchObject({ todayCredits: 3, monthCredits: 3 });
    expect(spend.budgets).toMatchObject([
      { budget: 'total/day', limitCredits: 100, usedCredits: 3, leftCredits: 97 },
      { budget: 'total/month', limitCredits: 1_000, usedCredits: 3 },
    ]);
    expect(activity).toMatchObject([{ record: `contacts#${record.id}`, credits: 3, purpose: 'live' }]);
    expect([drawn(view).needs, review.items, waiting]).toEqual([[], [], []]);
  });

  it('lists a finding with its reason and since when, without a value', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    const view = await swept(world);
    expect(view.review).toMatchObject({
      items: [{ id: record.id, kind: 'contradiction', code: 'other-full-name' }],
      isMore: false,
    });
    expect(JSON.stringify(view)).not.toMatch(/Quux|Xanthippe/);
  });

  it('lists a stop with what happens if nobody acts, and who stopped spending', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review', by: 'sales operations' });
    const { needs, stopped } = await swept(world);
    expect(needs).toMatchObject([
      {
        ...{ kind: 'stop', code: 'stopped-by-person', ends: 'when-resumed', byPerson: true },
        what: expect.stringContaining('(sales operations)'),
      },
    ]);
    expect(stopped?.what).toContain('(sales operations)');
  });

  it('says of a used-up budget that nothing is bought before a person resumes spending', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
    await contact(world);
    await settleDown(world);
    await contact(world, 1);
    const byBudget = async () =>
      (await swept(world)).needs.find((need) => need.kind === 'stop' && need.code === 'budget-used-up');
    expect(await byBudget()).toMatchObject({ ends: 'by-itself', untilMs: expect.any(Number) });
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    expect(await byBudget()).toMatchObject({ ends: 'when-resumed' });
  });

  it('leaves a stop in the history after it has ended', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    await swept(world);
    await world.services.questions.breakers.resume();
    await swept(world);
    const today = dayOf(world.clock.now(), world.policy.timeZone);
    expect(await world.services.days.read([today])).toMatchObject([
      { day: today, stops: [{ kind: 'stopped-by-person' }] },
    ]);
  });

  it('says which records wait, why, and until when', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1 } } });
    await contact(world);
    const { waiting } = await swept(world);
    expect(waiting).toMatchObject([
      { purpose: 'live', records: 1, reason: 'queued', sentence: expect.stringContaining('21 Nov 2026') },
    ]);
  });

  it('lists at most 20 findings, and says that there are others', async () => {
    const world = await createWorld();
    for (let id = 1; id <= 25; id += 1)
      await world.services.reviews.looked({ objectType: 'contacts', id: String(id) }, [
        { kind: 'proposal', reason: { code: 'a-test' }, purpose: 'live' },
      ]);
    const { review } = await swept(world);
    expect([review.items.length, review.isMore]).toEqual([20, true]);
  });

  it('is made anew after five minutes, not with each sweep', async () => {
    const world = await createWorld();
    const { atMs } = await swept(world);
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    expect((await home(world))?.atMs).toBe(atMs);
    await world.clock.sleep(DAY_MS);
    await world.processes.reconcile();
    expect((await home(world))?.atMs).toBeGreaterThan(atMs);
  });
});

async function noticesDue(world: World): Promise<number | undefined> {
  return (await swept(world)).needs.find((need) => need.kind === 'notice')?.due;
}

describe('privacy notices on the home page', () => {
  it('are counted once an hour, and stay on the page while HubSpot fails', async () => {
    const world = await createWorld({ policy: { privacy: { notice: [{ name: 'all', days: 10 }] } } });
    const overdue = () => world.portal.create('contacts', { enrichment_notice_due: '2026-10-01' });
    await overdue();
    expect(await noticesDue(world)).toBe(1);
    await overdue();
    expect(await noticesDue(world)).toBe(1);
    await world.portal.change({ faults: [{ kind: 'status', status: 500, rate: 1 }] });
    await world.clock.sleep(2 * HOUR_MS);
    expect(await noticesDue(world)).toBe(1);
    await world.portal.change({ faults: [] });
    await world.clock.sleep(2 * HOUR_MS);
    expect(await noticesDue(world)).toBe(2);
  });
});
