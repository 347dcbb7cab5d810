import { LANES } from '#shared/crm';
import { HOUR_MS, mapInChunks } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import {
  because,
  changeRecord,
  dueNow,
  lapsed,
  openWaiting,
  type RecordState,
  recordKind,
  recordPlace,
  settle,
  type WaitingReason,
} from '#shared/records';
import type { Backlog } from './backlog.ts';
import { sendWaiting } from './send-waiting.ts';
import type { SweepServices } from './sweep-services.ts';

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

/** Opens a new run for records that failed because of a doubt, if a person or a late answer has resolved the doubt. */
export async function reopenResolved(services: SweepServices): Promise<number> {
  const nowMs = services.clock.now();
  const doubtful = await services.records.list({
    partition: recordKind.partition('doubtful'),
    limit: MAX_REOPENED,
  });
  const reopened = await mapInChunks(doubtful, (record) => reopen(services, record, nowMs));
  return reopened.filter((state) => state !== undefined).length;
}

async function reopen(
  services: SweepServices,
  record: RecordState,
  nowMs: number,
): Promise<RecordState | undefined> {
  const question = await services.questions.items.read(questionKind.key(record.doubtfulQuestion ?? ''));
  if (question?.value.attempt?.state === 'in-doubt') return undefined;
  const runId = services.newId();
  const { state } = await changeRecord(services, record, (state): { state?: RecordState } => {
    if (recordPlace(state).partition !== 'doubtful') return {};
    // The new run takes over the doubt's charge, so only a new doubt is stored again.
    const { doubtfulRun = { purpose: 'live' }, doubtfulQuestion: _, ...rest } = state;
    const opening = { runId, ...doubtfulRun, nowMs, untilMs: nowMs, reason: 'doubt-resolved' } as const;
    return { state: openWaiting(rest, opening) };
  });
  return state;
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
