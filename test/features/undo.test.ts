import { describe, expect, it } from 'vitest';
import { undoRecord } from '#inside/take-back/undo.ts';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { explanationText, historyOf } from '#shared/records';
import { type UndoReport, undoRecords } from '#shared/take-back';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import { APP_ID, type RecordName } from '../harness/hubspot-portal.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { forget } from '../harness/removals.ts';
import { reject, undecided } from '../harness/review.ts';
import {
  changeState,
  enrichedContact,
  foundByEmail,
  isDrained,
  liveOn,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

interface Wish {
  readonly property?: string;
  readonly run?: number;
  readonly dryRun?: boolean;
}

type Report = UndoReport & { readonly record: string };

/** The report of the command `undo <record>`, or the code of its refusal. */
async function undo(
  world: World,
  { objectType, id }: RecordName,
  { property, run, dryRun = false }: Wish = {},
): Promise<Report | string> {
  let code = 'no report';
  const told = await openConsole(world, {}, (error) => {
    code = error.code;
  })(
    ...['undo', `${objectType}/${id}`, '--json', dryRun ? '--dry-run' : '--yes'],
    ...(property === undefined ? [] : ['--property', property]),
    ...(run === undefined ? [] : ['--run', String(run)]),
  );
  if (told === undefined) return code;
  const [{ refused, ...report }] = JSON.parse(told).records;
  return refused ?? report;
}

async function reportOf(world: World, record: RecordName, wish: Wish = {}): Promise<Report> {
  const report = await undo(world, record, wish);
  if (typeof report === 'string') throw new Error(report);
  return report;
}

describe('an undo', () => {
  it('brings back what was there before, and says what it brought back', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somePerson(world));
    const record = await enrichedContact(world);
    const filled = Object.keys(await world.portal.properties(record));
    expect(filled).toContain('jobtitle');
    const report = await reportOf(world, record);
    expect(report.kept).toEqual([]);
    expect(report.restored.map(({ property }) => property)).toContain('jobtitle');
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({
      hs_linkedin_url: url,
      enrichment_reason: expect.stringContaining('Job Title'),
    });
    expect(after['enrichment_reason']).not.toContain('jobtitle');
    expect((await world.state(record))?.outcome?.reason).toMatchObject({ code: 'undone' });
    for (const { property } of report.restored) expect(after[property]).toBeUndefined();
  });

  it('is filled in again only when somebody asks for the record, at no cost', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    await reportOf(world, record, { property: 'jobtitle' });
    await settleDown(world);
    const spent = world.charged();
    await settled(world, world.portal.edit(record, { phone: '+1 415 555 0100' }));
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['enrichment_requested']).toBe('false');
  });

  it('takes one property only, and is not offered twice', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    const before = await world.portal.properties(record);
    const report = await reportOf(world, record, { property: 'jobtitle' });
    expect(report.restored).toEqual([{ property: 'jobtitle', from: before['jobtitle'], to: null }]);
    expect(await world.services.journal.read(record, 2)).toMatchObject({
      kind: 'undo',
      changes: [
        { property: 'jobtitle', before: before['jobtitle'], after: '', state: 'written' },
        { property: 'enrichment_reason' },
      ],
    });
    expect(await world.portal.properties(record)).toMatchObject({ lastname: before['lastname'] });
    expect(await undo(world, record, { property: 'jobtitle' })).toBe('nothing-to-undo');
  });

  it('keeps away from a record that a worker holds', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    const claim = { owner: 'a worker', untilMs: world.clock.now() + 60_000 };
    const run = { id: 'r', purpose: 'live' as const, openedAtMs: world.clock.now(), credits: 0 };
    await changeState(world, record, ({ runsOpened }) => ({ claim, run, runsOpened: runsOpened + 1 }));
    expect(await undo(world, record)).toBe('busy');
  });

  it('leaves a stale record to the refresh', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    await world.clock.sleep(400 * DAY_MS);
    await reportOf(world, record, { property: 'jobtitle' });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
  });
});

it('an undo of many records reads and writes them together, and answers for each', async () => {
  const world = await createWorld();
  const [first, second, third] = [
    await enrichedContact(world),
    await enrichedContact(world, 1),
    await enrichedContact(world, 2),
  ];
  const records = [first, second, third];
  await world.portal.edit(second, { jobtitle: 'Chief of Everything' });
  world.wire.forget();
  const { clock, policy, services } = world;
  let made = 0;
  const undoing = { ...services, clock, policy, newId: () => `undo-${++made}` };
  const requests = records.map(({ id }) => ({ id, isChosen: () => true }));
  const results = await undoRecords(undoing, { objectType: 'contacts', requests });
  expect(results).toMatchObject([{ kept: [] }, { kept: [{ property: 'jobtitle' }] }, { kept: [] }]);
  for (const record of records) {
    const { code, ...rest } = (await world.state(record))?.outcome?.reason ?? { code: '' };
    expect(code).toBe('undone');
    expect(await statusOf(world, record.id)).toBe(explanationText({ code, ...rest }));
  }
  const updates = world.wire.hubSpotRequests().filter((path) => path.endsWith('/batch/update'));
  expect(updates).toHaveLength(1);
});

async function statusOf(world: World, id: string): Promise<string | undefined> {
  return (await world.portal.properties({ objectType: 'contacts', id }))['enrichment_reason'];
}

describe('an undo of a record that others were merged into', () => {
  async function merged() {
    const world = await createWorld();
    const [a, b] = [await enrichedContact(world, 0), await enrichedContact(world, 1)];
    const titles = [await world.portal.properties(a), await world.portal.properties(b)].map(
      ({ jobtitle }) => jobtitle,
    );
    const winner = await settled(world, world.portal.merge(a, b));
    return { world, a, b, winner, titles };
  }

  it('is the same by the name of one that was merged, dry or not', async () => {
    const { world, a, winner } = await merged();
    const dry = await reportOf(world, a, { dryRun: true });
    expect(dry).toMatchObject({ record: `contacts/${winner.id}` });
    expect(dry.restored.length).toBeGreaterThan(3);
    expect(await reportOf(world, a)).toEqual(dry);
    expect(await undo(world, winner)).toBe('nothing-to-undo');
  });

  it('finds what was written through two merges', async () => {
    const { world, a, b, winner } = await merged();
    const third = await enrichedContact(world, 2);
    const last = await settled(world, world.portal.merge(winner, third));
    const state = await world.state(last);
    if (!state) throw new Error('no state');
    const ids = (await historyOf(world.services, state)).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([a.id, b.id, third.id]));
    expect((await reportOf(world, a)).restored.length).toBeGreaterThan(3);
  });
});

describe('an undo of a record whose person is forgotten', () => {
  it('finds nothing, dry or not', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    await forget(world, record);
    expect(await undo(world, record)).toBe('nothing-to-undo');
    expect(await undo(world, record, { dryRun: true })).toBe('nothing-to-undo');
  });

  it('between its claim and its entry in the journal writes nothing', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    world.wire.forget();
    const { services, clock, policy } = world;
    const plan: typeof services.journal.plan = async (entry) => {
      await forget(world, record);
      return services.journal.plan(entry);
    };
    const undoing = {
      ...services,
      journal: { ...services.journal, plan },
      clock,
      policy,
      newId: () => 'undo',
    };
    expect(await undoRecord(undoing, { ...record, isChosen: () => true })).toBe('forgotten');
    expect(world.wire.writes()).toEqual([]);
  });

  it('while it is at work writes nothing any more', async () => {
    const world = await createWorld();
    const record = await enrichedContact(world);
    world.wire.forget();
    const fault = { path: 'contacts/batch/read', kind: 'slow', delayMs: 5_000, rate: 1, times: 4 } as const;
    await world.portal.change({ faults: [fault] });
    const undoing = undo(world, record);
    await world.clock.sleep(13_000);
    await forget(world, record);
    const tombstone = await world.state(record);
    expect(await undoing).toBe('forgotten');
    expect(world.wire.writes()).toEqual([]);
    expect(await world.state(record)).toEqual(tombstone);
  });
});

/** A person gives the record to somebody else. */
function becomesSomebodyElse(world: World, record: RecordName): Promise<void> {
  const hs_linkedin_url = profileUrlOf(somePerson(world, 1));
  const { firstName: firstname, lastName: lastname } = somePerson(world, 1);
  return world.portal.edit(record, { hs_linkedin_url, firstname, lastname });
}

async function companyOf(world: World, record: RecordName): Promise<string | undefined> {
  return (await world.portal.properties(record))['company'];
}

describe('an undo of one property', () => {
  it('lets a run that waits for budget go on afterwards', async () => {
    const { world, record } = await worldWithContact({ policy: { budgets: { perDay: 3 } } });
    await becomesSomebodyElse(world, record);
    await settleDown(world);
    expect((await world.state(record))?.waiting?.reason).toBe('budget');
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [{}] });
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 6 * HOUR_MS });
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    expect(await isDrained(world)).toBe(true);
  });

  it('keeps away from an answer that was paid for and is not written yet', async () => {
    const { world, record } = await worldWithContact();
    const spent = world.charged();
    await becomesSomebodyElse(world, record);
    await world.portal.sandbox.deliverWebhooks();
    await world.portal.change({
      faults: [{ path: 'batch/update', kind: 'reset-before', rate: 1, times: 6 }],
    });
    await world.processes.work();
    expect((await world.state(record))?.run?.answeredQuestion).toBeDefined();
    expect(await undo(world, record, { property: 'jobtitle' })).toBe('busy');
    await liveOn(world, { forMs: HOUR_MS });
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
    expect((await world.state(record))?.creditsSpent).toBe(world.charged());
    expect(world.charged()).toBeGreaterThan(spent);
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [{}] });
  });

  it('does not hide what a person changed just before', async () => {
    const { world, record } = await worldWithContact();
    await becomesSomebodyElse(world, record);
    await undo(world, record, { property: 'jobtitle' });
    await settleDown(world);
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
  });

  it('leaves its charge to the run that it took over', async () => {
    const { world, record } = await worldWithContact();
    const { creditsSpent } = (await world.state(record)) ?? {};
    const run = { id: 'r', purpose: 'backfill' as const, openedAtMs: world.clock.now(), credits: 2 };
    const waiting = { reason: 'budget', untilMs: world.clock.now() + HOUR_MS };
    await changeState(world, record, ({ runsOpened }) => ({ run, waiting, runsOpened: runsOpened + 1 }));
    await undo(world, record, { property: 'jobtitle' });
    expect(await world.state(record)).toMatchObject({
      outcome: { kind: 'unchanged', credits: 0 },
      creditsSpent,
      run: { id: 'r', purpose: 'backfill', credits: 2 },
    });
  });
});

it('an undo takes back what a run wrote whose answer from HubSpot was lost', async () => {
  const world = await createWorld();
  await world.portal.change({ faults: [{ path: 'batch/update', kind: 'reset-after', rate: 1, times: 6 }] });
  const record = await contact(world);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.state(record)).toMatchObject({ outcomes: { enriched: 1, unchanged: 0 } });
  const restored = ['jobtitle', 'city'].map((property) => expect.objectContaining({ property, to: null }));
  expect(await undo(world, record)).toMatchObject({ restored: expect.arrayContaining(restored) });
});

it('an undo of 55 records shows its progress, stops between two batches at Ctrl-C, and goes on when repeated', async () => {
  const world = await createWorld();
  const records: RecordName[] = [];
  for (let index = 0; index < 55; index += 1) records.push(await contact(world, index));
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  const left = async () => {
    const titles = await Promise.all(
      records.map(async (record) => (await world.portal.properties(record))['jobtitle']),
    );
    return titles.filter((title) => title).length;
  };
  expect(await left()).toBe(55);
  // A progress bar is shown after two seconds.
  let nowMs = 0;
  const clock = { ...world.clock, monotonic: () => (nowMs += 3_000) };
  const interruption = new AbortController();
  const shown: string[] = [];
  const err = (text: string) => {
    shown.push(text);
    if (/(?:^|\D)0\D+55\D/.test(text))
      interruption.abort(new CliError('stopped', 'Stopped.', { exit: EXIT.failed }));
  };
  const screen = { clock, err, signal: interruption.signal, terminal: { ask: async () => 'no' } };
  const words = ['undo', '--from', '2026-01-01', '--yes'];
  expect(await openConsole(world, screen)(...words)).toBeUndefined();
  expect(await left()).toBe(5);
  await openConsole(world)(...words);
  expect(await left()).toBe(0);
});

const LOST = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;

const OURS = { source: 'INTEGRATION', sourceId: String(APP_ID) } as const;

type Record = Awaited<ReturnType<typeof contact>>;

/** An enriched contact; `onFailure` happens once HubSpot has failed at the undo's write. */
async function failingUndo(onFailure: (world: World, record: Record) => Promise<void> = async () => {}) {
  let meanwhile: (() => Promise<void>) | undefined;
  const world: World = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      const happens = response.status === 503 ? meanwhile : undefined;
      meanwhile = happens ? undefined : meanwhile;
      await happens?.();
      return response;
    },
  });
  const record = await settledContact(world);
  const { jobtitle = '' } = await world.portal.properties(record);
  meanwhile = () => onFailure(world, record);
  return { world, record, jobtitle };
}

async function titleOf(world: World, record: Record): Promise<string> {
  return (await world.portal.properties(record))['jobtitle'] ?? '';
}

describe('an undo whose write HubSpot fails at', () => {
  it('is repeated', async () => {
    const { world, record, jobtitle } = await failingUndo();
    await world.portal.change({ faults: [LOST] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
      restored: [{ property: 'jobtitle', from: jobtitle, to: null }],
      kept: [],
    });
    expect(await titleOf(world, record)).toBe('');
  });

  it('gives back what a person typed before the failed write arrived late', async () => {
    const { world, record, jobtitle } = await failingUndo(async (its, name) => {
      await its.portal.edit(name, { jobtitle: 'Master Potter' });
      await its.portal.edit(name, { jobtitle: '' }, OURS);
    });
    await world.portal.change({ faults: [LOST] });
    const report = await undo(world, record, { property: 'jobtitle' });
    expect(report).toMatchObject({ restored: [{ from: jobtitle, to: 'Master Potter' }] });
    expect(await titleOf(world, record)).toBe('Master Potter');
    await settleDown(world);
    expect(await titleOf(world, record)).toBe('Master Potter');
  });

  it('keeps what a person typed, where the write never arrives', async () => {
    const { world, record } = await failingUndo((its, name) =>
      its.portal.edit(name, { jobtitle: 'Master Potter' }),
    );
    await world.portal.change({ faults: [LOST] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [] });
    expect(await titleOf(world, record)).toBe('Master Potter');
  });

  it('ends as failed where HubSpot stays down, and says so', async () => {
    const { world, record, jobtitle } = await failingUndo();
    await world.portal.change({ faults: [{ ...LOST, times: 20 }] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
      restored: [],
      kept: [{ property: 'jobtitle', code: 'refused' }],
    });
    expect(await titleOf(world, record)).toBe(jobtitle);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'failed' });
  });
});

it('an undo of which HubSpot refuses one value brings back the others, and says why', async () => {
  const { world, record } = await worldWithContact(
    { policy: { fields: { contacts: { jobtitle: { write: 'always' } } } } },
    { jobtitle: 'Potter' },
  );
  const rule = { objectType: 'contact', propertyName: 'jobtitle' } as const;
  await world.portal.change({ valueRules: [{ ...rule, ruleType: 'MIN_LENGTH', ruleArguments: ['7'] }] });
  const report = await reportOf(world, record);
  expect(report.restored.length).toBeGreaterThan(2);
  expect(report.kept).toMatchObject([{ property: 'jobtitle', code: 'refused' }]);
});

/** Two enriched contacts, of which the one that remains has lost its job title to an undo, or to a person. */
async function merged(by: 'undo' | 'person') {
  const world = await createWorld();
  const a = await contact(world);
  const b = await settledContact(world, 1);
  if (by === 'undo') await undo(world, a, { property: 'jobtitle' });
  else await world.portal.edit(a, { jobtitle: '' });
  await settleDown(world);
  const winner = await settled(world, world.portal.merge(a, b));
  return { world, winner };
}

it.each(['undo', 'person'] as const)(
  'our value that a merge has brought from the other record is taken back by an undo, after the first was emptied by: %s',
  async (by) => {
    const { world, winner } = await merged(by);
    // The merge brings another address, so the record is looked up again, and a newer answer may have replaced it.
    expect((await world.portal.properties(winner))['jobtitle'] ?? '').not.toBe('');
    const report = await undo(world, winner, { property: 'jobtitle' });
    expect(report).toMatchObject({ restored: [{ property: 'jobtitle', to: null }], kept: [] });
    expect((await world.portal.properties(winner))['jobtitle'] ?? '').toBe('');
  },
);

it('a value that an undo brought back stays after a merge, also when the record is looked up again', async () => {
  let version = 1;
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      return {
        ...response,
        body: response.body.replaceAll(/"title":"[^"]*"/g, `"title":"Potter ${version}"`),
      };
    },
  });
  const [a, b] = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  version = 2;
  await refreshAfter(world, 400 * DAY_MS);
  await undo(world, b, { property: 'jobtitle', run: 2 });
  await undo(world, a, { property: 'jobtitle' });
  const winner = await world.portal.merge(a, b);
  const jobtitle = async () => (await world.portal.properties(winner))['jobtitle'];
  expect(await jobtitle()).toBe('Potter 1');
  version = 3;
  await settleDown(world);
  await refreshAfter(world, 400 * DAY_MS);
  expect(await jobtitle()).toBe('Potter 1');
});

it('the card calls our values ours after a merge', async () => {
  const world = await createWorld();
  const [a, b] = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await undo(world, a, { property: 'jobtitle' });
  const winner = await settled(world, world.portal.merge(a, b));
  const { view } = await cardOf(world, winner).show();
  const ours = view.values.filter(({ now }) => now === 'ours').map(({ property }) => property);
  expect(ours).toEqual(expect.arrayContaining(['jobtitle', 'city']));
  expect(view.values.filter(({ now }) => now === 'changed')).toEqual([]);
});

it.each([
  ['CRM_UI', 'person-changed'],
  ['MOBILE_IOS', 'person-changed'],
  ['IMPORT', 'app-changed'],
])('an undo says who changed a value %s: %s', async (source, code) => {
  const { world, record } = await worldWithContact();
  await world.portal.edit(record, { jobtitle: 'Master Potter' }, { source, sourceId: '9' });
  expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
    kept: [{ property: 'jobtitle', code }],
  });
});

async function enrichedWorld() {
  const { world, record } = await worldWithContact();
  expect(await standingOf(world, record)).toMatchObject({ status: 'enriched', source: 'personProfile' });
  return { world, record };
}

async function standingOf(world: World, record: RecordName) {
  const { enrichment_status, enrichment_source, enrichment_next_check_at } =
    await world.portal.properties(record);
  return { status: enrichment_status, source: enrichment_source ?? '', next: enrichment_next_check_at ?? '' };
}

it('a record of which everything was undone is neither called enriched nor bought again until a person asks for it, in HubSpot and on the card', async () => {
  const { world, record } = await enrichedWorld();
  await undo(world, record);
  const spent = world.charged();
  const expectSkipped = async () => {
    expect(await standingOf(world, record)).toEqual({ status: 'skipped', source: '', next: '' });
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'skipped' } });
  };
  await expectSkipped();
  await settled(world, world.portal.edit(record, { phone: '+1 415 555 0100' }));
  await expectSkipped();
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  const next = expect.stringMatching(/^20/);
  expect(await standingOf(world, record)).toEqual({ status: 'enriched', source: 'personProfile', next });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: somePerson(world).job.title });
  expect(world.charged()).toBe(spent);
});

it('a record of which one value was undone is still called enriched', async () => {
  const { world, record } = await enrichedWorld();
  const before = await standingOf(world, record);
  await undo(world, record, { property: 'jobtitle' });
  expect(await standingOf(world, record)).toEqual(before);
});

describe('a record that a person marked as a wrong match', () => {
  const ID = '11111111-2222-4333-8444-555555555555';
  const run = (record: RecordName) => ({ recordId: record.id, number: 1 });

  it('is called unmatched, in HubSpot and on the card', async () => {
    const { world, record } = await enrichedWorld();
    const card = cardOf(world, record);
    const { view } = await card.ask({ id: `${ID}-wrong-match`, kind: 'wrong-match', run: run(record) });
    expect(await standingOf(world, record)).toEqual({ status: 'unmatched', source: '', next: '' });
    expect(view.standing).toMatchObject({ outcome: { kind: 'unmatched' } });
  });
});

describe('a record of which a person rejected a review item', () => {
  const isOver = { source: '', next: '' };
  const { contacts } = parsePolicy({ budgets: { perDay: 1 } }).fields;
  const SHADOWED = Object.fromEntries(contacts.map(({ property }) => [property, { shadow: true }]));

  it('no longer waits for a person in HubSpot, where the answer was about somebody else', async () => {
    const { world, record } = await worldWithContact({}, { firstname: 'Xanthippe', lastname: 'Quux' });
    expect(await standingOf(world, record)).toMatchObject({ status: 'review', source: 'personProfile' });
    await reject(world, record, 'contradiction');
    expect(await standingOf(world, record)).toEqual({ status: 'unmatched', ...isOver });
    const spent = world.charged();
    await settleDown(world);
    expect(await standingOf(world, record)).toEqual({ status: 'unmatched', ...isOver });
    expect(world.charged()).toBe(spent);
  });

  it('is not led to the rejected answer again: no face says that it needs review, or offers the answer', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const typed = { email: person.job.email ?? '', firstname: 'Xanthippe', lastname: 'Quux' };
    const record = await settled(world, world.portal.create('contacts', typed));
    await reject(world, record, 'contradiction');
    await settled(world, world.portal.edit(record, { hs_linkedin_url: profileUrlOf(person) }));
    expect(await standingOf(world, record)).toMatchObject({ status: 'unmatched' });
    expect(await undecided(world)).toEqual([]);
    const { progress } = await cardOf(world, record).ask({ id: `quote-${record.id}`, kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { questions: [], credits: 0, code: 'wrong-match' } });
  });

  it('is not called enriched, where nothing but proposals came of the answer', async () => {
    const { world, record } = await worldWithContact({ policy: { fields: { contacts: SHADOWED } } });
    expect(await standingOf(world, record)).toMatchObject({ source: 'personProfile' });
    await reject(world, record);
    expect(await standingOf(world, record)).toEqual({ status: 'skipped', ...isOver });
  });

  it('is called enriched still, where other values of the answer were written', async () => {
    const { world, record } = await worldWithContact({
      policy: { fields: { contacts: { city: { shadow: true } } } },
    });
    const before = await standingOf(world, record);
    expect(before).toMatchObject({ status: 'enriched', source: 'personProfile' });
    await reject(world, record);
    expect(await standingOf(world, record)).toEqual(before);
  });
});

it('an undo of everything is not undone again, and the record is due for no check on any face', async () => {
  const world = await createWorld();
  const record = await enrichedContact(world);
  const report = await openConsole(world)('undo', `contacts/${record.id}`, '--yes');
  expect(report).toContain('emptied');
  const explained = await operator(world)('explain', `contacts/${record.id}`);
  const { view } = await cardOf(world, record).show();
  const inHubSpot = (await world.portal.properties(record))['enrichment_next_check_at'] ?? '';
  expect([explained.refresh, view.nextCheckAtMs, inHubSpot]).toEqual([undefined, undefined, '']);
  expect(await undo(world, record, { run: 1 })).toBe('nothing-to-undo');
  const spent = world.charged();
  await refreshAfter(world, 181 * DAY_MS);
  expect(world.charged()).toBe(spent);
});

describe('an email that a person empties', () => {
  it.each(['undo', 'wrong-match'] as const)(
    'causes no lookup after the whole answer is taken back: %s',
    async (kind) => {
      const { world, record } = await foundByEmail();
      const run = { recordId: record.id, number: 1 };
      const { progress } = await cardOf(world, record).ask({ id: 'card-take-back-1', kind, run });
      expect(progress?.reply).toMatchObject({ kind: 'undone', kept: [] });
      await settled(world, world.portal.edit(record, { email: '' }));
      expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', credits: 0 });
      expect(world.charged()).toBe(1);
    },
  );

  it('leads to a lookup by name, if a person rejected the last answer', async () => {
    const { world, record } = await foundByEmail({ policy: { questions: { wantEmail: false } } });
    const run = { recordId: record.id, number: 1 };
    const card = cardOf(world, record);
    await card.ask({ id: 'card-wrong-1', kind: 'wrong-match', run });
    await settled(world, world.portal.edit(record, { email: '' }));
    await card.ask({ id: 'card-enrich-1', kind: 'enrich', maxCredits: 1 });
    expect(world.charged()).toBe(2);
  });
});
