import type { Outcome, RecordState } from './schemas.ts';

/** How far a record is, for whoever waits for it. */
export type Standing =
  | { readonly kind: 'unknown' | 'under-way' | 'forgotten' }
  /** Put off, and not only for its turn. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly detail?: string | undefined;
      readonly untilMs: number;
    }
  | { readonly kind: 'ended'; readonly outcome: Outcome };

/** Let in by the next sweeps. */
const IN_HAND: ReadonlySet<string> = new Set([
  ...['changed-meanwhile', 'queued', 'let-in', 'worker-gone', 'rate-limit', 'time-short'],
]);

export function standingOf({ forgottenAtMs, claim, run, waiting, outcome }: RecordState): Standing {
  if (forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (claim || (run && (!waiting || IN_HAND.has(waiting.reason)))) return { kind: 'under-way' };
  if (run && waiting) return { kind: 'waiting', ...waiting };
  return outcome ? { kind: 'ended', outcome } : { kind: 'unknown' };
}

/** How far the work is that one event told of: as long as nobody has read of it, it is under way. */
export function standingOfEvent(state: RecordState, eventKey: string): Standing {
  const isSeen = state.recentEvents.some(({ key }) => key === eventKey);
  return isSeen || state.forgottenAtMs !== undefined ? standingOf(state) : { kind: 'under-way' };
}
