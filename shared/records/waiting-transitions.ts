import { waitsInTurn } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { lapsed } from './transitions.ts';
import type { WaitingReason } from './waiting-causes.ts';

/** Its turn has come: should its message be lost, it is sent again then. @returns `undefined` where it waits for no turn. */
export function admitUntil(state: RecordState, untilMs: number): RecordState | undefined {
  if (state.claim || !state.run || !waitsInTurn(state)) return undefined;
  return { ...state, waiting: { reason: ADMITTED, untilMs } };
}

/** It was admitted, and its message was not sent: it is queued again. @returns `undefined` where a worker has it. */
export function putBack(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || state.waiting?.reason !== ADMITTED) return undefined;
  return { ...state, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

/**
 * A person admits a record that waits for its turn, in spite of the reserve for leads; that holds until its run ends.
 * @returns `undefined` where it waits for no turn.
 */
export function admitted(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || !waitsInTurn(state)) return undefined;
  const run = { ...state.run, overrulesReserve: true } as const;
  return { ...state, run, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

const ADMITTED = 'admitted' satisfies WaitingReason;

/** Their messages were about to be queued, and may have been lost with the queue. */
const QUEUED_REASONS: ReadonlySet<string> = new Set(['worker-gone', ADMITTED]);

/**
 * Every worker of the moment is known to be dead: the run continues by the message that is in the queue, or else by the
 * next sweep. @returns `undefined` where no run was in progress.
 */
export function orphaned(state: RecordState, untilMs: number): RecordState | undefined {
  const { claim, run, waiting, ...rest } = state;
  if (!run || !(claim || QUEUED_REASONS.has(waiting?.reason ?? ''))) return undefined;
  return {
    ...rest,
    run: claim ? lapsed(run) : run,
    waiting: { reason: 'worker-gone' satisfies WaitingReason, untilMs },
  };
}

/** What it waited for is there. @returns `undefined` where it waits for something else, or not at all. */
export function dueNow(
  state: RecordState,
  { reasons, nowMs }: { reasons: readonly string[]; nowMs: number },
): RecordState | undefined {
  const reason = state.waiting?.reason;
  if (reason === undefined || !reasons.includes(reason)) return undefined;
  return { ...state, waiting: { reason, untilMs: nowMs } };
}
