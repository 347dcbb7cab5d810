import { describe, expect, it } from 'vitest';
import { applyPolicy, recallValues } from '#shared/enrichment';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { because, explanationText } from '#shared/records';
import { createFuse } from '../harness/fuse.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { recall, removing, sweeps } from '../harness/removals.ts';
import { settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function enriched(world: World, index = 0): Promise<RecordName> {
  const record = await contact(world, index);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

const firmOf = (world: World) =>
  world.portal.create('companies', { domain: someCompany(world).domains[0] ?? '' });

const titleOf = async (world: World, record: RecordName) =>
  (await world.portal.properties(record))['jobtitle'];

async function storedAnswers(world: World, key = ''): Promise<number> {
  const item = (await world.items(questionKind).read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

describe('a recall', () => {
  it('takes back what is ours of contacts and companies, and purges their answers', async () => {
    const world = await createWorld();
    const [person, firm] = [await enriched(world), await firmOf(world)];
    await settleDown(world);
    const question = (await world.state(person))?.answeredQuestion;
    const about = await world.portal.properties(firm);
    await world.portal.edit(person, { city: 'Springfield' });
    await settleDown(world);
    const report = await recall(world);
    expect(report).toMatchObject({ records: 2, open: [] });
    expect(report.answers).toBeGreaterThan(0);
    expect(await storedAnswers(world, question)).toBe(0);
    const after = await world.portal.properties(person);
    expect([after['jobtitle'], after['city']]).toEqual([undefined, 'Springfield']);
    expect(after['enrichment_reason']).toBe(explanationText(because('values-recalled')));
    const left = Object.keys(await world.portal.properties(firm)).filter(
      (name) => name === 'industry' || name === 'numberofemployees',
    );
    expect(Object.keys(about)).toEqual(expect.arrayContaining(['industry', 'numberofemployees']));
    expect(left).toEqual([]);
  });

  it('takes back only what was obtained in its time', async () => {
    const world = await createWorld();
    const early = await enriched(world);
    await world.clock.sleep(10 * DAY_MS);
    const fromMs = world.clock.now();
    const bad = await enriched(world, 1);
    const toMs = world.clock.now();
    await world.clock.sleep(10 * DAY_MS);
    const late = await enriched(world, 2);
    const report = await recall(world, { fromMs, toMs });
    expect(report).toMatchObject({ records: 1, open: [] });
    expect(await titleOf(world, bad)).toBeUndefined();
    expect(await titleOf(world, early)).toBeDefined();
    expect(await titleOf(world, late)).toBeDefined();
  });

  it('is found done when it is repeated', async () => {
    const world = await createWorld();
    await enriched(world);
    await recall(world);
    expect(await recall(world)).toMatchObject({ records: 0, values: 0, answers: 0, open: [] });
  });

  it.each([
    { kind: 'status', status: 503, rate: 1, path: 'batch/update' },
    { kind: 'reset-after', rate: 1, path: 'batch/update' },
  ] as const)('gives up what was paid for and is not written yet, after %j', async (fault) => {
    const world = await createWorld();
    const record = await contact(world);
    await world.portal.change({ faults: [fault] });
    await settleDown(world);
    expect((await world.state(record))?.run?.answeredQuestion).toBeDefined();
    await world.portal.change({ faults: [] });
    const charged = world.charged();
    expect((await recall(world)).open).toEqual([]);
    await world.clock.sleep(HOUR_MS);
    await sweeps(world, 5);
    expect(await titleOf(world, record)).toBeUndefined();
    expect(world.charged()).toBe(charged);
    expect((await world.state(record))?.run).toBeUndefined();
  });

  it('is not undone by a stored answer when the policy is applied anew, or another record is looked up', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await recall(world);
    const charged = world.charged();
    const report = await applyPolicy({ ...removing(world), installedAtMs: 0 }, { id: 'apply-1' });
    expect(report.written.values).toBe(0);
    expect(await titleOf(world, record)).toBeUndefined();
    const twin = await contact(world);
    await settleDown(world);
    expect(await titleOf(world, twin)).toBeDefined();
    expect(world.charged()).toBeGreaterThan(charged);
  });

  it('goes on where it was killed, at each of its calls', { timeout: 60_000 }, async () => {
    let isCut = true;
    for (let at = 1; isCut; at += 29) {
      const world = await createWorld();
      const records = [await enriched(world), await enriched(world, 1)];
      await world.portal.edit(records[0] ?? fail(), { jobtitle: 'Chief of Everything' });
      await settleDown(world);
      const fuse = createFuse();
      fuse.arm({ at, effect: at % 2 === 0 ? 'none' : 'done', kind: 'death' });
      await recall(world, { fuse }).catch(() => undefined);
      isCut = fuse.isBlown();
      await world.clock.sleep(HOUR_MS);
      await sweeps(world, 3);
      expect((await recall(world)).open).toEqual([]);
      await sweeps(world, 2);
      const [first, second] = await Promise.all(records.map((record) => world.portal.properties(record)));
      expect([at, first?.['jobtitle'], second?.['jobtitle'], first?.['company']]).toEqual([
        ...[at, 'Chief of Everything'],
        ...[undefined, undefined],
      ]);
    }
  });

  it('runs beside an import, and what was bought before its end is gone', async () => {
    const world = await createWorld();
    const records: RecordName[] = [];
    for (let index = 0; index < 8; index += 1) records.push(await contact(world, index));
    const working = settleDown(world);
    await world.clock.sleep(10_000);
    const report = await recall(world);
    await working;
    await sweeps(world, 3);
    const again = await recall(world, { toMs: world.clock.now() });
    expect(again.open).toEqual([]);
    expect(report.records + again.records).toBeGreaterThanOrEqual(8);
    for (const record of records) expect(await titleOf(world, record)).toBeUndefined();
  });
});

function fail(): never {
  throw new Error('no such record');
}

describe('after a removal', () => {
  it('an undo finds nothing to bring back', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await recall(world);
    expect(await undo(world, record)).toEqual({ restored: [], kept: [] });
  });

  it('the disclosure record says that the values are gone', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    const { identifiers = [] } = (await world.state(record)) ?? {};
    await recall(world);
    const [disclosure] = await world.services.forgetting.disclosures.of(identifiers);
    expect(disclosure?.endedAtMs).toBe(world.clock.now());
  });

  it('a record that was in the archive loses its values once it is restored', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await world.portal.archive(record);
    expect((await recall(world)).open).toHaveLength(1);
    await world.portal.restore(record);
    expect((await recall(world)).open).toEqual([]);
    expect(await titleOf(world, record)).toBeUndefined();
  });
});

it('a recall whose journal fails tells the failure, and the next one finishes', async () => {
  const world = await createWorld();
  const record = await enriched(world);
  const services = removing(world);
  const broken = new Error('The journal does not answer.');
  const journal = new Proxy(services.journal, {
    get: (target, name, receiver) =>
      name === 'plan' ? () => Promise.reject(broken) : Reflect.get(target, name, receiver),
  });
  const obtained = { fromMs: 0, toMs: world.clock.now() };
  const questions = async function* () {};
  await expect(recallValues({ ...services, journal }, { obtained, questions })).rejects.toBe(broken);
  expect(await titleOf(world, record)).toBeDefined();
  await world.clock.sleep(HOUR_MS);
  expect((await recall(world)).open).toEqual([]);
  expect(await titleOf(world, record)).toBeUndefined();
});
