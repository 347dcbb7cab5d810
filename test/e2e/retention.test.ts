import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#inside/kernel/clock.ts';
import { answersOf } from '#inside/questions/stored-answers.ts';
import { questionKind } from '#inside/questions/stored-kinds.ts';
import { historyOf } from '#inside/records/history.ts';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { contact, profileUrlOf, somebody } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World, type WorldOptions } from '../builders/world.ts';

const KEPT_DAYS = 100;

const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}): Promise<World> =>
  createWorld({
    policy: { privacy: { retention: { contacts: [{ name: 'leads', days: KEPT_DAYS }] } }, ...more },
  });

async function enriched(world: World, index = 0): Promise<RecordName> {
  const record = await contact(world, index);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

async function sweep(world: World, times = 3): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    await settleDown(world);
  }
}

async function later(world: World, days: number): Promise<void> {
  await world.clock.sleep(days * DAY_MS);
  await sweep(world);
}

async function storedAnswers(world: World, key: string): Promise<number> {
  const item = (await world.stores.questions.read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

describe('the end of a retention rule', () => {
  it('empties what we wrote, purges answers and journal, and says why', async () => {
    const world = await keeping();
    const url = profileUrlOf(somebody(world));
    const record = await enriched(world);
    const question = (await world.state(record))?.answeredQuestion ?? '';
    const given = await world.portal.properties(record);
    expect(given['jobtitle']).toBeDefined();
    await later(world, KEPT_DAYS - 1);
    expect((await world.portal.properties(record))['jobtitle']).toBe(given['jobtitle']);
    expect(await storedAnswers(world, question)).toBe(1);
    await later(world, 2);
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({
      hs_linkedin_url: url,
      enrichment_status: 'skipped',
      enrichment_reason: 'Its values expired by the rule "leads" of the policy.',
    });
    for (const name of ['jobtitle', 'lastname', 'company', 'enrichment_source'])
      expect(after[name]).toBeUndefined();
    expect(await storedAnswers(world, question)).toBe(0);
    const state = await world.state(record);
    expect(state).toMatchObject({
      removal: { by: 'retention', rule: 'leads', isDone: true },
      outcome: { kind: 'skipped' },
      lastWritten: {},
    });
    expect(state?.staleAtMs ?? state?.answeredAtMs ?? state?.obtainedAtMs).toBeUndefined();
    const journal = state ? await historyOf(world.services, state) : [];
    expect(journal).toMatchObject([{ kind: 'removal' }]);
    const values = journal.flatMap(({ changes }) =>
      changes.map(({ before, after: value }) => before ?? value),
    );
    expect(values.filter((value) => value !== '')).toEqual([]);
    expect(journal[0]?.changes.map(({ property }) => property)).toContain('jobtitle');
  });

  it('leaves what a person wrote', async () => {
    const world = await keeping();
    const record = await enriched(world);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    await settleDown(world);
    await later(world, KEPT_DAYS + 1);
    const after = await world.portal.properties(record);
    expect(after['jobtitle']).toBe('Chief of Everything');
    expect(after['company']).toBeUndefined();
  });

  it('is not followed by another purchase, whoever asks', async () => {
    const world = await keeping();
    const record = await enriched(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    await world.portal.edit(record, { phone: '+1 415 555 0100' });
    await settleDown(world);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    await later(world, 400);
    await world.processes.refresh();
    await settleDown(world);
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('may be followed by one where a rule of whom says so, and then counts anew', async () => {
    const whom = { contacts: [{ name: 'all', afterRetention: true }] };
    const world = await keeping({ whom });
    const record = await enriched(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(world.charged()).toBeGreaterThan(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    expect((await world.state(record))?.removal).toBeUndefined();
    await later(world, KEPT_DAYS - 2);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    await later(world, 3);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });
});
