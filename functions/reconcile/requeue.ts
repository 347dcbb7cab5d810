import { HOUR_MS } from '../../shared/kernel/clock.ts';
import { changeRecord } from '../../shared/records/change-record.ts';
import { type RecordState, recordPlace } from '../../shared/records/record-state.ts';
import { openWaiting } from '../../shared/records/transitions.ts';
import type { WorkQueue } from '../../shared/work-queue/queue.ts';
import type { ReconcileDeps } from './deps.ts';

const MAX_REQUEUED = 500;
/** A requeued message that is lost is sent again after this long. */
export const REQUEUE_AFTER_MS = HOUR_MS;

/** Queues deferred records whose time has come, or those whose worker held them for longer than it can live. */
export async function requeueDue(deps: ReconcileDeps, partition: 'waiting' | 'running'): Promise<number> {
  const nowMs = deps.clock.now();
  const due = await deps.records.list({ partition, upTo: nowMs, limit: MAX_REQUEUED });
  const decided = await Promise.all(
    due.map((record) => changeRecord(deps.records, record, (state) => putOff(state, nowMs))),
  );
  const again = decided.flatMap(({ state }) => (state ? [state] : []));
  for (const [queue, states] of byLane(deps, again)) {
    await queue.send(
      states.map(({ objectType, id, run }) => ({
        objectType,
        id,
        purpose: run?.purpose ?? 'live',
        eventKeys: [],
      })),
    );
  }
  return again.length;
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

/** Moves a due record's next look into the future before its message is sent, so that it is not sent every minute. */
function putOff(state: RecordState, nowMs: number): { state?: RecordState } {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return {};
  const reason = waiting?.reason ?? 'worker-gone';
  return { state: { ...rest, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } } };
}

function byLane(deps: ReconcileDeps, states: readonly RecordState[]): [WorkQueue, RecordState[]][] {
  const isLive = ({ run }: RecordState) => run?.purpose === 'live' || run?.purpose === 'manual';
  return [
    [deps.liveQueue, states.filter(isLive)],
    [deps.bulkQueue, states.filter((state) => !isLive(state))],
  ];
}
