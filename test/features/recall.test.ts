import { describe, expect, it } from 'vitest';
import { applyPolicy, recallValues, type UndoReport } from '#shared/enrichment';
import { DAY_MS, HOUR_MS, MINUTE_MS, wordingText } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { because, explanationText, historyOf } from '#shared/records';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, createCompany, someCompany } from '../harness/people.ts';
import { recall, removing, sweeps } from '../harness/removals.ts';
import { undecided } from '../harness/review.ts';
import {
  enrichedContact,
  liveOn,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  undo,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const firmOf = (world: World) => createCompany(world);

const titleOf = async (world: World, record: RecordName) =>
  (await world.portal.properties(record))['jobtitle'];

async function storedAnswers(world: World, key = ''): Promise<number> {
  const item = (await world.items(questionKind).read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

describe('a recall', () => {
  it('takes back what is ours of contacts and companies, and purges their answers', async () => {
    const world = await createWorld();
    const [person, firm] = [await enrichedContact(world), await firmOf(world)];
    await settleDown(world);
    const question = (await world.state(person))?.answeredQuestion;
    const about = await world.portal.properties(firm);
    await settled(world, world.portal.edit(person, { city: 'Springfield' }));
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
    const early = await enrichedContact(world);
    await world.clock.sleep(10 * DAY_MS);
    const fromMs = world.clock.now();
    const bad = await enrichedContact(world, 1);
    const toMs = world.clock.now();
    await world.clock.sleep(10 * DAY_MS);
    const late = await enrichedContact(world, 2);
    const report = await recall(world, { fromMs, toMs });
    expect(report).toMatchObject({ records: 1, open: [] });
    expect(await titleOf(world, bad)).toBeUndefined();
    expect(await titleOf(world, early)).toBeDefined();
    expect(await titleOf(world, late)).toBeDefined();
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
    const record = await enrichedContact(world);
    await recall(world);
    const charged = world.charged();
    const report = await applyPolicy({ ...removing(world), installedAtMs: 0 }, { id: 'apply-1' });
    expect(report.written.values).toBe(0);
    expect(await titleOf(world, record)).toBeUndefined();
    const twin = await settledContact(world);
    expect(await titleOf(world, twin)).toBeDefined();
    expect(world.charged()).toBeGreaterThan(charged);
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

describe('after a removal', () => {
  it('an undo finds nothing to bring back', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    await recall(world);
    expect(await undo(world, record)).toEqual({ restored: [], kept: [] });
  });

  it('the disclosure record says that the values are gone', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    const { identifiers = [] } = (await world.state(record)) ?? {};
    await recall(world);
    const [disclosure] = await world.services.forgetting.disclosures.of(identifiers);
    expect(disclosure?.endedAtMs).toBe(world.clock.now());
  });

  it('a record that was in the archive loses its values once it is restored', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    await world.portal.archive(record);
    expect((await recall(world)).open).toHaveLength(1);
    await world.portal.restore(record);
    expect((await recall(world)).open).toEqual([]);
    expect(await titleOf(world, record)).toBeUndefined();
  });
});

it('a recall whose journal fails tells the failure, and the next one finishes', async () => {
  const world = await createWorld();
  const record = await enrichedContact(world);
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

const RETENTION = { contacts: [{ name: 'leads', days: 100 }] };

const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}) =>
  createWorld({
    policy: { freshness: { contactsDays: 40 }, privacy: { retention: RETENTION }, ...more },
  });

async function disclosureOf(world: World, record: RecordName) {
  const { identifiers = [] } = (await world.state(record)) ?? {};
  return (await world.services.forgetting.disclosures.of(identifiers))[0];
}

/** A record whose refresh found the same values, and was recalled. */
async function refreshRecalled() {
  const world = await keeping();
  const record = await enrichedContact(world);
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
  const record = await enrichedContact(world);
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
    const early = await settledContact(world, 0, { jobtitle: 'Chief of Everything' });
    await world.clock.sleep(10 * DAY_MS);
    const fromMs = world.clock.now();
    const bad = await enrichedContact(world, 1);
    const recalled = await world.portal.properties(bad);
    const toMs = world.clock.now();
    await refusing(world, true);
    expect((await recall(world, { fromMs, toMs })).open).toHaveLength(1);
    expect((await world.state(bad))?.removal?.isDone).toBeUndefined();
    const winner = await settled(world, world.portal.merge(early, bad));
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

/** More than the 50 records of a batch. */
const RECORDS = 55;

it('a recall that gets Ctrl-C during its first batch finishes the batch, and its second call writes the rest only', async () => {
  const interruption = new AbortController();
  let isRecalling = false;
  const world: World = await createWorld({
    through: (send) => async (request) => {
      const answer = await send(request);
      // HubSpot has written the first batch, and its answer arrives after the signal.
      if (isRecalling && request.url.startsWith(HUBSPOT_URL) && request.url.endsWith('/batch/update'))
        interruption.abort(new CliError('stopped', 'Stopped.', { exit: EXIT.failed }));
      return answer;
    },
  });
  const records: RecordName[] = [];
  for (let index = 0; index < RECORDS; index += 1) records.push(await contact(world, index));
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  const filled = async () => {
    const all = await Promise.all(records.map((record) => world.portal.properties(record)));
    return all.filter(({ jobtitle }) => jobtitle).length;
  };
  expect(await filled()).toBe(RECORDS);

  const refused: CliError[] = [];
  const screen = { signal: interruption.signal };
  world.wire.forget();
  isRecalling = true;
  const words = ['privacy', 'recall', '--source', 'data-service', '--yes'];
  await openConsole(world, screen, (error) => refused.push(error))(...words);
  isRecalling = false;
  const first = world.wire.writes().map(({ id }) => id);
  expect(refused.map(({ exit }) => exit)).toEqual([EXIT.failed]);
  const sentence = wordingText(refused[0]?.wording ?? '', undefined);
  const again = /privacy recall --source data-service --to \S+Z/.exec(sentence)?.[0];
  expect([new Set(first).size, await filled()]).toEqual([50, RECORDS - 50]);

  world.wire.forget();
  const out = await openConsole(world)(...(again ?? '').split(' '), '--yes', '--json');
  expect(JSON.parse(out ?? '{}')).toMatchObject({ records: RECORDS - 50, open: [] });
  const second = world.wire.writes().map(({ id }) => id);
  expect([new Set(second).size, await filled()]).toEqual([RECORDS - 50, 0]);
  expect(new Set(second).intersection(new Set(first)).size).toBe(0);
}, 60_000);

describe('the statuses after a recall', () => {
  const statusesOf = async (world: World, record: RecordName) => {
    const now = await world.portal.properties(record);
    const names = ['status', 'source', 'last_at', 'first_at', 'notice_due', 'next_check_at'];
    return names.map((name) => now[`enrichment_${name}`] ?? '');
  };
  const EMPTY = ['skipped', '', '', '', '', ''];

  it('are empty where a person had emptied all our values', async () => {
    const world = await createWorld({ policy: { privacy: { notice: [{ name: 'all', days: 10 }] } } });
    const record = await enrichedContact(world);
    expect((await statusesOf(world, record)).filter((value) => value !== '')).toHaveLength(6);
    const ours = (await undo(world, record, { dryRun: true })) as UndoReport;
    await world.portal.edit(record, Object.fromEntries(ours.restored.map(({ property }) => [property, ''])));
    expect(await recall(world)).toMatchObject({ values: 0, open: [] });
    expect(await statusesOf(world, record)).toEqual(EMPTY);
  });

  it('are empty where the answer waited for review, so that nobody has to end a status', async () => {
    const world = await createWorld();
    const record = await settledContact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    expect((await statusesOf(world, record))[0]).toBe('review');
    await recall(world);
    expect(await statusesOf(world, record)).toEqual(EMPTY);
    expect(await undecided(world)).toEqual([]);
  });
});

it('a recall names the records of forgotten people that HubSpot still has', async () => {
  const world = await createWorld();
  const [kept, deleted] = [await enrichedContact(world), await enrichedContact(world, 1)];
  const console = openConsole(world);
  for (const { id } of [kept, deleted]) await console('forget', `contacts/${id}`, '--yes');
  await settled(world, world.portal.archive(deleted));
  const report = await console('privacy', 'recall', '--source', 'data-service', '--yes', '--json');
  expect(JSON.parse(report ?? '')).toMatchObject({ open: [], forgotten: [`contacts/${kept.id}`] });
});
