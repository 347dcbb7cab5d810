import { describe, expect, it } from 'vitest';
import { readLog } from '#shared/credit-ledger';
import { recordKey } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, UpstreamError } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { type JournalEntry, journalKind } from '#shared/records';
import { MAX_RECEIVES } from '#shared/work-queue';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import { type RecordName, TOKEN } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { contact, createCompany, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import {
  isDrained,
  liveOn,
  settleDown,
  settled,
  settledContact,
  settledRecord,
  worldWithContact,
} from '../harness/steps.ts';
import { putsOf, touches, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

async function threeContacts(world: World): Promise<[RecordName, RecordName, RecordName]> {
  return [await contact(world, 0), await contact(world, 1), await contact(world, 2)];
}

async function outcomesOf(world: World, records: readonly RecordName[]) {
  return Promise.all(records.map(async (record) => (await world.state(record))?.outcome?.kind));
}

describe('the error of one record', () => {
  it.each([
    'not JSON',
    '{"version":1,"objectType":"contacts","id":"../../etc","purpose":"live","eventKeys":[]}',
    '{"version":99,"objectType":"contacts","id":"1","purpose":"live","eventKeys":[]}',
    'null',
  ])('a message %s fails alone, and ends among the dead letters', async (body) => {
    const world = await createWorld();
    world.queues.live.inject(body);
    const records = await threeContacts(world);
    await settleDown(world);
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
    expect(world.queues.live.size()).toBe(1);
    for (let time = 0; time <= MAX_RECEIVES; time += 1) {
      await world.clock.sleep(WORKER_TIMEOUT_MS + MINUTE_MS);
      await settleDown(world);
    }
    expect(world.queues.live.deadLetters()).toEqual([body]);
    expect(world.charged()).toBe(9);
    expect(await isDrained(world)).toBe(true);
  });

  it.each([
    ['a write that HubSpot refuses', 'HUBSPOT_REFUSES', { status: 400, path: 'batch/update' }],
    [
      'a write that HubSpot cannot do now',
      'HUBSPOT_RECORD_UNREACHABLE',
      { status: 500, path: 'batch/update' },
    ],
    ['a look that HubSpot refuses', 'HUBSPOT_RECORD_UNREACHABLE', { status: 403, path: 'batch/read' }],
  ])(
    '%s for one record leaves it waiting, and is done later without a second question',
    async (_, reason, at) => {
      const world = await createWorld();
      const records = await threeContacts(world);
      const faults = [{ kind: 'status', recordId: records[1].id, rate: 1, ...at }] as const;
      await settled(world, world.portal.change({ faults }));
      expect(await outcomesOf(world, records)).toEqual(['enriched', undefined, 'enriched']);
      expect((await world.state(records[1]))?.waiting).toMatchObject({ reason });
      await world.portal.change({ faults: [] });
      await liveOn(world, { forMs: HOUR_MS });
      expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
      expect(await world.state(records[1])).toMatchObject({ runsOpened: 1, creditsSpent: 3 });
      expect([world.charged(), world.wire.questions().length]).toEqual([9, 3]);
      expect(await isDrained(world)).toBe(true);
    },
  );
});

describe('a failure of the data service', () => {
  it.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 500, afterWork: true },
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'hang', afterWork: true },
    { kind: 'malformed' },
  ] as const)('%j leaves a doubt for its record alone, and is never asked again', async (fault) => {
    const world = await createWorld();
    const records = await threeContacts(world);
    const company = await createCompany(world);
    await world.changeService({ faults: [{ ...fault, operation: 'company-profile' }] });
    await settleDown(world);
    expect(await outcomesOf(world, [...records, company])).toEqual([
      'enriched',
      'enriched',
      'enriched',
      'failed',
    ]);
    expect(await world.portal.properties(company)).toMatchObject({ enrichment_status: 'failed' });
    const twin = await world.portal.create('companies', { website: `www.${someCompany(world).domains[0]}` });
    await world.changeService({ faults: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: 4 * HOUR_MS });
    expect(await outcomesOf(world, [company, twin])).toEqual(['failed', 'failed']);
    expect(world.wire.questions().length).toBe(4);
    const { posted, doubtful, pending } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    expect([posted, doubtful, pending]).toEqual([9, 1, 0]);
    expect([9, 10]).toContain(world.charged());
  });

  it('ends with the doubt: the records may be looked up again when it is resolved', async () => {
    const world = await createWorld();
    const domain = someCompany(world).domains[0];
    const company = await world.portal.create('companies', { domain }, [], { source: 'IMPORT' });
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect(await outcomesOf(world, [company])).toEqual(['failed']);
    await world.clock.sleep(HOUR_MS);
    const [doubt] = await world.services.ledger.openReservations();
    const resolution = { questionKey: doubt?.questionKey ?? '', charged: true, note: 'seen on the bill' };
    const resolved = await resolveDoubt(world.services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
    expect(resolved).toEqual({ kind: 'resolved', credits: 1, record: recordKey(company) });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect(await outcomesOf(world, [company])).toEqual(['skipped']);
    const reason = { code: 'may-be-looked-up' };
    expect(await world.state(company)).toMatchObject({
      outcomes: { failed: 1, skipped: 1 },
      outcome: { reason },
    });
    const entries = await Array.fromAsync(readLog(world.services.ledgerStore));
    const asked = entries.flatMap((entry) => (entry.kind === 'pending' ? [entry.purpose] : []));
    expect(asked).toEqual(['import']);
    expect(world.charged()).toBe(1);
    expect(await isDrained(world)).toBe(true);
  });
});

/** Two contacts of one batch; the journal fails at some writes of the first one's entry. */
async function withFaultyJournal(fails: (expectedVersion: string | undefined) => boolean) {
  let faultyId: string | undefined;
  const store = watchedStore(openMemoryStore(), async (request, send) => {
    const isRefused = ({ value, version }: ReturnType<typeof putsOf<JournalEntry>>[number]) =>
      value.id === faultyId && fails(version);
    if (putsOf(request, journalKind).some(isRefused))
      throw new UpstreamError({ code: 'STORE_REFUSED', message: 'Too large.', retryable: false });
    return send();
  });
  const world = await createWorld({ store });
  const [first, second] = [await contact(world, 0), await contact(world, 1)];
  faultyId = first.id;
  await settleDown(world);
  const repair = () => {
    faultyId = undefined;
  };
  return { world, first, second, repair };
}

async function statesOf(world: World, record: RecordName): Promise<readonly string[]> {
  const entry = await world.services.journal.read(record, 1);
  return [...new Set(entry?.changes.map(({ state }) => state))];
}

const CASES = [
  { case: 'cannot be told of a write', fails: (version?: string) => version === undefined, isWritten: false },
  {
    case: 'cannot be told what became of it',
    fails: (version?: string) => version !== undefined,
    isWritten: true,
  },
];

describe.each(CASES)('a record of which the journal $case', ({ fails, isWritten }) => {
  it('fails alone, and ends when the journal works again, paid for once', async () => {
    const { world, first, second, repair } = await withFaultyJournal(fails);
    expect(await world.state(second)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await statesOf(world, second)).toEqual(['written']);
    expect((await world.state(first))?.outcome).toBeUndefined();
    expect((await world.portal.properties(first))['jobtitle'] !== undefined).toBe(isWritten);
    const spent = world.charged();
    repair();
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.state(first)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await statesOf(world, first)).toEqual(['written']);
    expect(world.charged()).toBe(spent);
  });
});

it('a run that has only begun looks for no earlier write of its own', async () => {
  const calls: string[] = [];
  const store = watchedStore(openMemoryStore(), (request, send) => {
    if (touches(request, journalKind)) calls.push(request.kind);
    return send();
  });
  const world = await createWorld({ store });
  await settledContact(world);
  expect(calls[0]).toBe('transact');
});

const RULE = {
  objectType: 'contact',
  requires: 'fax',
  when: { property: 'lifecyclestage', values: ['lead'] },
} as const;

const OTHER = { label: 'Other', value: 'other', displayOrder: 0, hidden: false };

/** What the account's administrator does to an enumeration. */
async function setOptions(world: World, property: string, options: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const init = { method: 'PATCH', headers, body: JSON.stringify({ options }) };
  const path = `/crm/properties/2026-09/contacts/${property}`;
  const changed = await world.portal.sandbox.handle(new Request(`${HUBSPOT_URL}${path}`, init));
  expect(changed.status).toBe(200);
}

async function leads(world: World, count: number, from = 0) {
  const made = [];
  for (let index = from; index < from + count; index += 1)
    made.push(await contact(world, index, { lifecyclestage: 'lead' }));
  return made;
}

async function ruledWorld() {
  const world = await createWorld();
  await world.portal.change({ writeRules: [RULE] });
  return world;
}

const waitingReasons = async (world: World) =>
  (await world.states()).flatMap(({ waiting }) => waiting?.reason ?? []);

describe('what HubSpot does not take', () => {
  it('does not keep a run open for what an earlier attempt had, and somebody has typed meanwhile', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    await world.portal.create('contacts', { email: job.email ?? '' }, [], { source: 'IMPORT' });
    await world.portal.change({ faults: [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }] });
    const record = await settledRecord(world, 'contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
    });
    await world.portal.edit(record, { jobtitle: 'by hand' });
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await isDrained(world)).toBe(true);
  });

  it('is tried more and more seldom, and given up when the answer is too old', async () => {
    const world = await ruledWorld();
    const [record] = await leads(world, 1);
    if (!record) throw new Error('no record');
    await settleDown(world);
    const writes = () => world.wire.writes().length;
    await liveOn(world, { forMs: HOUR_MS });
    expect(writes()).toBeLessThan(6);
    await liveOn(world, { forMs: 23 * HOUR_MS, everyMs: 2 * HOUR_MS });
    expect(writes()).toBeLessThan(12);
    await liveOn(world, { forMs: 185 * DAY_MS, everyMs: 2 * DAY_MS });
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'failed' });
    expect(world.wire.questions().length).toBe(1);
  });

  it('after three bought records lets one an hour be bought, until a write succeeds', async () => {
    const world = await ruledWorld();
    for (let index = 0; index < 6; index += 1) {
      await leads(world, 1, index);
      await settleDown(world);
    }
    expect(world.wire.questions().length).toBe(3);
    await liveOn(world, { forMs: 50 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    expect(world.wire.questions().length).toBe(3);
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(world.wire.questions().length).toBe(4);
    await world.portal.change({ writeRules: [] });
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await isDrained(world)).toBe(true);
    expect((await world.states()).map(({ outcome }) => outcome?.kind)).toEqual(Array(6).fill('enriched'));
    expect(world.wire.questions().length).toBe(6);
  });

  it('of one record alone, however often it is tried, keeps no other from being bought', async () => {
    const world = await ruledWorld();
    await leads(world, 1);
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await waitingReasons(world)).toEqual(['HUBSPOT_REFUSES']);
    const fresh = await settledContact(world, 1);
    expect((await world.state(fresh))?.outcome).toMatchObject({ kind: 'enriched' });
  });

  it('for a rule of some records holds the others until one of them is written', async () => {
    const world = await ruledWorld();
    await leads(world, 3);
    await settleDown(world);
    const customer = await contact(world, 6, { lifecyclestage: 'customer' });
    const other = await contact(world, 7, { lifecyclestage: 'customer' });
    const company = await createCompany(world, 8);
    await liveOn(world, { forMs: 2 * MINUTE_MS });
    const outcomes = async () => {
      const states = await Promise.all([customer, other].map((record) => world.state(record)));
      return states.map((state) => state?.outcome?.kind ?? state?.waiting?.reason);
    };
    expect(await outcomes()).toEqual(['HUBSPOT_REFUSES', 'HUBSPOT_REFUSES']);
    expect((await world.state(company))?.outcome?.kind).toBe('enriched');
    expect((await world.state(customer))?.waiting?.detail).toContain(
      'MISSING_CONDITIONAL_REQUIRED_PROPERTY (fax)',
    );
    await liveOn(world, { forMs: 2 * HOUR_MS + 10 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    expect(await outcomes()).toEqual(['enriched', 'enriched']);
  });

  it('holds records without an answer no longer than the refusal lasts', async () => {
    const world = await ruledWorld();
    await leads(world, 3);
    await settleDown(world);
    const others = [await contact(world, 6), await contact(world, 7)];
    await liveOn(world, { forMs: 2 * MINUTE_MS });
    expect(await outcomesOf(world, others)).toEqual([undefined, undefined]);
    await world.portal.change({ writeRules: [] });
    await liveOn(world, { forMs: 30 * MINUTE_MS });
    expect(await outcomesOf(world, others)).toEqual(['enriched', 'enriched']);
  });

  it('as for a scope that is missing', async () => {
    const world = await createWorld();
    await world.portal.change({ scopes: ['crm.objects.contacts.read', 'crm.objects.companies.read'] });
    for (let index = 0; index < 5; index += 1) {
      await settledContact(world, index);
    }
    expect(world.wire.questions().length).toBe(3);
    expect(new Set(await waitingReasons(world))).toEqual(new Set(['HUBSPOT_FORBIDDEN', 'HUBSPOT_REFUSES']));
  });

  it('of one value keeps the others from nothing, and is written when it can be', async () => {
    const world = await createWorld();
    const options = (await world.services.crm.definitions('contacts')).get('hs_seniority')?.options ?? [];
    const kept = options.map((each, displayOrder) => ({ ...each, displayOrder, hidden: false }));
    const record = await contact(world, 0);
    const whileAsking = world.clock
      .sleep(2 * SECOND_MS)
      .then(() => setOptions(world, 'hs_seniority', [OTHER]));
    await settleDown(world);
    await whileAsking;
    const charged = world.charged();
    expect(await world.portal.properties(record)).toMatchObject({ firstname: somePerson(world).firstName });
    expect((await world.state(record))?.waiting?.detail).toContain('hs_seniority: INVALID_OPTION');
    await setOptions(world, 'hs_seniority', kept);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.portal.properties(record)).toHaveProperty('hs_seniority');
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched' });
    expect(world.charged()).toBe(charged);
  });

  it('is no reason to leave out a value where it is only the status', async () => {
    const world = await createWorld();
    const [record] = [await contact(world)];
    await setOptions(world, 'enrichment_status', [OTHER]);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ firstname: somePerson(world).firstName });
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched' });
  });
});

it('what somebody had filled and then emptied stays empty at later looks, although we never wrote it, until somebody asks', async () => {
  const { world, record } = await worldWithContact({}, { jobtitle: 'My own title' });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'My own title' });
  await world.portal.edit(record, { jobtitle: '' });
  await liveOn(world, { forMs: 200 * DAY_MS, everyMs: 20 * DAY_MS });
  expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
  await settleDown(world);
  expect(world.wire.questions().length).toBe(2);
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
});
