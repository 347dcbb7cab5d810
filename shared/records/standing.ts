import type { Outcome, RecordState } from './schemas.ts';
import { earliestEndMs, eventOfWait, waitEnd, waitNow } from './wait-now.ts';
import { waitingCause } from './waiting-causes.ts';

/** Progress of a record, for its waiting user or workflow. */
export type Standing =
  | { readonly kind: 'unknown' | 'under-way' | 'merged' | 'forgotten' }
  /** The run is postponed, and not only queued. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly detail?: string | undefined;
      readonly params?: Outcome['reason']['params'];
      /** Begin of the run. */
      readonly sinceMs: number;
      readonly untilMs: number;
      /** Code of the event that ends the wait, and its text after "until". Absent if the wait ends at a time. */
      readonly endsWith?: ReturnType<typeof waitEnd>;
      readonly until?: string | undefined;
      /** Earliest time of this event, epoch milliseconds, if it is known. */
      readonly afterMs?: number | undefined;
      /** Credits charged so far. */
      readonly credits: number;
      readonly isServedByEarlier?: boolean | undefined;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome;
      /** Set if the same run served an earlier wish. Then the earlier wish reports the charge. */
      readonly isServedByEarlier?: boolean | undefined;
      /** Set if a later run has ended after the wish's own run: the reason of the later run's outcome. */
      readonly laterReason?: Outcome['reason'] | undefined;
    };

interface Now {
  readonly nowMs: number;
  /** Whether a person has stopped spending; `undefined` if the caller does not know it. */
  readonly isStoppedByPerson?: boolean | undefined;
}

export function standingOf(state: RecordState, { nowMs, isStoppedByPerson }: Now): Standing {
  const { forgottenAtMs, claim, run, outcome } = state;
  const waiting = waitNow(state, isStoppedByPerson);
  if (forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (claim || (run && (!waiting || waitingCause(waiting.reason).isInProgress))) return { kind: 'under-way' };
  if (run && waiting) {
    const waiter = { run, waiting, nowMs };
    const end = { endsWith: waitEnd(waiter), until: eventOfWait(waiter), afterMs: earliestEndMs(waiter) };
    return { kind: 'waiting', sinceMs: run.openedAtMs, ...waiting, ...end, credits: run.credits };
  }
  return outcome ? { kind: 'ended', outcome } : { kind: 'unknown' };
}

/**
 * Returns the progress of one wish. Before a worker has read the wish's message, the wish is under way. It ends with
 * its own run, even if the record's next run is already open.
 * @param state state of the record or of its merge winner. A winner does not know the wish, and no worker will read the
 * wish's message.
 */
export function standingOfEvent(
  state: RecordState,
  { eventKey, recordId, ...now }: Now & { readonly eventKey: string; readonly recordId: string },
): Standing {
  const { forgottenAtMs, outcome, run } = state;
  const wish = state.recentEvents.find(({ key }) => key === eventKey);
  if (forgottenAtMs !== undefined) return standingOf(state, now);
  if (!wish) return { kind: state.id === recordId ? 'under-way' : 'merged' };
  const isServed = { isServedByEarlier: isServedByEarlier(state, wish) };
  if (wish.end) {
    const later = outcome && outcome.atMs > wish.end.atMs && { laterReason: outcome.reason };
    return { kind: 'ended', outcome: wish.end, ...isServed, ...later };
  }
  const standing = standingOf(state, now);
  if (standing.kind !== 'waiting') return standing;
  return { ...standing, ...isServed, credits: wish.run === run?.id ? standing.credits : 0 };
}

/** Whether the same run served an earlier wish. Only the first wish reports the charge. */
function isServedByEarlier(
  { recentEvents }: RecordState,
  wish: RecordState['recentEvents'][number],
): boolean {
  return recentEvents.find(({ run }) => run === wish.run) !== wish;
}
