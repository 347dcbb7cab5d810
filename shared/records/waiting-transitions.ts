import { isQueued } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { lapsed } from './transitions.ts';
import type { WaitingReason } from './waiting-causes.ts';

/**
 * Admits a queued record. If its message is lost, the sweep sends it again at `untilMs`.
 * @returns `undefined` if the record is not queued.
 */
export function admitUntil(state: RecordState, untilMs: number): RecordState | undefined {
  if (state.claim || !state.run || !isQueued(state)) return undefined;
  return { ...state, waiting: { reason: ADMITTED, untilMs } };
}

/**
 * Queues an admitted record again, because its message was not sent.
 * @returns `undefined` if a worker holds the record, or it is no longer admitted.
 */
export function putBack(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || state.waiting?.reason !== ADMITTED) return undefined;
  return { ...state, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

/**
 * Lets a person admit a queued record in spite of the reserve for leads. The permission stays until the run ends.
 * @returns `undefined` if the record is not queued.
 */
export function overruleReserve(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || !isQueued(state)) return undefined;
  const run = { ...state.run, overrulesReserve: true } as const;
  return { ...state, run, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

const ADMITTED = 'admitted' satisfies WaitingReason;

/** Wait reasons of records whose messages were to be queued. These messages may have been lost with the queue. */
const QUEUED_REASONS: ReadonlySet<string> = new Set(['worker-gone', ADMITTED]);

/**
 * Releases a record after its worker has stopped. The run continues with its queued message, or with the next sweep.
 * @param hasEnded whether the owner of a claim has stopped.
 * @returns `undefined` if none of its runs was in progress.
 */
export function orphaned(
  state: RecordState,
  untilMs: number,
  hasEnded: (owner: string) => boolean,
): RecordState | undefined {
  const { claim, run, waiting, ...rest } = state;
  if (claim && !hasEnded(claim.owner)) return undefined;
  if (!run || !(claim || QUEUED_REASONS.has(waiting?.reason ?? ''))) return undefined;
  return {
    ...rest,
    run: claim ? lapsed(run) : run,
    waiting: { reason: 'worker-gone' satisfies WaitingReason, untilMs },
  };
}

/**
 * Ends the wait for one of these reasons.
 * @returns `undefined` if the record waits for another reason, or does not wait.
 */
export function dueNow(
  state: RecordState,
  { reasons, nowMs }: { reasons: readonly string[]; nowMs: number },
): RecordState | undefined {
  const reason = state.waiting?.reason;
  if (reason === undefined || !reasons.includes(reason)) return undefined;
  return { ...state, waiting: { reason, untilMs: nowMs } };
}
