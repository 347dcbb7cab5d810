import type { Outcome, RecordState } from './schemas.ts';
import { waitingCause } from './waiting-causes.ts';

/** How far a record is, for whoever waits for it. */
export type Standing =
  | { readonly kind: 'unknown' | 'under-way' | 'merged' | 'forgotten' }
  /** Put off, and not only for its turn. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly detail?: string | undefined;
      readonly untilMs: number;
    }
  | { readonly kind: 'ended'; readonly outcome: Outcome };

export function standingOf({ forgottenAtMs, claim, run, waiting, outcome }: RecordState): Standing {
  if (forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (claim || (run && (!waiting || waitingCause(waiting.reason).isInHand))) return { kind: 'under-way' };
  if (run && waiting) return { kind: 'waiting', ...waiting };
  return outcome ? { kind: 'ended', outcome } : { kind: 'unknown' };
}

/**
 * How far the work is that one event told of a record: as long as nobody has read of it, it is under way.
 * @param state the record's, or that of the one that it was merged into: which knows nothing of an event that nobody had
 * read of by then, and nobody will.
 */
export function standingOfEvent(
  state: RecordState,
  { eventKey, recordId }: { readonly eventKey: string; readonly recordId: string },
): Standing {
  const isSeen = state.recentEvents.some(({ key }) => key === eventKey);
  if (isSeen || state.forgottenAtMs !== undefined) return standingOf(state);
  return state.id === recordId ? { kind: 'under-way' } : { kind: 'merged' };
}
