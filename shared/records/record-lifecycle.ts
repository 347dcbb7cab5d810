import { type Explanation, mergeOwnership, mergeVerdicts } from '#shared/ownership';
import { because } from './explanations.ts';
import {
  doubtKey,
  doubtsLeftBy,
  joinDoubts,
  recordPlace,
  totalCredits,
  withBackfillEnd,
} from './record-state.ts';
import type { Outcome, RecordState, Run } from './schemas.ts';
import {
  type BackfillOpening,
  joinRemovals,
  type Opening,
  openForBackfill,
  openWaiting,
} from './transitions.ts';

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

interface AnswerClaim extends Omit<BackfillOpening, 'maxCredits'> {
  /** Key of the question whose stored answer the run writes again. */
  readonly questionKey: string;
  readonly owner: string;
  readonly claimMs: number;
}

/**
 * Opens a run that writes a stored answer again, and claims the record for it. Its price limit of 0 credits prevents a
 * later worker from spending credits.
 * @returns `undefined` if the record was merged or forgotten, or has an open run.
 */
export function claimWithAnswer(
  state: RecordState,
  { questionKey, owner, claimMs, ...opening }: AnswerClaim,
): (RecordState & { readonly run: Run }) | undefined {
  const opened = openForBackfill(state, { ...opening, maxCredits: 0 });
  if (!opened?.run) return undefined;
  const { waiting: _, ...rest } = opened;
  const run = { ...opened.run, answeredQuestion: questionKey };
  return { ...rest, run, claim: { owner, untilMs: opening.nowMs + claimMs } };
}

interface RefreshOpening extends Pick<Opening, 'runId' | 'nowMs'> {
  /** Highest price of the run, in credits, as the budget or a person allowed it. */
  readonly maxCredits: number;
}

/** Opens a refresh run with a price limit, and queues it. */
export function openForRefresh(state: RecordState, opening: RefreshOpening): RecordState {
  const asked = { purpose: 'refresh', askedBy: 'schedule' } as const;
  return openWaiting(state, { ...opening, ...asked, untilMs: opening.nowMs, reason: 'queued' });
}

interface DecidedDoubts {
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
