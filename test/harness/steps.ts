import { undoRecord } from '#inside/take-back/undo.ts';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { type RecordState, recordKind } from '#shared/records';
import { readReport } from '#shared/spend';
import type { Properties, RecordName } from './hubspot-portal.ts';
import { contact, somePerson } from './people.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** Delivers due webhooks, and works until nothing more can be done now. */
export async function settleDown(world: World, { workers = 1 } = {}): Promise<void> {
  for (;;) {
    const { requests } = await world.portal.sandbox.deliverWebhooks();
    const visible = Object.values(world.queues).some(
      (queue) => (queue.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) <= world.clock.now(),
    );
    if (requests === 0 && !visible) break;
    await world.processes.work({ workers });
    await verify(world);
  }
  await verify(world);
}

/** Waits for what somebody does in HubSpot, and for all that follows from it. */
export async function settled<R>(world: World, act: Promise<R>): Promise<R> {
  const result = await act;
  await settleDown(world);
  return result;
}

/** Creates a contact, and works until nothing more can be done now. */
export const settledContact = (world: World, index = 0, more: Properties = {}): Promise<RecordName> =>
  settled(world, contact(world, index, more));

/** Creates any record, and works until nothing more can be done now. */
export const settledRecord = (
  world: World,
  ...given: Parameters<World['portal']['create']>
): Promise<RecordName> => settled(world, world.portal.create(...given));

/** The same in a world of its own. */
export async function worldWithContact(options: WorldOptions = {}, more: Properties = {}) {
  const world = await createWorld(options);
  return { world, record: await settledContact(world, 0, more) };
}

/** A contact found by its email for 1 credit. People filled its email, its names and its website. */
export async function foundByEmail(options: WorldOptions = {}) {
  const world = await createWorld(options);
  const { firstName: firstname, lastName: lastname, job } = somePerson(world);
  const email = job.email ?? '';
  const website = email.split('@')[1] ?? '';
  const record = await settledRecord(world, 'contacts', { email, firstname, lastname, website });
  if (world.charged() !== 1) throw new Error('The contact was not found by its email.');
  return { world, record };
}

/** @throws Error if the contact is not enriched. */
export async function enrichedContact(world: World, index = 0, more: Properties = {}): Promise<RecordName> {
  const record = await settledContact(world, index, more);
  const kind = (await world.state(record))?.outcome?.kind;
  if (kind !== 'enriched') throw new Error(`The contact is not enriched: ${kind}`);
  return record;
}

/** The same in a world of its own. */
export async function enrichedWorld(options: WorldOptions = {}) {
  const world = await createWorld(options);
  return { world, record: await enrichedContact(world) };
}

/** A contact that is older than the installation. It is enriched only at a person's request. */
export async function oldContact(options: WorldOptions = {}) {
  const old = await worldWithContact({ agedMs: DAY_MS, ...options });
  if (old.world.charged() > 0) throw new Error('A lookup was made without a request.');
  return old;
}

/** Contacts that are older than the installation, in a world of its age. */
export async function oldContacts(world: World, count: number): Promise<RecordName[]> {
  const records: RecordName[] = [];
  for (let index = 0; index < count; index += 1) records.push(await contact(world, index));
  await settleDown(world);
  if (world.charged() > 0) throw new Error('A lookup was made without a request.');
  return records;
}

/** Number of the records that are enriched. */
export async function countEnriched(world: World, records: readonly RecordName[]): Promise<number> {
  const states = await Promise.all(records.map((record) => world.state(record)));
  return states.filter((state) => state?.outcome?.kind === 'enriched').length;
}

/** Lets time pass as on AWS: webhooks and work as they arrive, the sweep every `everyMs`. */
export async function liveOn(
  world: World,
  { forMs, everyMs = 5 * MINUTE_MS }: { forMs: number; everyMs?: number },
): Promise<void> {
  const untilMs = world.clock.now() + forMs;
  while (world.clock.now() < untilMs) {
    await settleDown(world);
    await world.clock.sleep(everyMs);
    await world.processes.reconcile();
    await verify(world);
  }
  await settleDown(world);
}

/** The same until all is done, for at most `mostMs`. */
export async function liveUntilDrained(
  world: World,
  { mostMs, everyMs }: { mostMs: number; everyMs: number },
): Promise<void> {
  const untilMs = world.clock.now() + mostMs;
  await settleDown(world);
  while (world.clock.now() < untilMs && !(await isDrained(world)))
    await liveOn(world, { forMs: everyMs, everyMs });
}

/** What the page of spend says. */
export function reportOf({ services, clock, policy }: World) {
  const { writeBreakers, checkBooks, questions } = services;
  const stops = { breakers: questions.breakers, writeBreakers, checkBooks };
  return readReport({ ...services, waiting: services, stops, clock, timeZone: policy.timeZone });
}

/** Changes what is stored of a record, by hand. */
export async function changeState(
  world: World,
  record: Pick<RecordState, 'objectType' | 'id'>,
  change: (state: RecordState) => Partial<RecordState>,
): Promise<void> {
  const key = recordKind.key(record);
  const stored = await world.items(recordKind).read(key);
  if (!stored) throw new Error('no state');
  const { value, version: expectedVersion } = stored;
  await world.items(recordKind).write({ key, value: { ...value, ...change(value) }, expectedVersion });
}

/** Asks a question as a person's command does. */
export function askByHand({ services, clock }: World, question: Question) {
  const notAfterMs = clock.now() + 5 * MINUTE_MS;
  return services.gateway.ask({ question, purpose: 'manual', notAfterMs });
}

/** A person searches for one result; the data service delivers and charges four. */
export async function searchWithOverrun(world: World) {
  await world.changeService({ pageOverrun: 3 });
  const search = JSON.stringify({ person_titles: ['Engineer'], per_page: 1 });
  return askByHand(world, { operation: 'searchPeople', by: { search }, options: [] });
}

/** Runs the refresh after this time, and the work that it queues. */
export async function refreshAfter(world: World, ms: number): Promise<void> {
  await world.clock.sleep(ms);
  await world.processes.refresh();
  await settleDown(world);
}

/** Does the same as `undo <record>`. */
export function undo(
  world: World,
  record: RecordName,
  { run, ...request }: Partial<Parameters<typeof undoRecord>[1]> & { readonly run?: number } = {},
) {
  return undoRecord(world.operator(), {
    objectType: record.objectType,
    id: record.id,
    isChosen: (entry) => run === undefined || entry.run === run,
    ...request,
  });
}

/** @throws Error if an invariant is broken: conservation, budgets, books against the bill, an unknown failure. */
export async function verify(world: World): Promise<void> {
  const { posted, pending, doubtful } = (await world.services.ledger.newest())?.totals.lifetime ?? NOTHING;
  const charged = world.charged();
  const problems = [...world.violations, ...unexpectedFailures(world)];
  // Doubts that the policy booked as charged without a proof may have cost nothing.
  const assumed = charged < posted ? (await world.services.bookedDoubts()).credits : 0;
  if (charged < posted - assumed || charged > posted + pending + doubtful)
    problems.push(`charged ${charged}, but posted ${posted}, pending ${pending}, doubtful ${doubtful}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

const NOTHING = { posted: 0, pending: 0, doubtful: 0 };

/** Finds bugs: failed records whose code belongs neither to the outside nor to a planned cut. */
function unexpectedFailures(world: World): string[] {
  return world.logs.flatMap(({ event, fields }) => {
    if (event !== 'record-failed') return [];
    const text = JSON.stringify(fields);
    return /"code":"(?:Severed|[A-Z_]+)"/.test(text) ? [] : [`a record failed unexpectedly: ${text}`];
  });
}

/** True if nothing is queued, claimed or waiting, and the books agree to the credit. */
export async function isDrained(world: World): Promise<boolean> {
  const states = await world.states();
  const { posted, pending } = (await world.services.ledger.newest())?.totals.lifetime ?? NOTHING;
  const queued = Object.values(world.queues).reduce((sum, queue) => sum + queue.size(), 0);
  return queued === 0 && states.every(({ run }) => !run) && pending === 0 && posted === world.charged();
}
