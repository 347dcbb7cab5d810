import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { isOutOfCredits } from '#shared/questions';
import { admitted, changeRecord } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const IMPORT = { source: 'IMPORT' };
const FORM = { source: 'FORM' };
const PER_DAY = 30;

/** Contacts that each cost a credit. */
async function contacts(world: World, range: { from: number; to: number }, by = {}): Promise<RecordName[]> {
  const made: RecordName[] = [];
  for (let index = range.from; index < range.to; index += 1) {
    const properties = { hs_linkedin_url: profileUrlOf(somePerson(world, index)) };
    made.push(await world.portal.create('contacts', properties, [], by));
  }
  return made;
}

async function enriched(world: World, records: readonly RecordName[]): Promise<number> {
  const states = await Promise.all(records.map((record) => world.state(record)));
  return states.filter((state) => state?.outcome?.kind === 'enriched').length;
}

async function reasons(world: World): Promise<string[]> {
  return (await world.states()).flatMap(({ waiting }) => waiting?.reason ?? []);
}

const cheap = (perDay: number) => ({
  budgets: { perDay },
  timeZone: 'UTC',
  questions: { wantEmail: false },
});

const untilMidnight = (world: World) => DAY_MS - (world.clock.now() % DAY_MS);

describe('busy days of leads', () => {
  it('leave an import most credits of later days, and leads are served at once from their reserve', async () => {
    const world = await createWorld({ policy: cheap(PER_DAY), seed: 7 });
    const sweep = { everyMs: 30 * MINUTE_MS };
    let next = 0;
    const some = (count: number, by: object) => {
      next += count;
      return contacts(world, { from: next - count, to: next }, by);
    };
    for (let day = 0; day < 2; day += 1) {
      const leads = await some(PER_DAY, FORM);
      await liveOn(world, { forMs: untilMidnight(world), everyMs: 2 * HOUR_MS });
      expect(await enriched(world, leads)).toBe(PER_DAY);
    }
    await some(4 * PER_DAY, IMPORT);
    for (let day = 0; day < 2; day += 1) {
      await liveOn(world, { forMs: 12 * HOUR_MS, ...sweep });
      const reserve = PER_DAY / 2;
      const lead = await some(day === 0 ? reserve : 2, FORM);
      const beganMs = world.clock.now();
      await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
      expect(await enriched(world, lead)).toBe(lead.length);
      expect(world.clock.now() - beganMs).toBeLessThan(5 * MINUTE_MS);
      // The reserve is released a little at a time: the last two hours are swept as often as in operation.
      await liveOn(world, { forMs: untilMidnight(world) - 2 * HOUR_MS, ...sweep });
      await liveOn(world, { forMs: untilMidnight(world) - 2 * MINUTE_MS });
      const [{ leftCredits = PER_DAY } = {}] = (await world.services.ledger.now()).states();
      expect(leftCredits).toBeLessThanOrEqual(PER_DAY / 10);
      await liveOn(world, { forMs: 3 * MINUTE_MS, everyMs: MINUTE_MS });
    }
  }, 120_000);
});

describe('an imported record whose answer is stored', () => {
  it('is enriched when the budget is used up, however many records wait', async () => {
    const world = await createWorld({ policy: cheap(1) });
    const [known] = await contacts(world, { from: 0, to: 1 });
    await settleDown(world);
    await contacts(world, { from: 1, to: 120 }, IMPORT);
    const twins = await contacts(world, { from: 0, to: 1 }, IMPORT);
    await contacts(world, { from: 120, to: 240 }, IMPORT);
    await liveOn(world, { forMs: 15 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(known && (await world.state(known))?.outcome?.kind).toBe('enriched');
    expect(await enriched(world, twins)).toBe(1);
    expect(world.charged()).toBe(1);
  }, 60_000);
});

describe('a record that a person admits', () => {
  const admit = async (world: World, record: RecordName) =>
    changeRecord({ ...world.services, clock: world.clock }, record, (state) => ({
      state: admitted(state, world.clock.now()),
    }));

  it('starts alone in spite of the reserve for leads, and never beyond the budget', async () => {
    const world = await createWorld({ policy: cheap(5) });
    const file = await contacts(world, { from: 0, to: 8 }, IMPORT);
    const sweep = { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS };
    await liveOn(world, sweep);
    expect(await enriched(world, file)).toBe(4);
    const left = [];
    for (const record of file) if (!(await world.state(record))?.outcome) left.push(record);
    expect((await world.state(left[0] ?? { objectType: 'contacts', id: '' }))?.waiting).toMatchObject({
      ...{ reason: 'budget', detail: expect.stringMatching(/ 5 .* 1 /) },
    });
    for (const record of left.slice(0, 2)) await admit(world, record);
    await liveOn(world, sweep);
    expect(await enriched(world, left.slice(0, 2))).toBe(1);
    expect(await enriched(world, left.slice(2))).toBe(0);
    expect(world.charged()).toBe(5);
    await liveOn(world, { forMs: 13 * HOUR_MS, everyMs: 30 * MINUTE_MS });
    expect(await enriched(world, left.slice(0, 2))).toBe(2);
    expect((await world.states()).some(({ run, outcome }) => outcome && run?.overrulesReserve)).toBe(false);
  });
});

describe('a record that waits goes on within five minutes after the end of its cause', () => {
  const afterwards = { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS };

  it('a budget that was raised', async () => {
    const world = await createWorld({ policy: cheap(1) });
    const made = await contacts(world, { from: 0, to: 4 });
    await settleDown(world);
    expect(await reasons(world)).toEqual(['budget', 'budget', 'budget']);
    world.changeBudgets({ perDay: 100 });
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(4);
  });

  it('a budget that was raised for a run whose time was midnight', async () => {
    const world = await createWorld({ policy: cheap(1) });
    const made = await contacts(world, { from: 0, to: 2 });
    await settleDown(world);
    for (const record of made)
      await changeRecord({ ...world.services, clock: world.clock }, record, (state) => ({
        state: admitted(state, world.clock.now()),
      }));
    await liveOn(world, afterwards);
    expect(await reasons(world)).toEqual(['budget']);
    world.changeBudgets({ perDay: 100 });
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(2);
  });

  it('the day of a budget', async () => {
    const world = await createWorld({ policy: cheap(1) });
    const made = await contacts(world, { from: 0, to: 2 });
    await liveOn(world, { forMs: untilMidnight(world) - MINUTE_MS, everyMs: HOUR_MS });
    const toMidnight = untilMidnight(world) % DAY_MS;
    await world.clock.sleep(toMidnight);
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(2);
  });

  it('a refused key, by a new one', async () => {
    const world = await createWorld();
    world.changeKey('revoked-key');
    const made = await contacts(world, { from: 0, to: 12 });
    await liveOn(world, { forMs: 3 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(new Set(await reasons(world))).toEqual(new Set(['key-refused']));
    world.changeKey('sandbox-key');
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(12);
  });

  it.each([
    { kind: 'status', status: 401, rate: 1 },
    { kind: 'status', status: 477, retryAfterS: 7_200, rate: 1 },
    { kind: 'reset-before', rate: 1 },
  ] as const)('an unreachable HubSpot: %j', async (fault) => {
    const world = await createWorld();
    const made = await contacts(world, { from: 0, to: 6 });
    await world.portal.change({ faults: [fault] });
    await liveOn(world, { forMs: 6 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await reasons(world)).length).toBe(6);
    await world.portal.change({ faults: [] });
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(6);
  });

  it('a vendor whose answers were lost, for all records that wait for it', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'status', status: 500 }] });
    await contacts(world, { from: 0, to: 4 });
    await settleDown(world);
    const made = await contacts(world, { from: 4, to: 9 });
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await reasons(world)).filter((reason) => reason === 'too-many-doubts').length).toBeGreaterThan(4);
    await world.changeService({ faults: [] });
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(5);
  });

  it("a vendor's balance that was refilled, with no grant booked", async () => {
    const world = await createWorld();
    await world.changeService({ creditBalance: 0 });
    const made = await contacts(world, { from: 0, to: 6 });
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(new Set(await reasons(world))).toEqual(new Set(['out-of-credits']));
    await world.changeService({ creditBalance: 1_000 });
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(6);
  });

  it('a balance that was refilled and booked, with nothing told of it meanwhile', async () => {
    const world = await createWorld();
    await world.changeService({ creditBalance: 0 });
    const made = await contacts(world, { from: 0, to: 6 });
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    await world.changeService({ creditBalance: 1_000 });
    const { breakers } = world.services.questions;
    await breakers.creditsBooked();
    expect(isOutOfCredits(await breakers.read(), world.clock.now())).toBe(false);
    await liveOn(world, { forMs: 4 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await enriched(world, made)).toBe(6);
  });

  it('a stop by a person that another person lifted', async () => {
    const world = await createWorld();
    const { breakers } = world.services.questions;
    await breakers.stop({ reason: 'budget review' });
    const made = await contacts(world, { from: 0, to: 4 });
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    await breakers.resume();
    await liveOn(world, { forMs: 2 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await enriched(world, made)).toBe(4);
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS])('a wrong clock: %d ms ahead', async (skewMs) => {
    const world = await createWorld();
    world.processes.skew([skewMs]);
    const made = await contacts(world, { from: 0, to: 3 });
    await liveOn(world, { forMs: 6 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await enriched(world, made)).toBe(0);
    world.processes.skew([]);
    await liveOn(world, afterwards);
    expect(await enriched(world, made)).toBe(3);
  });
});
