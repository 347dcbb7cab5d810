import { doubtKey, recordPlace } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { openWaiting } from './transitions.ts';

export interface DecidedDoubts {
  /** Charge of each decided doubt, in credits, by `doubtKey`. */
  readonly charges: ReadonlyMap<string, number>;
  readonly runId: string;
  readonly nowMs: number;
  /** The person who decided. */
  readonly by?: string | undefined;
}

/**
 * Counts the charges of decided doubts in an idle record. Opens a run that writes a stored answer, or else says that the
 * record may be looked up. This run buys nothing, because a decision on a doubt agrees to no purchase.
 * @returns `undefined` if the record has no such doubt, or a run.
 */
export function openAfterDoubt(
  state: RecordState,
  { charges, runId, nowMs, by }: DecidedDoubts,
): RecordState | undefined {
  const { doubts = [], ...rest } = state;
  const isDecided = (doubt: (typeof doubts)[number]) => charges.has(doubtKey(doubt));
  const decided = doubts.filter(isDecided);
  const last = decided.at(-1);
  if (!last || recordPlace(state).partition !== 'doubtful') return undefined;
  const credits = decided.reduce((sum, doubt) => sum + (charges.get(doubtKey(doubt)) ?? 0), 0);
  const left = doubts.filter((doubt) => !isDecided(doubt));
  const known = { ...rest, ...(left.length > 0 && { doubts: left }) };
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined)
    return { ...known, creditsSpent: known.creditsSpent + credits };
  const { questionKey: _, attempt: _own, ...reason } = last;
  const decider = by === undefined ? {} : { doubtDecidedBy: by };
  const run = { runId, ...reason, ...decider, credits, afterDoubt: true } as const;
  return openWaiting(known, { ...run, nowMs, untilMs: nowMs, reason: 'doubt-resolved' });
}
