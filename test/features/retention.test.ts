import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { because, explanationText, historyOf, type RecordState, recordKind } from '#shared/records';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, jobChanger, profileUrlOf, somePerson } from '../harness/people.ts';
import { recall, sweeps } from '../harness/removals.ts';
import { enrichedContact, refreshAfter, settleDown, settled, settledContact } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const KEPT_DAYS = 100;

const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}): Promise<World> =>
  createWorld({
    policy: { privacy: { retention: { contacts: [{ name: 'leads', days: KEPT_DAYS }] } }, ...more },
  });

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

  it('waits for the rule of the record, where another rule is shorter', async () => {
    const short = { name: 'elsewhere', when: [{ property: 'country', is: 'Atlantis' }], days: 10 };
    const retention = { contacts: [short, { name: 'leads', days: KEPT_DAYS }] };
    const world = await keeping({ privacy: { retention } });
    const record = await enrichedContact(world);
    await later(world, KEPT_DAYS - 3);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    await later(world, 4);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('leaves what a person wrote', async () => {
    const world = await keeping();
    const record = await enrichedContact(world);
    await settled(world, world.portal.edit(record, { jobtitle: 'Chief of Everything' }));
    await later(world, KEPT_DAYS + 1);
    const after = await world.portal.properties(record);
    expect(after['jobtitle']).toBe('Chief of Everything');
    expect(after['company']).toBeUndefined();
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

const RETENTION = { contacts: [{ name: 'leads', days: KEPT_DAYS }] };

const POLICY = { policy: { privacy: { retention: RETENTION } } };

describe('a retention rule that ends', () => {
  it('gives back what a person typed in the moment of the write', async () => {
    let record: RecordName | undefined;
    const moment = beforeWrite(async () => {
      if (record) await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    });
    const world: World = await createWorld({ ...POLICY, through: moment.through });
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
    const record = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
      jobtitle: 'Chief of Everything',
    });
    await settleDown(world);
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

  it('is served by two sweeps at once as by one', async () => {
    const world = await keeping();
    const records = [
      await enrichedContact(world),
      await enrichedContact(world, 1),
      await enrichedContact(world, 2),
    ];
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await Promise.all([world.processes.reconcile(), world.processes.reconcile()]);
    await settleDown(world);
    await later(world, 1);
    for (const record of records) {
      expect(await titleOf(world, record)).toBeUndefined();
      expect((await world.state(record))?.removal?.isDone).toBe(true);
    }
    expect(world.violations).toEqual([]);
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
        ...{ key: recordKind.key({ objectType: 'contacts', id }), value: { ...state, id } },
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
  const world = await createWorld({ policy: { privacy: { retention: RETENTION } } });
  const records = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
  return { world, records };
}

const titlesOf = (world: World, records: readonly RecordName[]) =>
  Promise.all(records.map(async (each) => (await world.portal.properties(each))['jobtitle']));

async function jsonOf(world: World, ...more: readonly string[]) {
  const printed = await openConsole(world)('privacy', 'retention', '--json', ...more);
  return JSON.parse(printed ?? '{}') as {
    readonly dryRun: boolean;
    readonly rules: readonly { readonly rule: string; readonly records: number; readonly values: number }[];
    readonly records: readonly { readonly values: number; readonly open?: string }[];
  };
}

describe('privacy retention', () => {
  it('lists with --dry-run what it would empty, and changes nothing', async () => {
    const { world, records } = await expired();
    const planned = await jsonOf(world, '--dry-run');
    expect(planned).toMatchObject({ dryRun: true, rules: [{ rule: 'leads', records: 2 }] });
    expect(await titlesOf(world, records)).toEqual([expect.any(String), expect.any(String)]);
    const done = await jsonOf(world, '--yes');
    expect(done).toEqual({ ...planned, dryRun: false });
    expect(await titlesOf(world, records)).toEqual([undefined, undefined]);
    expect(await jsonOf(world, '--yes')).toMatchObject({ rules: [], records: [] });
  });

  it('lists what it emptied, by rule, without a value', async () => {
    const { world, records } = await expired();
    const titles = await titlesOf(world, records);
    const printed = (await openConsole(world)('privacy', 'retention', '--yes')) ?? '';
    expect(printed).toMatch(/leads +2 +\d+/);
    expect(printed).toContain(`contacts/${records[0]?.id}`);
    for (const title of titles) expect(printed).not.toContain(title);
  });

  it('names records that HubSpot would not empty', async () => {
    const { world } = await expired();
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    const { records } = await jsonOf(world, '--yes');
    expect(records).toHaveLength(2);
    for (const { values, open } of records) expect([values, open]).toEqual([0, expect.any(String)]);
  });
});

const TWO_RULES = {
  contacts: [
    { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }], days: KEPT_DAYS + 50 },
    { name: 'leads', days: KEPT_DAYS },
  ],
};

const keepingTwo = (more: Partial<NonNullable<WorldOptions['policy']>> = {}) =>
  createWorld({ policy: { privacy: { retention: TWO_RULES }, ...more } });

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

  it('leaves an answer that was paid for and waits to be written to the second', async () => {
    const world = await keepingTwo();
    const first = await enrichedContact(world);
    const second = await enrichedContact(world, 0, CUSTOMER);
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
    const world = await keepingTwo();
    const first = await enrichedContact(world);
    const question = (await world.state(first))?.answeredQuestion;
    const state = (await world.state(await enrichedContact(world, 0, CUSTOMER))) as RecordState;
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
