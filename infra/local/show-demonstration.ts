import { readLog } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { counted, SECOND_MS } from '#shared/kernel';
import { queuePlace, type RecordState, RUNNING_PLACES, recordKind, TIMED_PLACES } from '#shared/records';
import { compareBooks } from './compare-books.ts';
import type { Demo } from './data-folder.ts';
import { chargedCredits, demonstrate } from './demonstration.ts';
import { type Narrator, waitLine } from './narrator.ts';
import { countQueues } from './queues.ts';
import type { Running } from './running.ts';
import type { Sandbox } from './vendors.ts';

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
  const outcomes = await countOutcomes(running, demos);
  const agrees = await reportBooks(running, {
    ...{ sandbox: vendors.sandbox, narrator, fromSeq: before + 1 },
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
    const isQuiet = undelivered(sandbox) === 0 && (await areEmpty(running.queues));
    const haveOnlyLongWaits = undone.every(({ waiting }) =>
      outlasts(waiting, clock.now() + endsAt - clock.monotonic()),
    );
    const isDone = haveOnlyLongWaits && isQuiet && (await isIdle(running));
    if (isDone || clock.monotonic() > endsAt) return undone;
    await clock.sleep(100);
  }
}

async function areEmpty(queues: Running['queues']): Promise<boolean> {
  const counts = await countQueues(queues);
  return counts.every(({ waiting, inHand, delayed }) => waiting + inHand + delayed === 0);
}

function undelivered({ hubSpot }: Sandbox): number {
  const state = hubSpot.state();
  const events =
    typeof state === 'object' && state !== null && 'pendingEvents' in state ? state.pendingEvents : [];
  return Array.isArray(events) ? events.length : 0;
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

async function withoutOutcome({ system }: Running, demos: readonly Demo[]) {
  const states = await Promise.all(demos.map((demo) => system.services.records.read(recordKind.key(demo))));
  return demos.flatMap((demo, index) => {
    const state = states[index]?.value;
    return !state?.outcome || state.run !== undefined ? [{ demo, waiting: state?.waiting }] : [];
  });
}

/** `5 enriched, 1 unmatched, 1 skipped` */
async function countOutcomes({ system }: Running, demos: readonly Demo[]): Promise<string> {
  const states = await Promise.all(demos.map((demo) => system.services.records.read(recordKind.key(demo))));
  const kinds = Map.groupBy(states, (state) => state?.value.outcome?.kind ?? 'without an outcome');
  return [...kinds].map(([kind, records]) => `${records.length} ${kind}`).join(', ');
}

async function reportBooks(
  { system }: Running,
  {
    sandbox,
    narrator,
    fromSeq,
    summary,
  }: { sandbox: Sandbox; narrator: Narrator; fromSeq: number; summary: string },
): Promise<boolean> {
  const { ledger, ledgerStore, bookedDoubts } = system.services;
  const entries = await Array.fromAsync(readLog(ledgerStore, fromSeq));
  narrator.say(
    entries.length > 0 ? '\nThe ledger of this run:' : '\nThe ledger: no entry in this run, 0 credits spent.',
  );
  if (entries.length > 0) narrator.ledger(entries);
  const { posted = 0, doubtful = 0 } = (await ledger.newest())?.totals.lifetime ?? {};
  const { credits: booked } = await bookedDoubts();
  const charged = await chargedCredits(sandbox);
  const spent = entries.reduce(
    (sum, { kind, amountCredits }) => sum + (kind === 'posted' || kind === 'late' ? amountCredits : 0),
    0,
  );
  narrator.say(
    `\n${summary}; ${counted(narrator.fieldsFilled(), 'field')} filled, ${counted(spent, 'credit')}.`,
  );
  narrator.say(
    `Spent in this run: ${counted(spent, 'credit')}. Since the first run: ledger ${posted}, the data service's own bill ${charged}.`,
  );
  return compareBooks(narrator, { posted, doubtful, booked, charged });
}
