import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf, daysUpTo, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { disclosuresOfPerson, identifiersOfRecord } from '#shared/privacy';
import { allKeys, resolveDoubt } from '#shared/questions';
import { because, yieldsOf } from '#shared/records';
import type { PortalState } from '../../infra/sandbox/hubspot/state.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import { createCommands, openConsole } from '../harness/console.ts';
import { createFuse, type FusePlan } from '../harness/fuse.ts';
import { APP_ID, type RecordName } from '../harness/hubspot-portal.ts';
import { aged, begun, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, contactByEmail, createCompany, someCompany, somePerson } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import { recall, sweeps } from '../harness/removals.ts';
import { isThorough, STRIDE } from '../harness/repeated.ts';
import { accept, acceptAll, undecided } from '../harness/review.ts';
import {
  enrichedContact,
  isDrained,
  liveOn,
  settleDown,
  settled,
  undo,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { haveAccident, SEARCH, strikeAsker } from './gateway/accident.ts';

type Fate = Omit<FusePlan, 'at'>;

const KILLED: Fate = { kind: 'death', effect: 'none' };
const KILLED_LATE: Fate = { kind: 'death', effect: 'done' };
const FAILED: Fate = { kind: 'error', effect: 'none' };
const FAILED_LATE: Fate = { kind: 'error', effect: 'done' };
/** Stands still for longer than any claim, deadline or doubt, and then goes on as if nothing had happened. */
const FROZEN: Fate = { kind: 'sleep', effect: 'none', forMs: 40 * MINUTE_MS };
const FROZEN_LATE: Fate = { ...FROZEN, effect: 'done' };

/** An operation whose process is cut off at one of its calls. */
interface Row {
  readonly operation: string;
  readonly fates: readonly Fate[];
  /** Distance between the calls of two courses, in strides; 1 unless given. */
  readonly strides?: number;
  /** Lets the process meet its fate, and expects the invariant. @returns false if it made fewer calls; its end */
  readonly course: (plan: FusePlan) => Promise<readonly [isStruck: boolean, end?: unknown]>;
  /** What all courses came to. */
  readonly ends?: (ends: readonly unknown[]) => void;
}

const AN_HOUR = { forMs: HOUR_MS, everyMs: 20 * MINUTE_MS };

/** The next worker meets its fate, and redelivery and sweeps follow. @returns whether it made so many calls */
async function livedThrough(world: World, plan: FusePlan, forMs = 3 * HOUR_MS, everyMs = forMs / 6) {
  const nth = world.processes.fuses.length;
  world.processes.planForNext(plan);
  await liveOn(world, { forMs, everyMs });
  return (world.processes.fuses[nth]?.calls() ?? 0) >= plan.at;
}

/** Values that neither HubSpot nor a person put there. */
async function filledBy(world: World, record: RecordName): Promise<string[]> {
  const theirs = /^(?:email|createdate|lastmodifieddate|hs_.*|enrichment_.*)$/;
  return Object.keys(await world.portal.properties(record)).filter((name) => !theirs.test(name));
}

/** One outcome and one charge, or a doubt; nothing without a disclosure; and everything can be undone. */
async function enrichment(plan: FusePlan) {
  const { at } = plan;
  const world = await createWorld();
  // Our own write gives it a profile URL, by which another question would be asked.
  const record = await contactByEmail(world);
  const isStruck = await livedThrough(world, plan);
  const state = await world.state(record);
  const told = await world.portal.properties(record);
  await expectCounted(world, record, at);
  await expectDisclosed(world, told, at);
  await expectUndoable(world, record, at);
  const { doubtful = 0, pending = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
  const asked = world.wire.questions().length;
  expect({ at, open: state?.run, asked: asked <= 1 }).toEqual({ at, open: undefined, asked: true });
  if (doubtful > 0) {
    // Marked as sent and never answered: nobody can know, so nobody asks again.
    expect({ at, pending, outcome: state?.outcome?.kind }).toEqual({ at, pending: 0, outcome: 'failed' });
    return [isStruck, 'a doubt'] as const;
  }
  expect({ at, credits: state?.creditsSpent }).toEqual({ at, credits: world.charged() });
  if (state?.outcome?.reason.code === 'may-be-looked-up') {
    // It stood still before it sent anything, and its doubt ended as not sent.
    expect({ at, asked, charged: world.charged() }).toEqual({ at, asked: 0, charged: 0 });
    return [isStruck, 'not sent'] as const;
  }
  expect({ at, asked, drained: await isDrained(world) }).toEqual({ at, asked: 1, drained: true });
  expect({ at, lastname: told['lastname'] }).toEqual({ at, lastname: somePerson(world).lastName });
  // What was written is known to be ours, also where the worker was gone before it could say so.
  expect({ at, written: Object.keys(state?.ownership ?? {}) }).toEqual({
    at,
    written: expect.arrayContaining(['lastname', 'jobtitle']),
  });
  return [isStruck, state?.outcome?.kind] as const;
}

/** What a crash leaves out is never counted, and nothing is counted twice. */
async function expectCounted(world: World, record: RecordName, at: number): Promise<void> {
  const outcomes = Object.values((await world.state(record))?.outcomes ?? {});
  const ended = outcomes.reduce((sum, count) => sum + count, 0);
  const days = daysUpTo(dayOf(world.clock.now(), world.policy.timeZone), 2);
  const counted = yieldsOf(await world.services.days.read(days)).reduce((sum, { runs }) => sum + runs, 0);
  const isRight = counted === ended || counted === ended - 1;
  expect({ at, counted, isRight }).toEqual({ at, counted, isRight: true });
}

async function expectDisclosed(world: World, told: Record<string, string | undefined>, at: number) {
  const email = somePerson(world).job.email ?? '';
  const named = identifiersOfRecord({ objectType: 'contacts', properties: { email } }, world.services.digest);
  const person = { identifiers: allKeys(named), records: [] };
  const [item] = await disclosuresOfPerson(world.services.questions.disclosures, person);
  // Also a request in doubt has sent the address.
  if (world.wire.questions().length > 0)
    expect({ at, requests: item?.requests.length }).toEqual({ at, requests: 1 });
  if (told['jobtitle'])
    expect({ at, went: item?.records[0]?.properties.includes('jobtitle') }).toEqual({ at, went: true });
}

async function expectUndoable(world: World, record: RecordName, at: number): Promise<void> {
  const report = await undo(world, record, { dryRun: true });
  if (typeof report === 'string') throw new Error(report);
  const back = report.restored.filter(({ to }) => to === null).map(({ property }) => property);
  const filled = await filledBy(world, record);
  expect({ at, back, kept: report.kept }).toEqual({ at, back: expect.arrayContaining(filled), kept: [] });
  const { enrichment_status: status } = await world.portal.properties(record);
  const statuses = filled.length > 0 ? ['enriched'] : ['failed', 'skipped'];
  expect({ at, status, isTold: statuses.includes(status ?? '') }).toEqual({ at, status, isTold: true });
}

/** One company is created and associated, unless the person is in doubt. */
async function association(plan: FusePlan) {
  const { at } = plan;
  const world = await createWorld({ policy: { associate: 'create' } });
  const record = await contactByEmail(world);
  const isStruck = await livedThrough(world, plan, 2 * HOUR_MS, 40 * MINUTE_MS);
  const asked = world.wire.questions().filter((url) => url.includes('reverse')).length;
  const all = Object.values((world.portal.sandbox.state() as PortalState).records['0-2']);
  const [domain] = somePerson(world).job.company.domains;
  const companies = all.filter(({ values }) => values['domain'] === domain).map(({ id }) => id);
  // A doubt about the person is no answer that names a company.
  const isDoubt = (await world.state(record))?.outcome?.kind === 'failed';
  expect({ at, asked, companies: companies.length }).toEqual({ at, asked, companies: isDoubt ? 0 : 1 });
  const { associatedcompanyid } = await world.portal.properties(record);
  expect({ at, associatedcompanyid }).toEqual({ at, associatedcompanyid: companies[0] });
  return [isStruck] as const;
}

/** Several questions, repeats and kills never cost more than the highest price of the rule. */
async function underRule(plan: FusePlan) {
  const rule = { name: 'cheap', maxCredits: 2, wantEmail: false };
  const contacts = ['personProfile', 'reverseEmail', 'lookUpPerson'] as const;
  const questions = { fallThrough: true, contacts: [...contacts] };
  const world = await createWorld({ policy: { questions, whom: { contacts: [rule] } } });
  const record = await world.portal.create('contacts', {
    hs_linkedin_url: 'https://www.linkedin.com/in/nobody-has-this-profile-at-all',
    email: 'nobody.at.all@an-unknown-firm.example',
    firstname: 'Nobody',
    lastname: 'Whatsoever',
    website: someCompany(world, 3).domains[0] ?? '',
  });
  const isStruck = await livedThrough(world, plan);
  expect([plan.at, world.charged() <= 2]).toEqual([plan.at, true]);
  const state = await world.state(record);
  expect([plan.at, state?.run]).toEqual([plan.at, undefined]);
  if (!isStruck) {
    const reason = because('above-price-of-rule', { rule: 'cheap', limit: 2, used: 2 });
    expect([world.charged(), state?.outcome?.reason]).toEqual([2, reason]);
  }
  return [isStruck] as const;
}

const AGREED = 5;

/** A contact whom the data service does not know: by its profile for 4 credits, its email for 1, its name for 4. */
async function unknownContact() {
  const world = await createWorld({
    agedMs: DAY_MS,
    policy: { questions: { fallThrough: true, wantPhone: true } },
  });
  const domain = somePerson(world).job.email?.split('@')[1] ?? '';
  const record = await world.portal.create('contacts', {
    hs_linkedin_url: 'https://www.linkedin.com/in/zoe-quill-of-nowhere',
    email: `zoe.quill@${domain}`,
    firstname: 'Zoe',
    lastname: 'Quill',
    website: domain,
  });
  await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
  return { world, record };
}

/** Nothing more is charged than a person agreed to, and the card shows each credit. */
async function agreedPrice(...plans: readonly [FusePlan, ...FusePlan[]]) {
  const [{ at }, ...others] = plans;
  const { world, record } = await unknownContact();
  const nth = world.processes.fuses.length;
  for (const plan of plans) world.processes.planForNext(plan);
  await cardOf(world, record).post({ id: 'card-request-1', kind: 'enrich', maxCredits: AGREED });
  await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  // Somebody reads in the vendor's own list what a request in doubt was charged.
  const open = await world.services.ledger.openReservations();
  const { posted = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
  for (const { questionKey } of open) {
    const resolution = { questionKey, charged: world.charged() > posted, note: 'looked up' };
    await resolveDoubt(world.services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
  }
  if (open.length > 0) await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  const charged = world.charged();
  const run = (await world.state(record))?.run;
  expect({ at, run, charged, isKept: charged <= AGREED }).toEqual({
    at,
    run: undefined,
    charged,
    isKept: true,
  });
  const { view } = await cardOf(world, record).show();
  expect({ at, shown: view.creditsSpent }).toEqual({ at, shown: charged });
  const isStruck = (world.processes.fuses[nth]?.calls() ?? 0) >= at;
  if (!isStruck && others.length === 0) {
    expect([charged, world.wire.questions().length]).toEqual([AGREED, 2]);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', credits: AGREED });
  }
  return [isStruck, charged] as const;
}

const COMPANIES = 4;

/** The quote of a backfill is kept. */
async function quotedBackfill(plan: FusePlan) {
  const city = { property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' } as const;
  const policy = { budgets: { perDay: 10_000 }, fields: { companies: [city] } };
  const world = await createWorld({ agedMs: DAY_MS, policy });
  for (let index = 0; index < COMPANIES; index += 1) await createCompany(world, index);
  await aged(world);
  const command = operator(world);
  const { id, quote } = await command('backfill', 'quote', '--objects', 'companies');
  await command('backfill', 'run', id, '--yes');
  const isStruck = await livedThrough(world, plan, 3 * DAY_MS, 6 * HOUR_MS);
  const { state } = await command('backfill', 'status', id);
  const isKept = world.charged() <= quote.atMost;
  expect([plan.at, state, quote.atMost, isKept]).toEqual([plan.at, 'done', COMPANIES, true]);
  return [isStruck] as const;
}

/** A backfill goes on where it was, whenever three sweeps are cut off, and asks once for each record. */
async function sweptBackfill({ at, kind, effect }: FusePlan) {
  const people = 7;
  const world = await oldPortal(people);
  const command = operator(world);
  const id = await begun(command, 'contacts');
  for (let again = 0; again < 3; again += 1) {
    world.processes.planForSweeps({ strike: { at: at + again, kind, effect } });
    await world.processes.reconcile().catch(() => undefined);
    world.processes.planForSweeps({});
    await settleDown(world);
  }
  // A message that was lost on its way is sent again after an hour.
  await liveOn(world, { forMs: 2 * HOUR_MS, everyMs: 20 * MINUTE_MS });
  const { state, ended, spent } = await command('backfill', 'status', id);
  expect({ at, state, ended, spent }).toEqual({ at, state: 'done', ended: people, spent: people });
  expect(world.charged()).toBe(people);
  // The first one was before the installation.
  expect((await world.states()).map(({ runsOpened }) => runsOpened)).toEqual(Array(people).fill(2));
  return [at < 80 - 9 * STRIDE] as const;
}

/** The card tells what an undo has brought back, whichever request to HubSpot was its last. */
const undoOnCard = (kind: 'undo' | 'wrong-match') => async (plan: FusePlan) => {
  const { world, record } = await worldWithContact();
  const nth = world.processes.fuses.length;
  world.processes.planForNext(plan);
  const run = { recordId: record.id, number: 1 };
  await cardOf(world, record).post({ id: 'card-request-1', kind, run });
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: 2 * MINUTE_MS });
  const { reply } = (await cardOf(world, record).show('card-request-1')).progress ?? {};
  const told = { kind: 'undone', restored: expect.arrayContaining(['jobtitle']) };
  expect([plan.at, reply]).toMatchObject([plan.at, told]);
  expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  return [world.processes.fuses[nth]?.isBlown() === true] as const;
};

/** The credits of a record are those of the bill once a person has decided its doubt. */
async function doubtDecided(plan: FusePlan) {
  const world = await createWorld();
  const record = await contact(world);
  const isStruck = await livedThrough(world, plan, HOUR_MS, 20 * MINUTE_MS);
  await world.clock.sleep(15 * MINUTE_MS);
  await world.processes.reconcile();
  const open = await world.services.ledger.openReservations();
  const answer = world.charged() > 0 ? '--charged' : '--not-charged';
  for (const { questionKey } of open)
    await openConsole(world)('doubts', 'resolve', questionKey, answer, '--note', 'usage list');
  await liveOn(world, AN_HOUR);
  const { creditsSpent: spent } = (await world.state(record)) ?? {};
  if (open.length > 0) expect({ ...plan, spent }).toEqual({ ...plan, spent: world.charged() });
  return [isStruck, open.length] as const;
}

/** What a late write took from a person is brought back. */
async function lateWrite(plan: FusePlan) {
  const world = await createWorld();
  const lost = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;
  await world.portal.change({ faults: [lost] });
  const record = await settled(world, contact(world));
  expect((await world.state(record))?.waiting?.reason).toBe('WRITE_UNCONFIRMED');
  const jobtitle = world.wire.writes()[0]?.properties['jobtitle'] ?? '';
  await world.portal.edit(record, { jobtitle: 'Master Potter' });
  await world.portal.edit(record, { jobtitle }, { source: 'INTEGRATION', sourceId: String(APP_ID) });
  world.processes.planForNext({ ...plan, forMs: 10 * SECOND_MS });
  await liveOn(world, AN_HOUR);
  const told = (await world.portal.properties(record))['jobtitle'];
  expect([plan.at, told]).toEqual([plan.at, 'Master Potter']);
  const isStruck = world.processes.fuses.some((fuse) => fuse.isBlown());
  return [isStruck, isStruck] as const;
}

async function valuesOf(world: World, record: RecordName) {
  const values = Object.entries(await world.portal.properties(record));
  return Object.fromEntries(values.filter(([name]) => !/^(?:enrichment_|lastmodified|hs_last)/.test(name)));
}

/** An undo is whole once it is typed again, and costs nothing. */
async function typedUndo(plan: FusePlan) {
  const { at } = plan;
  const world = await createWorld();
  const record = await contact(world);
  const before = await valuesOf(world, record);
  await settleDown(world);
  const spent = world.charged();
  const fuse = createFuse();
  fuse.arm(plan);
  const words = ['undo', `contacts/${record.id}`, '--yes', '--json'];
  await openConsole({ ...world, services: world.servicesOfPerson(fuse) })(...words);
  const isStruck = fuse.calls() >= at;
  await liveOn(world, AN_HOUR);
  await openConsole(world)(...words);
  await liveOn(world, AN_HOUR);
  expect({ at, values: await valuesOf(world, record) }).toEqual({ at, values: before });
  expect([world.charged(), await isDrained(world)]).toEqual([spent, true]);
  return [isStruck] as const;
}

const CHIEF = { jobtitle: 'Chief of Everything' };

/** Two enriched contacts, of which one has a title that a person wrote. */
async function twoContacts(options: WorldOptions = {}) {
  const world = await createWorld(options);
  const [first, second] = [await enrichedContact(world), await enrichedContact(world, 1)];
  await settled(world, world.portal.edit(first, CHIEF));
  const titles = async () =>
    Promise.all([first, second].map(async (each) => (await world.portal.properties(each))['jobtitle']));
  const areDone = async () =>
    Promise.all([first, second].map(async (each) => (await world.state(each))?.removal?.isDone));
  return { world, first, titles, areDone };
}

/** A recall goes on where it was: our values go, and those of people stay. */
async function typedRecall(plan: FusePlan) {
  const { world, first, titles } = await twoContacts();
  const fuse = createFuse();
  fuse.arm(plan);
  await recall(world, { fuse }).catch(() => undefined);
  const isStruck = fuse.calls() >= plan.at;
  await world.clock.sleep(HOUR_MS);
  await sweeps(world, 3);
  expect((await recall(world)).open).toEqual([]);
  await sweeps(world, 2);
  expect([plan.at, ...(await titles())]).toEqual([plan.at, CHIEF.jobtitle, undefined]);
  expect((await world.portal.properties(first))['company']).toBeUndefined();
  return [isStruck] as const;
}

const KEPT_DAYS = 100;
const RETENTION = { policy: { privacy: { retention: { contacts: [{ name: 'leads', days: KEPT_DAYS }] } } } };

/** The end of a retention rule comes once, by the next sweep or command, and buys nothing. */
const retention = (by: 'sweep' | 'command') => async (plan: FusePlan) => {
  const { world, titles, areDone } = await twoContacts(RETENTION);
  await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
  const charged = world.charged();
  const words = ['privacy', 'retention', '--yes'];
  if (by === 'sweep') {
    world.processes.planForSweeps({ strike: plan });
    await world.processes.reconcile().catch(() => undefined);
    world.processes.planForSweeps({});
  } else {
    const commands = createCommands(world);
    commands.plan([plan]);
    await commands.run(...words).catch(() => undefined);
  }
  for (let nth = by === 'sweep' ? 2 : 1; nth > 0; nth -= 1) {
    await world.clock.sleep(DAY_MS);
    if (by === 'command' && plan.effect === 'done') await openConsole(world)(...words);
    else await sweeps(world);
  }
  expect([plan.at, ...(await titles())]).toEqual([plan.at, CHIEF.jobtitle, undefined]);
  expect([await areDone(), world.charged()]).toEqual([[true, true], charged]);
  return [plan.at < 100] as const;
};

async function shadowed() {
  const world = await createWorld({ policy: { mode: 'shadow' } });
  return { world, record: await contactByEmail(world) };
}

/** A proposal is there once, and nothing is written. */
async function proposal(plan: FusePlan) {
  const { world, record } = await shadowed();
  const isStruck = await livedThrough(world, plan);
  // An answer in doubt proposes nothing.
  const isDoubt = (await world.state(record))?.outcome?.kind === 'failed';
  const kinds = (await undecided(world)).map(({ kind }) => kind);
  expect([plan.at, kinds]).toEqual([plan.at, isDoubt ? [] : ['proposal']]);
  expect(await world.portal.appWrites()).toEqual({ recordWrites: 0, propertyWrites: 0 });
  return [isStruck] as const;
}

/** What direct writing leaves of it, so that both can be compared. */
async function written(world: World) {
  const [state] = await world.states();
  if (!state) throw new Error('no state');
  const { enrichment_last_at: _, lastmodifieddate: __, ...values } = await world.portal.properties(state);
  return { values, ownership: Object.keys(state.ownership).sort(), credits: state.creditsSpent };
}

async function undisturbed() {
  const { world } = await shadowed();
  await settleDown(world);
  await acceptAll(world);
  return written(world);
}

let whole: ReturnType<typeof undisturbed> | undefined;

/** A proposal is written once it is accepted again, as one that was not cut off. */
async function acceptance(plan: FusePlan) {
  whole ??= undisturbed();
  const { world, record } = await shadowed();
  await settleDown(world);
  const spent = world.charged();
  const fuse = createFuse();
  fuse.arm(plan);
  await accept(world, [record], { fuse }).catch(() => undefined);
  const isStruck = fuse.calls() >= plan.at;
  await liveOn(world, AN_HOUR);
  await acceptAll(world);
  await liveOn(world, AN_HOUR);
  expect([plan.at, await written(world)]).toEqual([plan.at, await whole]);
  expect([await undecided(world), world.charged(), await isDrained(world)]).toEqual([[], spent, true]);
  return [isStruck] as const;
}

/** An asker of one question: whoever else is there, it is paid once and answered, or a listed doubt. */
const askerOf = (accident: Omit<Parameters<typeof strikeAsker>[0], 'fate'>) => async (fate: FusePlan) => {
  const { isStruck, problems } = await strikeAsker({ ...accident, fate });
  expect([fate.at, problems]).toEqual([fate.at, []]);
  return [isStruck] as const;
};

/** What a sweep or a person leaves, another finishes, whatever befell the asker. */
const afterAskers =
  (accidents: readonly Parameters<typeof haveAccident>[0][], who: 'sweepFate' | 'personFate') =>
  async (plan: FusePlan) => {
    let isStruck = false;
    for (const accident of accidents) {
      const { isOtherStruck, problems } = await haveAccident({ ...accident, [who]: plan });
      expect([plan.at, accident.fate, problems]).toEqual([plan.at, accident.fate, []]);
      isStruck ||= isOtherStruck;
    }
    return [isStruck] as const;
  };

/** At each call, or at some of them; the first fifteen are all that an asker makes where it is answered. */
const DEAD_ASKERS = [1, 12].flatMap((first) =>
  Array.from({ length: isThorough ? 11 : 1 }, (_, nth) => ({ fate: { ...KILLED_LATE, at: first + nth } })),
);
const SENT = [KILLED_LATE, FROZEN_LATE].map((fate) => ({ fate: { ...fate, at: 3 } }));
const RESOLVED = (['charged', 'not-charged'] as const).flatMap((resolve) =>
  SENT.map((sent) => ({
    ...sent,
    resolve,
    ...(sent.fate.kind === 'sleep' && { thaw: 'as-resolved' as const }),
  })),
);

const DEATHS = [KILLED, KILLED_LATE];
const ANY = [KILLED, KILLED_LATE, FAILED];
const ON_CARD: readonly Fate[] = [{ ...KILLED_LATE, among: 'hubspot' }];

const EACH = [...ANY, FAILED_LATE, FROZEN, FROZEN_LATE];
/** What the vendor says, and who else is there. */
const SITUATIONS = [
  ['found', 'nobody', 'others', 'wider-asker'],
  ['lost-charged', 'nobody', 'others', 'wider-asker'],
] as const;
const AT_NIGHT = [
  ['no-match', 'others', 'wider-asker'],
  ['not-sent', 'others', 'wider-asker'],
  ...(['lost-free', 'rate-limited', 'key-refused', 'out-of-credits', 'bad-request'] as const).map(
    (reply) => [reply, 'others'] as const,
  ),
] as const;

const ROWS: readonly Row[] = [
  ...[...SITUATIONS, ...(isThorough ? AT_NIGHT : [])].flatMap(([reply, ...companies]) =>
    companies.map((company) => ({
      operation: `a question (${reply}, ${company})`,
      fates: EACH,
      strides: 0.4,
      course: askerOf({ reply, company }),
    })),
  ),
  {
    operation: 'a search',
    fates: EACH,
    strides: 0.4,
    course: askerOf({ company: 'others', question: SEARCH, wider: SEARCH }),
  },
  {
    operation: 'a sweep after an asker that died',
    fates: EACH,
    course: afterAskers(DEAD_ASKERS, 'sweepFate'),
  },
  {
    operation: 'the resolution of a doubt',
    fates: EACH,
    strides: 0.3,
    course: afterAskers(RESOLVED, 'personFate'),
  },
  {
    operation: 'an enrichment',
    fates: [...ANY, FROZEN, FROZEN_LATE],
    course: enrichment,
    ends: (ends) => {
      expect((ends.length - 1) * STRIDE).toBeGreaterThan(10);
      expect(ends).toContain('enriched');
      for (const end of ends) expect(['enriched', 'unchanged', 'a doubt', 'not sent']).toContain(end);
    },
  },
  { operation: 'an association', fates: ANY, course: association },
  { operation: 'questions under the highest price of a rule', fates: DEATHS, strides: 2, course: underRule },
  {
    operation: 'a request at an agreed price',
    fates: [...ANY, FAILED_LATE],
    course: agreedPrice,
    ends: (ends) => expect(Math.max(...ends.map(Number))).toBe(AGREED),
  },
  {
    operation: 'a request at an agreed price, twice',
    fates: [KILLED_LATE],
    strides: 2,
    course: (plan) => agreedPrice({ ...plan, at: plan.at + 19 }, { ...KILLED, at: plan.at + 19 }),
  },
  { operation: 'a backfill', fates: [KILLED_LATE, FAILED], strides: 6, course: quotedBackfill },
  {
    operation: 'the sweeps of a backfill',
    fates: [FAILED, FAILED_LATE, ...DEATHS],
    strides: 9,
    course: sweptBackfill,
  },
  { operation: 'an undo on the card', fates: ON_CARD, course: undoOnCard('undo') },
  { operation: 'a wrong match on the card', fates: ON_CARD, course: undoOnCard('wrong-match') },
  {
    operation: 'a question that may be left in doubt',
    fates: [KILLED_LATE],
    course: doubtDecided,
  },
  {
    operation: 'the request of a question',
    fates: [{ ...KILLED_LATE, among: 'data-service' }],
    course: async (plan) => [false, (await doubtDecided(plan))[1]],
    ends: (ends) => expect(ends).toEqual([1]),
  },
  {
    operation: 'the look after a late write',
    fates: DEATHS,
    course: lateWrite,
    ends: (ends) => expect(ends.filter(Boolean).length * STRIDE).toBeGreaterThan(5),
  },
  { operation: 'an undo that is typed', fates: ANY, course: typedUndo },
  { operation: 'a recall', fates: DEATHS, strides: 4, course: typedRecall },
  { operation: 'a retention rule in a sweep', fates: DEATHS, strides: 2, course: retention('sweep') },
  { operation: 'a retention rule in a command', fates: DEATHS, strides: 4, course: retention('command') },
  { operation: 'a proposal', fates: ANY, course: proposal },
  { operation: 'the acceptance of a proposal', fates: ANY, course: acceptance },
];

describe.each(ROWS)(
  '$operation is cut off at any one of its calls',
  ({ fates, strides = 1, course, ends }) => {
    // Fates begin at different calls, so that together they look at more of them.
    it.each(fates.map((fate, nth) => ({ fate, first: 1 + (nth % STRIDE) })))(
      '$fate',
      async ({ fate, first }) => {
        const found: unknown[] = [];
        for (let at = first, isStruck = true; isStruck; at += Math.ceil(strides * STRIDE)) {
          const [struck, end] = await course({ ...fate, at });
          found.push(end);
          isStruck = struck;
        }
        ends?.(found);
      },
    );
  },
);
