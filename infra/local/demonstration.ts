import { readLog } from '#shared/credit-ledger';
import { keyInPortal, type ObjectType, PURPOSES, recordKey } from '#shared/crm';
import { type Clock, counted, SECOND_MS } from '#shared/kernel';
import { queuePlace, type RecordState, RUNNING_PLACES, recordKind, TIMED_PLACES } from '#shared/records';
import type { LaneQueues } from '#shared/work-queue';
import type { DataFolder, Demo } from './data-folder.ts';
import { countQueues } from './queues.ts';
import type { System } from './system.ts';
import { bookedIn, compareBooks, type Narrator, outcomeName, waitLine } from './terminal.ts';
import { type Sandbox, type Save, type Vendors, type WorldRecord, worldRecords } from './vendors.ts';
import { type Properties, peopleAt } from './virtual/people-at-hubspot.ts';

/**
 * Longer than seven lookups take, even if the machine stands still and one lookup is postponed for a minute. Records
 * without an outcome after this time give a failure exit code.
 */
const OUTCOME_TIMEOUT_MS = 150 * SECOND_MS;

/**
 * Shows the main job on the stand-ins. Creates the records, waits for an outcome of each, and compares the ledger
 * with the stand-in's bill.
 * @returns 0 when every record has an outcome and the books agree.
 */
export async function showDemonstration(
  running: Running,
  { narrator }: { narrator: Narrator },
): Promise<number> {
  const { system, vendors, folder } = running;
  if (!vendors.sandbox) return 0;
  const before = (await system.services.ledger.newest())?.seq ?? 0;
  const { demos, again } = await demonstrate(vendors.sandbox, folder.saved.demos ?? []);
  await running.save({ demos });
  narrator.expect(demos);
  narrator.say(
    again
      ? "HubSpot delivers the creation events of the last run's seven records again:\n"
      : 'A person creates five contacts and two companies in HubSpot, and HubSpot sends the events:\n',
  );
  const undone = await waitForOutcomes(running, vendors.sandbox, demos);
  for (const { demo, waiting } of undone) {
    const { objectType, id, shows } = demo;
    const why = waiting ? `. ${waitLine(waiting)}` : '';
    narrator.say(`No outcome yet: ${objectType} ${id} (${shows})${why}`);
  }
  await running.save();
  const states = await statesOf(running, demos);
  const kinds = Map.groupBy(states, ({ state }) =>
    state?.outcome ? outcomeName(state.outcome.kind, state.outcome.status) : 'without an outcome',
  );
  // `5 enriched, 1 unmatched, 1 skipped`
  const outcomes = [...kinds].map(([kind, records]) => `${records.length} ${kind}`).join(', ');
  const agrees = await reportBooks(running, {
    sandbox: vendors.sandbox,
    narrator,
    fromSeq: before + 1,
    demos,
    summary: `${counted(demos.length, 'record')}: ${outcomes}`,
  });
  return undone.length === 0 && agrees ? 0 : 1;
}

/**
 * Whether a record's wait is longer than the demonstration. It can wait for tomorrow's budget, or for the minutes
 * that a rule sets.
 */
function outlasts(waiting: RecordState['waiting'], endMs: number): boolean {
  if (waiting?.reason !== 'free-sources-first') return waiting?.reason === 'budget';
  return waiting.untilMs > endMs;
}

/**
 * Waits until all events and messages are processed, or until `OUTCOME_TIMEOUT_MS` is over.
 * @returns the records without an outcome.
 */
async function waitForOutcomes(
  running: Running,
  sandbox: Sandbox,
  demos: readonly Demo[],
): ReturnType<typeof withoutOutcome> {
  const { clock } = running;
  const endsAt = clock.monotonic() + OUTCOME_TIMEOUT_MS;
  for (;;) {
    const undone = await withoutOutcome(running, demos);
    const counts = await countQueues(running.queues);
    const areEmpty = counts.every(({ waiting, inHand, delayed }) => waiting + inHand + delayed === 0);
    const isQuiet = areEmpty && sandbox.hubSpot.pendingWebhooks() === 0;
    const haveOnlyLongWaits = undone.every(({ waiting }) =>
      outlasts(waiting, clock.now() + endsAt - clock.monotonic()),
    );
    const isDone = haveOnlyLongWaits && isQuiet && (await isIdle(running));
    if (isDone || clock.monotonic() > endsAt) return undone;
    await clock.sleep(100);
  }
}

/** Whether no record is in progress or due. Records of an earlier process count too. */
async function isIdle({ system: { services }, clock }: Running): Promise<boolean> {
  const upTo = clock.now();
  const open = await Promise.all([
    ...[...RUNNING_PLACES, ...PURPOSES.map(queuePlace)].map((place) =>
      services.records.list({ partition: recordKind.partition(place), limit: 1 }),
    ),
    ...TIMED_PLACES.map((place) =>
      services.records.list({ partition: recordKind.partition(place), limit: 1, upTo }),
    ),
  ]);
  // Records that wait for credits are ignored, because they wait until tomorrow.
  return open.flat().every(({ waiting }) => waiting?.reason === 'budget');
}

async function withoutOutcome(running: Running, demos: readonly Demo[]) {
  return (await statesOf(running, demos)).flatMap(({ demo, state }) =>
    !state?.outcome || state.run !== undefined ? [{ demo, waiting: state?.waiting }] : [],
  );
}

async function statesOf({ system }: Running, demos: readonly Demo[]) {
  return Promise.all(
    demos.map(async (demo) => ({
      demo,
      state: (await system.services.records.read(recordKind.key(demo)))?.value,
    })),
  );
}

async function reportBooks(
  { system }: Running,
  {
    sandbox,
    narrator,
    fromSeq,
    demos,
    summary,
  }: { sandbox: Sandbox; narrator: Narrator; fromSeq: number; demos: readonly Demo[]; summary: string },
): Promise<boolean> {
  const { ledger, ledgerStore, bookedDoubts } = system.services;
  const { portal } = ledgerStore.owners;
  const shown = new Set<string | undefined>(demos.map(recordKey));
  // Other records of a kept folder are worked on as well.
  const entries = (await Array.fromAsync(readLog(ledgerStore, fromSeq))).filter(
    ({ record }) => record !== undefined && shown.has(keyInPortal(portal, record) ?? record),
  );
  narrator.say(
    entries.length > 0
      ? '\nThe ledger of these records in this run:'
      : '\nThe ledger: no entry of these records in this run, 0 credits spent.',
  );
  if (entries.length > 0) narrator.ledger(entries);
  const lifetime = (await ledger.newest())?.totals.lifetime;
  const { credits: booked } = await bookedDoubts();
  const charged = sandbox.dataService.bill().creditsCharged;
  const spent = entries.reduce(
    (sum, { kind, amountCredits }) => sum + (kind === 'posted' || kind === 'late' ? amountCredits : 0),
    0,
  );
  narrator.say(
    `\n${summary}; ${counted(narrator.fieldsFilled(), 'field')} filled, ${counted(spent, 'credit')}.`,
  );
  return compareBooks(narrator, { ...bookedIn(lifetime), booked, charged });
}

/**
 * Creates the demonstration's records in the stand-in HubSpot as a person would. If an earlier run created them,
 * HubSpot delivers their creation events again.
 */
async function demonstrate(
  sandbox: Sandbox,
  known: readonly Demo[],
): Promise<{ demos: readonly Demo[]; again: boolean }> {
  const portal = peopleAt(sandbox.hubSpot);
  for (const demo of known) await portal.redeliver(demo);
  if (known.length > 0) return { demos: known, again: true };
  // Records can be from an earlier start that was killed before it saved their ids.
  const made = await portal.records();
  const demos: Demo[] = [];
  for (const [objectType, shows, properties] of await wantedRecords(sandbox)) {
    const same = made.find((record) =>
      Object.entries(properties).every(([name, value]) => record.properties[name] === value),
    );
    const { id } = same ?? (await portal.create(objectType, properties));
    demos.push({ objectType, shows, id });
  }
  return { demos, again: false };
}

const FULL = [
  'network_url',
  'email',
  'first_name',
  'last_name',
  'organizations.primary_domain',
  'title',
  'city',
];

/**
 * Chooses people and companies that the stand-in data service knows. Each of them shows another way to identify a
 * record.
 */
async function wantedRecords({
  dataService,
}: Sandbox): Promise<readonly (readonly [type: ObjectType, shows: string, properties: Properties])[]> {
  const people = await worldRecords(dataService, { kind: 'person', limit: 100 });
  const companies = await worldRecords(dataService, { kind: 'company', limit: 100 });
  const known = people.filter((person) => FULL.every((field) => typeof person[field] === 'string'));
  const [byUrl, byEmail, byName] = [known[0], known[7], known[14]];
  const [first, second] = [companies[3], companies[40]];
  if (!byUrl || !byEmail || !byName || !first || !second)
    throw new Error('The stand-in has too few records.');
  const names = (person: WorldRecord) => ({
    firstname: String(person['first_name']),
    lastname: String(person['last_name']),
  });
  const withName = { ...names(byName), website: String(byName['organizations.primary_domain']) };
  const withUrl = { ...names(byUrl), hs_linkedin_url: String(byUrl['network_url']) };
  const domainOf = (company: WorldRecord) => ({ domain: String(company['primary_domain']) });
  return [
    ['contacts', 'a contact with a profile URL', withUrl],
    ['contacts', 'a contact with a business email', { email: String(byEmail['email']) }],
    ['contacts', 'a contact with a name and a company website', withName],
    [
      'contacts',
      'a contact that the data service does not know',
      { email: 'nobody.there@unknown-firm-of-the-demo.com' },
    ],
    [
      'contacts',
      'a contact with only a free-mail address',
      { firstname: 'Sam', email: 'sam.of.the.demo@gmail.com' },
    ],
    ['companies', 'a company with a domain', domainOf(first)],
    [
      'companies',
      'a company with a domain and a name',
      { name: String(second['name']), ...domainOf(second) },
    ],
  ];
}

export interface Running {
  readonly system: System;
  readonly vendors: Vendors;
  readonly queues: LaneQueues;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly save: Save;
}
