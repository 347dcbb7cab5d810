import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { historyOf } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { recall, sweeps } from '../harness/removals.ts';
import { refreshAfter, settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const RETENTION = { contacts: [{ name: 'leads', days: 100 }] };
const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}) =>
  createWorld({
    policy: { freshness: { contactsDays: 40 }, privacy: { retention: RETENTION }, ...more },
  });

async function enriched(world: World, index = 0): Promise<RecordName> {
  const record = await contact(world, index);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

async function disclosureOf(world: World, record: RecordName) {
  const { identifiers = [] } = (await world.state(record)) ?? {};
  return (await world.services.forgetting.disclosures.of(identifiers))[0];
}

/** A record whose refresh found the same values, and was recalled. */
async function refreshRecalled() {
  const world = await keeping();
  const record = await enriched(world);
  const given = await world.portal.properties(record);
  const before = await world.state(record);
  await world.clock.sleep(41 * DAY_MS);
  const fromMs = world.clock.now();
  await refreshAfter(world, 0);
  expect((await world.state(record))?.answeredAtMs).toBeGreaterThanOrEqual(fromMs);
  const report = await recall(world, { fromMs });
  expect(report).toMatchObject({ records: 1, open: [] });
  return { world, record, given, before };
}

describe('a recall of the newest answer', () => {
  it('leaves older values, and what is known of them', async () => {
    const { world, record, given, before } = await refreshRecalled();
    const now = await world.portal.properties(record);
    for (const name of ['jobtitle', 'company', 'enrichment_first_at', 'enrichment_source'])
      expect([name, now[name]]).toEqual([name, given[name]]);
    expect(now['enrichment_next_check_at']).toBeUndefined();
    const state = await world.state(record);
    expect(state?.ownership['jobtitle']).toEqual(before?.ownership['jobtitle']);
    expect(state).toMatchObject({
      obtainedAtMs: before?.obtainedAtMs,
      outcome: { kind: 'unchanged' },
      removal: { by: 'recall', isDone: true },
    });
    expect(state?.answeredAtMs).toBeUndefined();
    expect((await disclosureOf(world, record))?.endedAtMs).toBeUndefined();
  });

  it('leaves the older entries of the journal, so that the older values can be undone', async () => {
    const { world, record } = await refreshRecalled();
    const state = await world.state(record);
    const kinds = (state ? await historyOf(world.services, state) : []).map(({ kind }) => kind);
    expect(kinds[0]).toBe('enrichment');
    expect(await undo(world, record)).toMatchObject({
      restored: expect.arrayContaining([expect.objectContaining({ property: 'jobtitle', to: null })]),
    });
  });

  it('leaves older values to retention', async () => {
    const { world, record } = await refreshRecalled();
    await world.clock.sleep(61 * DAY_MS);
    await sweeps(world);
    const now = await world.portal.properties(record);
    expect([now['jobtitle'], now['company']]).toEqual([undefined, undefined]);
    const ended = await disclosureOf(world, record);
    expect(ended?.endedAtMs).toBeGreaterThan(0);
  });
});

it('a recall of an older answer leaves the newest, and ends as unchanged', async () => {
  const world = await keeping();
  const record = await enriched(world);
  const toMs = world.clock.now();
  await refreshAfter(world, 41 * DAY_MS);
  const before = await world.state(record);
  await recall(world, { toMs });
  const state = await world.state(record);
  expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  expect(state?.outcome?.kind).toBe('unchanged');
  expect(state).toMatchObject({ answeredAtMs: before?.answeredAtMs, staleAtMs: before?.staleAtMs });
  expect(state?.removal).toBeUndefined();
  expect((await disclosureOf(world, record))?.endedAtMs).toBeUndefined();
});

describe('a removal that has begun', () => {
  const refusing = (world: World, isOn: boolean) =>
    world.portal.change({
      faults: isOn ? [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] : [],
    });

  it('goes on for the record into which its record is merged', async () => {
    const world = await keeping();
    const early = await contact(world, 0, { jobtitle: 'Chief of Everything' });
    await settleDown(world);
    await world.clock.sleep(10 * DAY_MS);
    const fromMs = world.clock.now();
    const bad = await enriched(world, 1);
    const recalled = await world.portal.properties(bad);
    const toMs = world.clock.now();
    await refusing(world, true);
    expect((await recall(world, { fromMs, toMs })).open).toHaveLength(1);
    expect((await world.state(bad))?.removal?.isDone).toBeUndefined();
    const winner = await world.portal.merge(early, bad);
    await settleDown(world);
    await refusing(world, false);
    await world.clock.sleep(DAY_MS);
    await sweeps(world);
    await world.clock.sleep(DAY_MS);
    await sweeps(world);
    const now = await world.portal.properties(winner);
    const ours = ['company', 'city', 'lastname', 'website', 'state'].filter((name) => recalled[name]);
    expect(ours.filter((name) => now[name] === recalled[name])).toEqual([]);
    expect(now['jobtitle']).toBe('Chief of Everything');
    const removal = (await world.state(winner))?.removal;
    expect(removal === undefined || removal.isDone).toBe(true);
  });
});

const SHARED = {
  fields: { companies: { web_technologies: { write: 'always' } } },
  questions: { companies: { technology: true } },
} as const;

/** A company whose technologies a person chose in part, and we in part. */
async function sharedChoices(also: { readonly privacy?: object } = {}) {
  const world = await createWorld({ policy: { ...SHARED, ...also } });
  for (let index = 0; index < 20; index += 1) {
    const domain = someCompany(world, index).domains[0] ?? '';
    const firm = await world.portal.create('companies', { domain, web_technologies: 'drupal' });
    await settleDown(world);
    const { web_technologies: held = '' } = await world.portal.properties(firm);
    if (held?.includes(';')) return { world, firm };
  }
  throw new Error('No company has a technology that HubSpot knows.');
}

describe('a property of several choices', () => {
  const heldBy = async (world: World, firm: RecordName) =>
    (await world.portal.properties(firm))['web_technologies'];

  it('loses our choices, and keeps those of a person', async () => {
    const { world, firm } = await sharedChoices();
    expect(await recall(world)).toMatchObject({ open: [] });
    expect(await heldBy(world, firm)).toBe('drupal');
    const state = await world.state(firm);
    const journal = state ? await historyOf(world.services, state) : [];
    expect(JSON.stringify(journal)).not.toContain('drupal');
    expect(journal.at(-1)?.changes.map(({ property }) => property)).toContain('web_technologies');
  });

  it('keeps them also in a second recall, and counts them as the person’s', async () => {
    const { world, firm } = await sharedChoices();
    await recall(world);
    await world.clock.sleep(DAY_MS);
    expect(await recall(world)).toMatchObject({ values: 0, open: [] });
    expect(await heldBy(world, firm)).toBe('drupal');
    expect((await world.state(firm))?.ownership['web_technologies']?.broughtBack).toHaveLength(1);
  });

  it.each(['none', 'done'] as const)(
    'keeps them when the answer to the write is lost, %s',
    async (effect) => {
      const { world, firm } = await sharedChoices();
      const kind = effect === 'done' ? 'reset-after' : 'reset-before';
      await world.portal.change({ faults: [{ kind, rate: 1, path: 'batch/update', times: 1 }] });
      await recall(world).catch(() => undefined);
      await world.portal.change({ faults: [] });
      await world.clock.sleep(DAY_MS);
      await recall(world);
      expect(await heldBy(world, firm)).toBe('drupal');
    },
  );
});
