import { LANES } from '#shared/crm';
import { HOUR_MS } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import {
  changeRecord,
  lapsed,
  openWaiting,
  type RecordState,
  recordKind,
  recordPlace,
  settle,
  type WaitingReason,
} from '#shared/records';
import type { WorkMessage } from '../message.ts';
import type { Backlog } from './backlog.ts';
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
    const decided = await Promise.all(
      due.map((record) => changeRecord(services, record, (state) => putOff(services, state, nowMs))),
    );
    const states = decided.flatMap(({ state }) => (state?.run ? [state] : []));
    count += states.length;
    await services.queues[lane].send(states.flatMap((state) => messageOf([state])));
  }
  return count;
}

/** One for records of one type and purpose; none for none. */
export function messageOf([first, ...others]: readonly RecordState[]): WorkMessage[] {
  if (!first) return [];
  const { objectType, id, run } = first;
  const moreIds = others.length > 0 ? { moreIds: others.map((each) => each.id) } : {};
  return [{ objectType, id, ...moreIds, purpose: run?.purpose ?? 'live', eventKeys: [] }];
}

/** A person resolves few doubts at once. */
const MOST_REOPENED = 500;

/** Opens a new run for the records that failed because of a doubt which somebody, or a late answer, has resolved. */
export async function reopenResolved(services: SweepServices): Promise<number> {
  const nowMs = services.clock.now();
  const doubtful = await services.records.list({
    partition: recordKind.partition('doubtful'),
    limit: MOST_REOPENED,
  });
  const reopened = await Promise.all(doubtful.map((record) => reopen(services, record, nowMs)));
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
function putOff(services: SweepServices, state: RecordState, nowMs: number): { state?: RecordState } {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return {};
  const run = claim ? lapsed(state.run) : state.run;
  if ((run.lapses ?? 0) >= MAX_LAPSES) return { state: givenUp(services, { ...rest, run }, nowMs) };
  const reason = waiting?.reason ?? ('worker-gone' satisfies WaitingReason);
  return { state: { ...rest, run, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } } };
}

function givenUp({ newId }: SweepServices, state: RecordState, nowMs: number): RecordState {
  const reason = `Given up: ${MAX_LAPSES} workers in a row ended without an outcome. Their log lines say why.`;
  const outcome = { kind: 'failed', reason, atMs: nowMs, credits: state.run?.credits ?? 0 } as const;
  return settle(state, { outcome, learned: {}, nextRunId: newId() });
}
