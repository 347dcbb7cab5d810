import { LANES } from '#shared/crm';
import { HOUR_MS, mapInChunks } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import {
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

/** A requeued message that is lost is sent again after this long. */
export const REQUEUE_AFTER_MS = HOUR_MS;

/**
 * Queues deferred records whose time has come, or those whose worker held them for longer than it can live. Where a
 * lane's queue is full, its records stay: what was queued for them may still be in it, and would be there twice.
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
    const groups = due.map((record) => [record]);
    const sent = await sendWaiting(services, groups, {
      cause: 'requeued',
      lane,
      bound: dueInSweep,
      before: (state) => putOff(services, state, nowMs),
      unsent: (state) => dueNow(state, { reasons: [state.waiting?.reason ?? ''], nowMs }),
    });
    count += sent.records;
  }
  return count;
}

/** A person resolves few doubts at once. */
const MOST_REOPENED = 500;

/** Opens a new run for the records that failed because of a doubt that a person or a late answer has resolved. */
export async function reopenResolved(services: SweepServices): Promise<number> {
  const nowMs = services.clock.now();
  const doubtful = await services.records.list({
    partition: recordKind.partition('doubtful'),
    limit: MOST_REOPENED,
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
    const { doubtfulRun = { purpose: 'live' } } = state;
    const opening = { runId, ...doubtfulRun, nowMs, untilMs: nowMs, reason: 'doubt-resolved' } as const;
    return { state: openWaiting(state, opening) };
  });
  return state;
}

/** A record at which so many workers in a row have died is not going to be done by the next. */
const MAX_LAPSES = 10;

/** Moves a due record's next look into the future before its message is sent, so that it is not sent every minute. */
function putOff(services: SweepServices, state: RecordState, nowMs: number): RecordState | undefined {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return undefined;
  const run = claim ? lapsed(state.run) : state.run;
  if ((run.lapses ?? 0) >= MAX_LAPSES) return givenUp(services, { ...rest, run }, nowMs);
  const reason = waiting?.reason ?? ('worker-gone' satisfies WaitingReason);
  return { ...rest, run, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } };
}

function givenUp({ newId }: SweepServices, state: RecordState, nowMs: number): RecordState {
  const reason = `Given up: ${MAX_LAPSES} workers in a row ended without an outcome. Their log lines say why.`;
  const outcome = { kind: 'failed', reason, atMs: nowMs, credits: state.run?.credits ?? 0 } as const;
  return settle(state, { outcome, learned: {}, nextRunId: newId() });
}
