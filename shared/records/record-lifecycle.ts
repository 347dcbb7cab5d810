import { mergeOwnership, mergeVerdicts } from '#shared/ownership';
import { withBackfillEnd } from './record-state.ts';
import { joinRemovals } from './removal.ts';
import type { Outcome, RecordState, Run } from './schemas.ts';

/** Ends the record's runs. `absorb` adds its knowledge to the winner. */
export function mergedAway(
  state: RecordState,
  { into, nowMs }: { into: string; nowMs: number },
): RecordState {
  // An event opened a run for a record that was never read; count it, so that the sums add up.
  const seen = state.runsOpened === 0 ? { ...state, runsOpened: 1, run: emptyRun(nowMs) } : state;
  const {
    staleAtMs: _stale,
    doubtfulQuestion: _doubt,
    doubtfulRun: _run,
    ...ended
  } = endOpenRun(seen, {
    reason: 'Merged into another record.',
    nowMs,
  });
  return { ...ended, mergedInto: into };
}

/**
 * Merges the loser's knowledge into the winner. A winner that was never read takes over the loser's answer, so it is
 * not bought again. Safe to repeat.
 */
export function absorb(winner: RecordState, loser: RecordState): RecordState {
  if (winner.mergedFrom?.includes(loser.id)) return winner;
  const mergedFrom = [...(winner.mergedFrom ?? []), loser.id];
  const creditsSpent = winner.creditsSpent + loser.creditsSpent;
  if (winner.forgottenAtMs !== undefined) return { ...winner, mergedFrom, creditsSpent };
  const identifiers = union(winner.identifiers, loser.identifiers);
  const wereAnswered = hasWritten(winner) && hasWritten(loser);
  return {
    ...(winner.answeredAtMs === undefined && winner.runsOpened === 0 ? answerOf(loser) : {}),
    ...winner,
    mergedFrom,
    creditsSpent,
    ...joinRemovals(winner, loser),
    ownership: mergeOwnership(winner.ownership, loser.ownership, { wereAnswered }),
    verdicts: mergeVerdicts(winner.verdicts, loser.verdicts),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/**
 * Whether we may have written to the record. After a merge, a winner may have ownership entries but no answer of its
 * own.
 */
function hasWritten({ answeredAtMs, ownership }: RecordState): boolean {
  return answeredAtMs !== undefined || Object.values(ownership).some(({ written }) => written);
}

/**
 * Stores whether the deletion audit found the record in HubSpot's archive. @returns the same state if nothing changed.
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
  const { employer, changeRate, outcome, answeredCompany } = state;
  const learned = { employer, changeRate, answeredCompany };
  return { fingerprint, staleAtMs, answeredAtMs, answeredQuestion, ...learned, outcome };
}

/** Ends an open run as skipped, so that the run counts still add up. A worker that holds the record loses its claim. */
export function endOpenRun(
  state: RecordState,
  { reason, nowMs }: { reason: string; nowMs: number },
): RecordState {
  const { claim: _claim, waiting: _waiting, again: _again, run, ...rest } = state;
  if (!run) return rest;
  const outcome: Outcome = { kind: 'skipped', reason, atMs: nowMs, credits: run.credits };
  const outcomes = { ...state.outcomes, skipped: state.outcomes.skipped + 1 };
  const creditsSpent = state.creditsSpent + run.credits;
  return { ...rest, outcome, outcomes, creditsSpent, ...withBackfillEnd(state, { outcome, learned: {} }) };
}

function emptyRun(nowMs: number): Run {
  return { id: 'merged', purpose: 'live', openedAtMs: nowMs, credits: 0 };
}

function union(a: readonly string[] = [], b: readonly string[] = []): string[] {
  return [...new Set([...a, ...b])];
}
