import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { type RecordState, recordKind } from '#shared/records';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { contact, jobChanger, profileUrlOf } from '../harness/people.ts';
import { recall, sweeps } from '../harness/removals.ts';
import { refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const KEPT_DAYS = 100;
const RETENTION = {
  contacts: [
    { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }], days: KEPT_DAYS + 50 },
    { name: 'leads', days: KEPT_DAYS },
  ],
};
const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}) =>
  createWorld({ policy: { privacy: { retention: RETENTION }, ...more } });

async function enriched(world: World, more: Properties = {}): Promise<RecordName> {
  const record = await contact(world, 0, more);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

async function later(world: World, days: number): Promise<void> {
  await world.clock.sleep(days * DAY_MS);
  await sweeps(world);
}

async function storedAnswers(world: World, key = ''): Promise<number> {
  const item = (await world.items(questionKind).read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

const titleOf = async (world: World, record: RecordName) =>
  (await world.portal.properties(record))['jobtitle'];

async function endOf(world: World, record: RecordName): Promise<number | undefined> {
  const { identifiers = [] } = (await world.state(record)) ?? {};
  const [disclosure] = await world.services.forgetting.disclosures.of(identifiers);
  return disclosure?.endedAtMs;
}

const CUSTOMER = { lifecyclestage: 'customer' };

describe('of two records of a person, retention of the first', () => {
  it('leaves answer and disclosure record to the second, which ends them', async () => {
    const world = await keeping();
    const first = await enriched(world);
    const question = (await world.state(first))?.answeredQuestion;
    const second = await enriched(world, CUSTOMER);
    await later(world, KEPT_DAYS + 1);
    expect([await titleOf(world, first), await titleOf(world, second)]).toEqual([
      undefined,
      expect.any(String),
    ]);
    expect(await storedAnswers(world, question)).toBe(1);
    expect(await endOf(world, first)).toBeUndefined();
    await later(world, 50);
    expect(await titleOf(world, second)).toBeUndefined();
    expect(await storedAnswers(world, question)).toBe(0);
    expect(await endOf(world, first)).toBeGreaterThan(0);
  });

  it('leaves an answer that was paid for and waits to be written to the second', async () => {
    const world = await keeping();
    const first = await enriched(world);
    const second = await enriched(world, CUSTOMER);
    const question = (await world.state(first))?.answeredQuestion ?? '';
    const { obtainedAtMs: _, answeredQuestion: _q, ...state } = (await world.state(second)) as RecordState;
    const nowMs = world.clock.now();
    await put(world, {
      ...state,
      runsOpened: state.runsOpened + 1,
      run: {
        ...{ id: 'r', purpose: 'live', openedAtMs: nowMs, credits: 3, answeredQuestion: question },
      },
      waiting: { reason: 'crm-unavailable', untilMs: nowMs + 400 * DAY_MS },
    });
    await later(world, KEPT_DAYS + 1);
    expect(await titleOf(world, first)).toBeUndefined();
    expect(await storedAnswers(world, question)).toBe(1);
    expect(await endOf(world, first)).toBeUndefined();
  });

  it.each(['mergedInto', 'forgottenAtMs'] as const)('does not wait for one with %s', async (mark) => {
    const world = await keeping();
    const first = await enriched(world);
    const question = (await world.state(first))?.answeredQuestion;
    const state = (await world.state(await enriched(world, CUSTOMER))) as RecordState;
    await put(world, { ...state, ...(mark === 'mergedInto' ? { mergedInto: '999' } : { forgottenAtMs: 1 }) });
    await later(world, KEPT_DAYS + 1);
    expect(await storedAnswers(world, question)).toBe(0);
    expect(await endOf(world, first)).toBeGreaterThan(0);
  });
});

/** Stores a record as it might be. */
async function put(world: World, value: RecordState): Promise<void> {
  const key = recordKind.key(value);
  const expectedVersion = (await world.items(recordKind).read(key))?.version;
  await world.items(recordKind).write({ key, value, expectedVersion });
}

describe('values of a record that were obtained at different times', () => {
  async function changedJob() {
    const world = await createWorld();
    const person = jobChanger(world, { withinMs: 300 * DAY_MS });
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
    await settleDown(world);
    const toMs = world.clock.now();
    const before = await world.portal.properties(record);
    await world.clock.sleep(310 * DAY_MS);
    const fromMs = world.clock.now();
    await refreshAfter(world, 0);
    const after = await world.portal.properties(record);
    expect(after['jobtitle']).not.toBe(before['jobtitle']);
    return { world, record, toMs, fromMs, after };
  }

  it('are recalled by their own time: the later ones', async () => {
    const { world, record, fromMs, after } = await changedJob();
    await recall(world, { fromMs });
    const now = await world.portal.properties(record);
    expect([now['jobtitle'], now['lastname']]).toEqual([undefined, after['lastname']]);
    expect((await world.state(record))?.ownership['lastname']?.written).toHaveLength(1);
    expect((await world.state(record))?.ownership['jobtitle']?.written).toBeUndefined();
  });

  it('are recalled by their own time: the earlier ones', async () => {
    const { world, record, toMs, after } = await changedJob();
    await recall(world, { toMs });
    const now = await world.portal.properties(record);
    expect([now['jobtitle'], now['lastname']]).toEqual([after['jobtitle'], undefined]);
  });
});

it.each(['reset-before', 'reset-after'] as const)(
  'a blank of our own is nobody’s after a lost answer to the write: %s',
  async (kind) => {
    const world = await keeping({ whom: { contacts: [{ name: 'all', afterRetention: true }] } });
    const record = await enriched(world);
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await world.portal.change({ faults: [{ kind, rate: 1, path: 'batch/update', times: 1 }] });
    await sweeps(world);
    await world.portal.change({ faults: [] });
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
    expect((await world.state(record))?.ownership['jobtitle']).toBeUndefined();
    // No person asks: a blank that a person made would stay.
    await world.portal.edit(record, { phone: '+1 415 555 0100' });
    await settleDown(world);
    expect(await titleOf(world, record)).toBeDefined();
  },
);
