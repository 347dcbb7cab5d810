import { type Explanation, mergeOwnership, mergeVerdicts } from '#shared/ownership';
import { because } from './explanations.ts';
import { doubtsLeftBy, joinDoubts, totalCredits, withBackfillEnd } from './record-state.ts';
import { joinRemovals } from './removal-transitions.ts';
import type { Outcome, RecordState, Run } from './schemas.ts';

/** Ends the runs of a record that was merged into another one. `absorb` adds the record's state to the winner's. */
export function mergedAway(
  state: RecordState,
  { into, nowMs }: { into: string; nowMs: number },
): RecordState {
  // If the record was never read, counts one run for its event, so that the sums add up.
  const withRun = state.runsOpened === 0 ? { ...state, runsOpened: 1, run: emptyRun(nowMs) } : state;
  const { staleAtMs: _stale, ...ended } = endOpenRun(withRun, { reason: because('merged'), nowMs });
  return { ...ended, mergedInto: into };
}

/**
 * Merges the loser's state into the winner's. A winner that was never read takes over the loser's answer, so the answer
 * is not bought again. It can be repeated.
 */
export function absorb(winner: RecordState, loser: RecordState): RecordState {
  if (winner.mergedFrom?.includes(loser.id)) return winner;
  const mergedFrom = [...(winner.mergedFrom ?? []), loser.id];
  const charges = {
    creditsSpent: winner.creditsSpent + loser.creditsSpent,
    ...joinDoubts(winner.doubts, loser.doubts),
  };
  if (winner.forgottenAtMs !== undefined) return { ...winner, mergedFrom, ...charges };
  const identifiers = union(winner.identifiers, loser.identifiers);
  const wereAnswered = hasWritten(winner) && hasWritten(loser);
  return {
    ...(winner.answeredAtMs === undefined && winner.runsOpened === 0 ? answerOf(loser) : {}),
    ...winner,
    mergedFrom,
    ...charges,
    ...joinRemovals(winner, loser),
    ownership: mergeOwnership(winner.ownership, loser.ownership, { wereAnswered }),
    verdicts: mergeVerdicts(winner.verdicts, loser.verdicts),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/**
 * Whether we may have written to the record. After an earlier merge, the record may have ownership entries but no
 * answer of its own.
 */
function hasWritten({ answeredAtMs, ownership }: RecordState): boolean {
  return answeredAtMs !== undefined || Object.values(ownership).some(({ written }) => written);
}

/**
 * Stores whether the deletion audit found the record in HubSpot's archive.
 * @returns the same state if nothing changed.
 */
export function foundAt(
  state: RecordState,
  { place, nowMs }: { readonly place: 'living' | 'archived'; readonly nowMs: number },
): RecordState {
  const isArchived = place === 'archived';
  if (state.forgottenAtMs !== undefined || isArchived === (state.archivedSeenMs !== undefined)) return state;
  const { archivedSeenMs: _, ...rest } = state;
  return isArchived ? { ...rest, archivedSeenMs: nowMs } : rest;
}

function answerOf(state: RecordState): Partial<RecordState> {
  const { fingerprint, staleAtMs, answeredAtMs, answeredQuestion } = state;
  const { employer, outcome } = state;
  return { fingerprint, staleAtMs, answeredAtMs, answeredQuestion, employer, outcome };
}

/**
 * Ends an open run as skipped, with the later runs, so that the runs and their credits still add up. If a worker holds
 * the record, it loses its claim.
 */
export function endOpenRun(
  state: RecordState,
  { reason, nowMs }: { reason: Explanation; nowMs: number },
): RecordState {
  const { claim: _claim, waiting: _waiting, later = [], run, ...rest } = state;
  if (!run) return rest;
  const outcome: Outcome = { kind: 'skipped', reason, atMs: nowMs, credits: run.credits };
  const outcomes = { ...state.outcomes, skipped: state.outcomes.skipped + 1 };
  const runs = [run, ...later];
  const charges = {
    creditsSpent: totalCredits(state),
    ...joinDoubts(state.doubts, ...runs.map((each) => doubtsLeftBy(each))),
  };
  let { backfills } = state;
  for (const each of runs) {
    const end = { outcome: { ...outcome, credits: each.credits }, learned: {} };
    ({ backfills = backfills } = withBackfillEnd({ ...state, backfills, run: each }, end));
  }
  return { ...rest, outcome, outcomes, ...charges, ...(backfills && { backfills }) };
}

function emptyRun(nowMs: number): Run {
  return { id: 'merged', purpose: 'live', openedAtMs: nowMs, credits: 0 };
}

function union(a: readonly string[] = [], b: readonly string[] = []): string[] {
  return [...new Set([...a, ...b])];
}
