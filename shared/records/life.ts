import { mergeOwnership, mergeVerdicts } from '#shared/ownership';
import { backfillEnded } from './record-state.ts';
import { removalOfBoth } from './removal.ts';
import type { Outcome, RecordState, Run } from './schemas.ts';

/** The record is no more: what it knew goes with `absorb` to the one that it was merged into. */
export function mergedAway(
  state: RecordState,
  { into, nowMs }: { into: string; nowMs: number },
): RecordState {
  // One that was never looked at had its run all the same: an event told of it.
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
 * What one record knew becomes the winner's, and what was learned of either's person. A winner that was never looked at
 * is what the loser was, so that nothing is asked that has been answered. Safe to repeat.
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
    ...removalOfBoth(winner, loser),
    ownership: mergeOwnership(winner.ownership, loser.ownership, { wereAnswered }),
    verdicts: mergeVerdicts(winner.verdicts, loser.verdicts),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/** Whether we may have written to it. A winner may hold the entries of an answered record without its answer. */
function hasWritten({ answeredAtMs, ownership }: RecordState): boolean {
  return answeredAtMs !== undefined || Object.values(ownership).some(({ written }) => written);
}

/** Stores where the audit of deletions found the record. @returns the same state if nothing changed. */
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

/** Ends an open run as skipped, so that the sums still add up. A worker that holds the record loses it. */
export function endOpenRun(
  state: RecordState,
  { reason, nowMs }: { reason: string; nowMs: number },
): RecordState {
  const { claim: _claim, waiting: _waiting, again: _again, run, ...rest } = state;
  if (!run) return rest;
  const outcome: Outcome = { kind: 'skipped', reason, atMs: nowMs, credits: run.credits };
  const outcomes = { ...state.outcomes, skipped: state.outcomes.skipped + 1 };
  const creditsSpent = state.creditsSpent + run.credits;
  return { ...rest, outcome, outcomes, creditsSpent, ...backfillEnded(state, { outcome, learned: {} }) };
}

function emptyRun(nowMs: number): Run {
  return { id: 'merged', purpose: 'live', openedAtMs: nowMs, credits: 0 };
}

function union(a: readonly string[] = [], b: readonly string[] = []): string[] {
  return [...new Set([...a, ...b])];
}
