import { LANES, nameOfKey } from '#shared/crm';
import { HOUR_MS, mapInChunks } from '#shared/kernel';
import { chargeOf, questionKind } from '#shared/questions';
import {
  because,
  changeRecord,
  doubtKey,
  dueNow,
  lapsed,
  livingState,
  openAfterDoubt,
  type RecordState,
  recordKind,
  settle,
  type WaitingReason,
} from '#shared/records';
import { sendWaiting } from './send-waiting.ts';
import type { Backlog, SweepServices } from './sweep-window.ts';

/** Time after which the message of a requeued record is sent again, because the first message may be lost. */
export const REQUEUE_AFTER_MS = HOUR_MS;

/**
 * Queues postponed records that are due, and records whose worker has crashed. Skips a lane whose queue is full: the
 * records' earlier messages may still be in it.
 */
export async function requeueDue(
  services: SweepServices,
  partition: 'waiting' | 'running',
  { room, dueInSweep }: Backlog,
): Promise<number> {
  const nowMs = services.clock.now();
  let count = 0;
  for (const lane of LANES) {
    if (room.get(lane) === 0) continue;
    const due = await services.records.list({
      partition: recordKind.partition(`${partition}-${lane}`),
      upTo: nowMs,
      limit: dueInSweep,
    });
    count += await sendWaiting(services, due, {
      cause: 'requeued',
      lane,
      bound: dueInSweep,
      before: (state) => postpone(state, nowMs),
      unsent: (state) => dueNow(state, { reasons: [state.waiting?.reason ?? ''], nowMs }),
    });
  }
  return count;
}

/** Maximum number of records that one sweep reopens. A person resolves few doubts at a time. */
const MAX_REOPENED = 500;

type ReopenServices = Pick<SweepServices, 'records' | 'questions' | 'clock' | 'newId'>;

/** Counts the charges of decided doubts in their records. */
export async function reopenResolved(services: ReopenServices): Promise<number> {
  const doubtful = await services.records.list({
    partition: recordKind.partition('doubtful'),
    limit: MAX_REOPENED,
  });
  const reopened = await mapInChunks(doubtful, (record) => reopen(services, record));
  return reopened.filter((state) => state !== undefined).length;
}

/** Does the same for one record at once, after this person has decided its doubt. */
export async function reopenRecord(services: ReopenServices, key: string, by: string): Promise<void> {
  const name = nameOfKey(key);
  if (name) await reopen(services, await livingState(services, name), by);
}

async function reopen(
  services: ReopenServices,
  record: RecordState,
  by?: string,
): Promise<RecordState | undefined> {
  const charges = await decidedCharges(services, record);
  if (charges.size === 0) return undefined;
  const decided = { charges, runId: services.newId(), nowMs: services.clock.now(), by };
  const { state } = await changeRecord(services, record, (known) => ({
    state: openAfterDoubt(known, decided),
  }));
  return state;
}

/** Returns the charges of the record's doubts that are decided. A doubt of another record's attempt costs nothing. */
async function decidedCharges(
  { questions }: ReopenServices,
  { doubts = [] }: RecordState,
): Promise<ReadonlyMap<string, number>> {
  const charges = new Map<string, number>();
  for (const doubt of doubts) {
    const { attempt } = doubt;
    const credits = attempt ? await chargeOf(questions, attempt) : await freeIfDecided(questions, doubt);
    if (credits !== undefined) charges.set(doubtKey(doubt), credits);
  }
  return charges;
}

async function freeIfDecided(
  { items }: ReopenServices['questions'],
  { questionKey }: NonNullable<RecordState['doubts']>[number],
): Promise<number | undefined> {
  const question = await items.read(questionKind.key(questionKey));
  return question?.value.attempt?.state === 'in-doubt' ? undefined : 0;
}

/**
 * Number of consecutive worker crashes at a record after which the record fails. The next worker would probably crash
 * too.
 */
const MAX_LAPSES = 10;

/**
 * Moves a due record's wake-up time into the future before its message is sent. Otherwise every sweep would send it
 * again.
 */
function postpone(state: RecordState, nowMs: number): RecordState | undefined {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return undefined;
  const run = claim ? lapsed(state.run) : state.run;
  if ((run.lapses ?? 0) >= MAX_LAPSES) return givenUp({ ...rest, run }, nowMs);
  const reason = waiting?.reason ?? ('worker-gone' satisfies WaitingReason);
  return { ...rest, run, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } };
}

function givenUp(state: RecordState, nowMs: number): RecordState {
  const reason = because('given-up', { workers: MAX_LAPSES });
  const outcome = { kind: 'failed', reason, atMs: nowMs, credits: state.run?.credits ?? 0 } as const;
  return settle(state, { outcome, learned: {} });
}
