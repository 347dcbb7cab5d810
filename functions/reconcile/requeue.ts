import { HOUR_MS } from '../../shared/kernel/clock.ts';
import { changeRecord } from '../../shared/records/change-record.ts';
import { type RecordState, recordPlace } from '../../shared/records/record-state.ts';
import { lapsed, openWaiting, settle } from '../../shared/records/transitions.ts';
import { LANES } from '../../shared/work-queue/lane.ts';
import { type Backlog, queueOf } from './backlog.ts';
import type { ReconcileDeps } from './deps.ts';

const MAX_REQUEUED = 500;
/** A requeued message that is lost is sent again after this long. */
export const REQUEUE_AFTER_MS = HOUR_MS;

/**
 * Queues deferred records whose time has come, or those whose worker held them for longer than it can live. Where a
 * lane's queue is long, its records stay: what was queued for them may still be in it, and would be there twice.
 */
export async function requeueDue(
  deps: ReconcileDeps,
  partition: 'waiting' | 'running',
  { isFull }: Backlog,
): Promise<number> {
  const nowMs = deps.clock.now();
  let count = 0;
  for (const lane of LANES) {
    if (isFull(lane)) continue;
    const due = await deps.records.list({
      partition: `${partition}-${lane}`,
      upTo: nowMs,
      limit: MAX_REQUEUED,
    });
    const decided = await Promise.all(
      due.map((record) => changeRecord(deps.records, record, (state) => putOff(deps, state, nowMs))),
    );
    const states = decided.flatMap(({ state }) => (state?.run ? [state] : []));
    count += states.length;
    await queueOf(deps, lane).send(
      states.map(({ objectType, id, run }) => ({
        objectType,
        id,
        purpose: run?.purpose ?? 'live',
        eventKeys: [],
      })),
    );
  }
  return count;
}

/** Opens a new run for the records that failed because of a doubt which somebody, or a late answer, has resolved. */
export async function reopenResolved(deps: ReconcileDeps): Promise<number> {
  const nowMs = deps.clock.now();
  const doubtful = await deps.records.list({ partition: 'doubtful', limit: MAX_REQUEUED });
  const reopened = await Promise.all(doubtful.map((record) => reopen(deps, record, nowMs)));
  return reopened.filter((state) => state !== undefined).length;
}

async function reopen(
  deps: ReconcileDeps,
  record: RecordState,
  nowMs: number,
): Promise<RecordState | undefined> {
  const question = await deps.questions.items.read(record.doubtfulQuestion ?? '');
  if (question?.value.asking?.state === 'doubt') return undefined;
  const runId = deps.newId();
  const { state } = await changeRecord(deps.records, record, (state): { state?: RecordState } => {
    if (recordPlace(state).partition !== 'doubtful') return {};
    return {
      state: openWaiting(state, { runId, purpose: 'live', nowMs, untilMs: nowMs, reason: 'doubt-resolved' }),
    };
  });
  return state;
}

/** A record at which so many workers in a row have died is not going to be done by the next. */
const MAX_LAPSES = 10;

/** Moves a due record's next look into the future before its message is sent, so that it is not sent every minute. */
function putOff(deps: ReconcileDeps, state: RecordState, nowMs: number): { state?: RecordState } {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return {};
  const run = claim ? lapsed(state.run) : state.run;
  if ((run.lapses ?? 0) >= MAX_LAPSES) return { state: givenUp(deps, { ...rest, run }, nowMs) };
  const reason = waiting?.reason ?? 'worker-gone';
  return { state: { ...rest, run, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } } };
}

function givenUp({ newId }: ReconcileDeps, state: RecordState, nowMs: number): RecordState {
  const reason = `Given up: ${MAX_LAPSES} workers in a row ended without an outcome. Their log lines say why.`;
  const outcome = { kind: 'failed', reason, atMs: nowMs, credits: state.run?.credits ?? 0 } as const;
  return settle(state, { outcome, learned: {}, nextRunId: newId() });
}
