import { describe, expect, it } from 'vitest';
import { applyPolicy } from '#shared/extensions/policy-change';
import { recallValues } from '#shared/extensions/take-back';
import { DAY_MS, HOUR_MS, MINUTE_MS, wordingText } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { because, explanationText, historyOf, recordKind } from '#shared/records';
import type { UndoReport } from '#shared/take-back';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { operator } from '../harness/old-portal.ts';
import {
  contact,
  createCompany,
  jobChanger,
  profileUrlOf,
  someCompany,
  somePerson,
} from '../harness/people.ts';
import { recall, removing, sweeps } from '../harness/removals.ts';
import { undecided } from '../harness/review.ts';
import {
  changeState,
  enrichedContact,
  enrichedWorld,
  liveOn,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  settledRecord,
  undo,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const KEPT_DAYS = 100;

const RETENTION = { contacts: [{ name: 'leads', days: KEPT_DAYS }] };

const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}): Promise<World> =>
  createWorld({ policy: { privacy: { retention: RETENTION }, ...more } });

async function later(world: World, days: number): Promise<void> {
  await world.clock.sleep(days * DAY_MS);
  await sweeps(world);
}

describe('the end of a retention rule', () => {
  it('empties what we wrote, purges answers and journal, and says why', async () => {
    const world = await keeping();
    const url = profileUrlOf(somePerson(world));
    const record = await enrichedContact(world);
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
      enrichment_reason: explanationText(because('values-expired', { rule: 'leads' })),
    });
    for (const name of ['jobtitle', 'lastname', 'company', 'enrichment_source'])
      expect(after[name]).toBeUndefined();
    expect(await storedAnswers(world, question)).toBe(0);
    const state = await world.state(record);
    expect(state).toMatchObject({
      removal: { by: 'retention', rule: 'leads', isDone: true },
      outcome: { kind: 'skipped' },
      ownership: {},
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

  it('is not followed by another purchase, whoever asks', async () => {
    const world = await keeping();
    const record = await enrichedContact(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    await settled(world, world.portal.edit(record, { phone: '+1 415 555 0100' }));
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    await later(world, 400);
    await world.processes.refresh();
    await settleDown(world);
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('may be followed by one where a rule of whom says so, and then counts anew', async () => {
    const whom = { contacts: [{ name: 'all', afterRetention: true }] };
    const world = await keeping({ whom });
    const record = await enrichedContact(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(world.charged()).toBeGreaterThan(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    expect((await world.state(record))?.removal).toBeUndefined();
    await later(world, KEPT_DAYS - 2);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    await later(world, 3);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });
});

const titleOf = async (world: World, record: RecordName) =>
  (await world.portal.properties(record))['jobtitle'];

/** Calls `act` once, right before the first batch of writes after `begin` was called. */
function beforeWrite(act: () => Promise<void>) {
  let isOpen = false;
  const through: NonNullable<WorldOptions['through']> = (send) => async (request) => {
    if (isOpen && request.url.startsWith(HUBSPOT_URL) && request.url.endsWith('/batch/update')) {
      isOpen = false;
      await act();
    }
    return send(request);
  };
  const begin = () => {
    isOpen = true;
  };
  return { through, begin };
}

describe('a retention rule that ends', () => {
  it('gives back what a person typed in the moment of the write', async () => {
    let record: RecordName | undefined;
    const moment = beforeWrite(async () => {
      if (record) await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    });
    const world: World = await createWorld({
      policy: { privacy: { retention: RETENTION } },
      through: moment.through,
    });
    record = await enrichedContact(world);
    // The answer to the write is lost, so that its end is looked up.
    moment.begin();
    await world.portal.change({ faults: [{ kind: 'reset-after', rate: 1, path: 'batch/update', times: 1 }] });
    await later(world, KEPT_DAYS + 1);
    await world.portal.change({ faults: [] });
    await later(world, 1);
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    expect((await world.portal.properties(record))['company']).toBeUndefined();
  });

  it('waits for an answer that was paid for and is still to be written', async () => {
    const world = await keeping({ freshness: { contactsDays: KEPT_DAYS - 10 } });
    const record = await enrichedContact(world);
    await world.clock.sleep((KEPT_DAYS - 5) * DAY_MS);
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    await world.processes.refresh();
    await settleDown(world);
    expect((await world.state(record))?.run?.answeredQuestion).toBeDefined();
    await later(world, 6);
    expect((await world.state(record))?.removal).toBeUndefined();
    await world.portal.change({ faults: [] });
    await later(world, 1);
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('is carried out when HubSpot takes writes again, and says meanwhile what is open', async () => {
    const world = await keeping();
    const record = await enrichedContact(world);
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    await sweeps(world);
    const charged = world.charged();
    expect(await titleOf(world, record)).toBeDefined();
    expect(await world.state(record)).toMatchObject({ removal: { by: 'retention' } });
    expect((await world.state(record))?.removal?.isDone).toBeUndefined();
    await world.portal.change({ faults: [] });
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(world.charged()).toBe(charged);
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('reaches what was merged into another record', async () => {
    const world = await keeping();
    const [first, second] = [await enrichedContact(world), await enrichedContact(world, 1)];
    await world.clock.sleep(50 * DAY_MS);
    const winner = await settled(world, world.portal.merge(first, second));
    expect(await titleOf(world, winner)).toBeDefined();
    await later(world, KEPT_DAYS);
    expect(await titleOf(world, winner)).toBeUndefined();
    expect((await world.portal.properties(winner))['company']).toBeUndefined();
  });

  it('passes over a value that an undo gave back, also when the journal is gone', async () => {
    const fields = { contacts: { jobtitle: { write: 'always' } } } as const;
    const world = await keeping({ fields });
    const record = await settledRecord(world, 'contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
      jobtitle: 'Chief of Everything',
    });
    expect(await titleOf(world, record)).not.toBe('Chief of Everything');
    await openConsole(world)('undo', `contacts/${record.id}`, '--property', 'jobtitle', '--yes');
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    const state = await world.state(record);
    if (state)
      await world.services.journal.purge(state, { runs: state.runsOpened, nowMs: world.clock.now() });
    await later(world, KEPT_DAYS + 1);
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    expect((await world.portal.properties(record))['company']).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('counts from the first answer, and from the newest only where its rule says so', async () => {
    const freshness = { contactsDays: 60 };
    const prolonging = { contacts: [{ name: 'leads', days: KEPT_DAYS, refreshProlongs: true }] };
    const plain = await keeping({ freshness });
    const prolonged = await keeping({ freshness, privacy: { retention: prolonging } });
    const titles: unknown[] = [];
    for (const world of [plain, prolonged]) {
      const record = await enrichedContact(world);
      await refreshAfter(world, 61 * DAY_MS);
      await later(world, KEPT_DAYS - 60);
      titles.push(await titleOf(world, record));
    }
    expect(titles).toEqual([undefined, expect.any(String)]);
  });

  it('takes a bounded part of many expired records in one sweep', { timeout: 60_000 }, async () => {
    const world = await keeping();
    const record = await enrichedContact(world);
    const state = await world.state(record);
    if (!state) throw new Error('no state');
    const ids = Array.from({ length: 10_000 }, (_, nth) => `9${String(nth).padStart(6, '0')}`);
    for (const id of ids)
      await world.items(recordKind).write({
        key: recordKind.key({ objectType: 'contacts', id }),
        value: { ...state, id },
        expectedVersion: undefined,
      });
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    world.wire.forget();
    await world.processes.reconcile();
    const paths = world.wire.hubSpotRequests().filter((path) => path.endsWith('/contacts/batch/read'));
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.length).toBeLessThan(20);
    const fresh = await settledContact(world, 1);
    expect((await world.state(fresh))?.outcome?.kind).toBe('enriched');
  });
});

/** Two contacts whose values have expired, before any sweep. */
async function expired() {
  const world = await keeping();
  const records = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
  return { world, records };
}

const titlesOf = (world: World, records: readonly RecordName[]) =>
  Promise.all(records.map(async (each) => (await world.portal.properties(each))['jobtitle']));

const jsonOf = (world: World, ...more: readonly string[]) => operator(world)('privacy', 'retention', ...more);

it('privacy retention lists with --dry-run what it would empty, and changes nothing', async () => {
  const { world, records } = await expired();
  const planned = await jsonOf(world, '--dry-run');
  expect(planned).toMatchObject({ dryRun: true, rules: [{ rule: 'leads', records: 2 }] });
  expect(await titlesOf(world, records)).toEqual([expect.any(String), expect.any(String)]);
  const done = await jsonOf(world, '--yes');
  expect(done).toEqual({ ...planned, dryRun: false });
  expect(await titlesOf(world, records)).toEqual([undefined, undefined]);
  expect(await jsonOf(world, '--yes')).toMatchObject({ rules: [], records: [] });
});

const TWO_RULES = {
  contacts: [
    { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }], days: KEPT_DAYS + 50 },
    { name: 'leads', days: KEPT_DAYS },
  ],
};

const keepingTwo = (more: Partial<NonNullable<WorldOptions['policy']>> = {}) =>
  keeping({ privacy: { retention: TWO_RULES }, ...more });

async function storedAnswers(world: World, key = ''): Promise<number> {
  const item = (await world.items(questionKind).read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

async function endOf(world: World, record: RecordName): Promise<number | undefined> {
  const { identifiers = [] } = (await world.state(record)) ?? {};
  const [disclosure] = await world.services.forgetting.disclosures.of(identifiers);
  return disclosure?.endedAtMs;
}

const CUSTOMER = { lifecyclestage: 'customer' };

describe('of two records of a person, retention of the first', () => {
  it('leaves answer and disclosure record to the second, which ends them', async () => {
    const world = await keepingTwo();
    const first = await enrichedContact(world);
    const question = (await world.state(first))?.answeredQuestion;
    const second = await enrichedContact(world, 0, CUSTOMER);
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

  it.each(['mergedInto', 'forgottenAtMs'] as const)('does not wait for one with %s', async (mark) => {
    const world = await keepingTwo();
    const first = await enrichedContact(world);
    const question = (await world.state(first))?.answeredQuestion;
    const second = await enrichedContact(world, 0, CUSTOMER);
    await changeState(world, second, () => (mark === 'mergedInto' ? { [mark]: '999' } : { [mark]: 1 }));
    await later(world, KEPT_DAYS + 1);
    expect(await storedAnswers(world, question)).toBe(0);
    expect(await endOf(world, first)).toBeGreaterThan(0);
  });
});

it('values of a record that were obtained at different times are recalled by their own time', async () => {
  const world = await createWorld();
  const person = jobChanger(world, { withinMs: 300 * DAY_MS });
  const record = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(person) });
  const before = await world.portal.properties(record);
  await world.clock.sleep(310 * DAY_MS);
  const fromMs = world.clock.now();
  await refreshAfter(world, 0);
  const after = await world.portal.properties(record);
  expect(after['jobtitle']).not.toBe(before['jobtitle']);
  await recall(world, { fromMs });
  const now = await world.portal.properties(record);
  expect([now['jobtitle'], now['lastname']]).toEqual([undefined, after['lastname']]);
  expect((await world.state(record))?.ownership['lastname']?.written).toHaveLength(1);
  expect((await world.state(record))?.ownership['jobtitle']?.written).toBeUndefined();
});

it.each(['reset-before', 'reset-after'] as const)(
  'a blank of our own is nobody’s after a lost answer to the write: %s',
  async (kind) => {
    const world = await keepingTwo({ whom: { contacts: [{ name: 'all', afterRetention: true }] } });
    const record = await enrichedContact(world);
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await world.portal.change({ faults: [{ kind, rate: 1, path: 'batch/update', times: 1 }] });
    await sweeps(world);
    await world.portal.change({ faults: [] });
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
    expect((await world.state(record))?.ownership['jobtitle']).toBeUndefined();
    // No person asks: a blank that a person made would stay.
    await settled(world, world.portal.edit(record, { phone: '+1 415 555 0100' }));
    expect(await titleOf(world, record)).toBeDefined();
  },
);

describe('a recall', () => {
  it('takes back what is ours of contacts and companies, and purges their answers', async () => {
    const world = await createWorld();
    const [person, firm] = [await enrichedContact(world), await createCompany(world)];
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
    const { world, record: early } = await enrichedWorld();
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
    const { world, record } = await enrichedWorld();
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

it('after a removal a record that was in the archive loses its values once it is restored', async () => {
  const { world, record } = await enrichedWorld();
  await world.portal.archive(record);
  expect((await recall(world)).open).toHaveLength(1);
  await world.portal.restore(record);
  expect((await recall(world)).open).toEqual([]);
  expect(await titleOf(world, record)).toBeUndefined();
});

it('a recall whose journal fails tells the failure, and the next one finishes', async () => {
  const { world, record } = await enrichedWorld();
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

const REFRESHED = { freshness: { contactsDays: 40 } };

async function disclosureOf(world: World, record: RecordName) {
  const { identifiers = [] } = (await world.state(record)) ?? {};
  return (await world.services.forgetting.disclosures.of(identifiers))[0];
}

/** A record whose refresh found the same values, and was recalled. */
async function refreshRecalled() {
  const world = await keeping(REFRESHED);
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
  const world = await keeping(REFRESHED);
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

it('a removal that has begun goes on for the record into which its record is merged', async () => {
  const world = await keeping(REFRESHED);
  const early = await settledContact(world, 0, { jobtitle: 'Chief of Everything' });
  await world.clock.sleep(10 * DAY_MS);
  const fromMs = world.clock.now();
  const bad = await enrichedContact(world, 1);
  const recalled = await world.portal.properties(bad);
  const toMs = world.clock.now();
  await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
  expect((await recall(world, { fromMs, toMs })).open).toHaveLength(1);
  expect((await world.state(bad))?.removal?.isDone).toBeUndefined();
  const winner = await settled(world, world.portal.merge(early, bad));
  await world.portal.change({ faults: [] });
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

const SHARED = {
  fields: { companies: { web_technologies: { write: 'always' } } },
  questions: { companies: { technology: true } },
} as const;

/** A company whose technologies a person chose in part, and we in part. */
async function sharedChoices() {
  const world = await createWorld({ policy: SHARED });
  for (let index = 0; index < 20; index += 1) {
    const domain = someCompany(world, index).domains[0] ?? '';
    const firm = await settledRecord(world, 'companies', { domain, web_technologies: 'drupal' });
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
    // A second recall keeps them too, and counts them as the person's.
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
    const { world, record } = await enrichedWorld({
      policy: { privacy: { notice: [{ name: 'all', days: 10 }] } },
    });
    expect((await statusesOf(world, record)).filter((value) => value !== '')).toHaveLength(6);
    const ours = (await undo(world, record, { dryRun: true })) as UndoReport;
    await world.portal.edit(record, Object.fromEntries(ours.restored.map(({ property }) => [property, ''])));
    expect(await recall(world)).toMatchObject({ values: 0, open: [] });
    expect(await statusesOf(world, record)).toEqual(EMPTY);
  });

  it('are empty where the answer waited for review, so that nobody has to end a status', async () => {
    const { world, record } = await worldWithContact({}, { firstname: 'Xanthippe', lastname: 'Quux' });
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
  for (const { id } of [kept, deleted]) {
    const forgotten = JSON.parse((await console('forget', `contacts/${id}`, '--yes', '--json')) ?? '');
    expect(forgotten).toMatchObject({ records: [`contacts/${id}`] });
  }
  await settled(world, world.portal.archive(deleted));
  const report = await console('privacy', 'recall', '--source', 'data-service', '--yes', '--json');
  expect(JSON.parse(report ?? '')).toMatchObject({ open: [], forgotten: [`contacts/${kept.id}`] });
});
