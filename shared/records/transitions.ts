import { MINUTE_MS } from '#shared/kernel';
import {
  type AnswerVerdict,
  acceptAnswer,
  declineValues,
  type OwnershipChange,
  rejectAnswer,
  type Verdicts,
  withOwnership,
} from '#shared/ownership';
import { openNext, type Reason, runFor, serve, withUrgentFirst } from './later-runs.ts';
import {
  doubtsLeftBy,
  isWishKey,
  joinDoubts,
  knowsAll,
  type RunCharges,
  withBackfillEnd,
  withEvents,
} from './record-state.ts';
import { obtainedBy, type Removed, withoutObtained } from './removal-transitions.ts';
import type { Outcome, RecordState, Run, StopWait, WaitsFor } from './schemas.ts';
import { type WaitingReason, waitingCause } from './waiting-causes.ts';

export interface Arrival extends Reason {
  readonly eventKeys: readonly string[];
  readonly owner: string;
  readonly runId: string;
  readonly nowMs: number;
  /** Time for which a worker can hold a record before it counts as crashed. */
  readonly claimMs: number;
}

export type Claim =
  /** This worker holds the record now. */
  | { readonly kind: 'claimed'; readonly state: RecordState; readonly run: Run }
  /** Every event of the message was handled before. */
  | { readonly kind: 'repeat' }
  /** Another worker holds the record, or the record is queued. A later run, or the queued one, serves the message. */
  | { readonly kind: 'noted'; readonly state: RecordState };

/**
 * Handles a message for a record. Opens a new run, or continues the waiting or abandoned run. Each run ends in one
 * outcome.
 */
export function arrive(state: RecordState, arrival: Arrival): Claim {
  const { nowMs, owner, claimMs, eventKeys } = arrival;
  // If the record was erased or merged away, its messages come too late.
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined) return { kind: 'repeat' };
  const isHeld = state.claim !== undefined && state.claim.untilMs > nowMs;
  const isAbandoned = state.claim !== undefined && !isHeld;
  const isWaiting = state.waiting !== undefined;
  const isKnown = knowsAll(state, eventKeys);
  if (isKnown && !isAbandoned && !isWaiting) return { kind: 'repeat' };
  if (isHeld && eventKeys.length === 0) return { kind: 'repeat' };
  const open = state.run && isAbandoned ? { ...state, run: lapsed(state.run) } : state;
  // A message without new events only continues the open run.
  const isContinuation = open.run !== undefined && (isKnown || eventKeys.length === 0);
  const reason = { own: runFor(arrival), isHeld, isWish: eventKeys.some(isWishKey) };
  const served = isContinuation ? { state: open, runId: reason.own.id } : serve(open, reason);
  const noted = withEvents(served.state, eventKeys, { nowMs, runId: served.runId });
  if (isHeld) return { kind: 'noted', state: noted };
  const { waiting: _waiting, run = reason.own, ...rest } = noted;
  return { kind: 'claimed', run, state: { ...rest, run, claim: { owner, untilMs: nowMs + claimMs } } };
}

/** Records the arrival without claiming the record: opens the run and queues it. */
export function note(state: RecordState, arrival: Arrival): Exclude<Claim, { kind: 'claimed' }> {
  if (state.waiting && knowsAll(state, arrival.eventKeys)) return { kind: 'repeat' };
  const decision = arrive(state, arrival);
  if (decision.kind !== 'claimed') return decision;
  const { claim: _, ...rest } = decision.state;
  return {
    kind: 'noted',
    state: { ...rest, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: arrival.nowMs } },
  };
}

/** Counts one more worker that stopped without an outcome while it held the run. */
export function lapsed(run: Run): Run {
  return { ...run, lapses: (run.lapses ?? 0) + 1 };
}

/**
 * Results of a run. Absent fields stay as they were. Lists and maps are added to the current state, because a merge may
 * have changed the state during the run.
 */
export interface Learned
  extends Partial<
    Pick<
      RecordState,
      | 'fingerprint'
      | 'answeredAtMs'
      | 'answeredQuestion'
      | 'employer'
      | 'weight'
      | 'rule'
      | 'staleAtMs'
      | 'verdicts'
      | 'hadCompany'
      | 'hasReview'
      | 'isOld'
    >
  > {
  /** The question whose doubt made the run fail. */
  readonly doubtfulQuestion?: string | undefined;
  /** Set if HubSpot no longer has the record. */
  readonly isGone?: boolean | undefined;
  /** Set if a lookup would have cost more than the agreed price. */
  readonly isAbovePrice?: boolean | undefined;
  /** Set if the run's backfill was stopped or paused before the lookup. */
  readonly isWithdrawn?: boolean | undefined;
  /** Set if HubSpot refused bought values. The others were written. */
  readonly hasRefusedValues?: boolean | undefined;
  readonly ownership?: OwnershipChange | undefined;
  /** A finished removal. */
  readonly removed?: Removed | undefined;
}

function withLearned(state: RecordState, learned: Learned): RecordState {
  const { ownership: _owned, verdicts: _judged, isGone, removed, ...noted } = learned;
  const { isAbovePrice: _, isWithdrawn: _withdrawn, hasRefusedValues: _refused, ...others } = noted;
  const { doubtfulQuestion: _doubt, ...rest } = others;
  const withOwners = learnOwnership(state, learned);
  const { beforeDeletion, ...known } = removed ? withoutObtained(withOwners, removed) : withOwners;
  const before = isGone ? (beforeDeletion ?? state.outcome?.kind) : undefined;
  return {
    ...known,
    ...rest,
    ...obtainedBy(known, rest),
    ...(before && { beforeDeletion: before }),
  };
}

/** Adds the new ownership of values and the verdicts on answers. It can be repeated. */
export function learnOwnership(
  state: RecordState,
  { ownership = {}, verdicts = [] }: Pick<Learned, 'ownership' | 'verdicts'>,
): RecordState {
  const known = verdicts.reduce(withVerdict, state.verdicts);
  return { ...state, ownership: withOwnership(state.ownership, ownership), verdicts: known };
}

function withVerdict(known: Verdicts, { rejected, inSpiteOf, declined, ...answer }: AnswerVerdict): Verdicts {
  let verdicts = rejected ? rejectAnswer(known, answer, rejected) : known;
  if (inSpiteOf) verdicts = acceptAnswer(verdicts, answer, inSpiteOf);
  return declined ? declineValues(verdicts, answer, declined) : verdicts;
}

/** Ends the run. If the record has later runs, the most urgent one opens immediately and is queued. */
export function settle(state: RecordState, end: { outcome: Outcome; learned: Learned }): RecordState {
  const { learned } = end;
  const { askedBy, stopWait } = state.run ?? {};
  const waited = stopWait && endedWait(stopWait, end.outcome.atMs);
  const outcome = {
    ...end.outcome,
    ...(askedBy !== undefined && { askedBy }),
    ...(waited && { stopWait: waited }),
  };
  const { run, claim: _claim, waiting: _waiting, doubts, ...rest } = state;
  const outcomes = { ...state.outcomes, [outcome.kind]: state.outcomes[outcome.kind] + 1 };
  const ended = {
    ...withLearned(withoutPastStaleness(rest, outcome.atMs), learned),
    outcome,
    outcomes,
    creditsSpent: state.creditsSpent + outcome.credits,
    recentEvents: endedWishes(state, outcome),
    ...withBackfillEnd(state, end),
    ...joinDoubts(
      doubts?.filter(({ attempt }) => attempt),
      run && doubtsLeftBy(run, learned.doubtfulQuestion),
    ),
  };
  return openNext(ended, outcome.atMs);
}

/** Removes a stale time that has passed. Otherwise a record without a new answer would be chosen again and again. */
function withoutPastStaleness(state: RecordState, nowMs: number): RecordState {
  const { staleAtMs, ...rest } = state;
  return staleAtMs !== undefined && staleAtMs > nowMs ? state : rest;
}

/**
 * Postpones the run, which may give way to a more urgent later run. A postponed run counts as neither a failure nor an
 * end.
 */
export function defer(
  state: RecordState,
  wait: NonNullable<RecordState['waiting']> & { credits: number; learned: Learned; nowMs: number },
): RecordState {
  const { credits, nowMs } = wait;
  const { claim: _claim, ...rest } = state;
  const { waitsFor: whom } = waitingCause(wait.reason);
  const isService = whom !== 'queue' && whom !== 'policy';
  const waitsFor = isService ? keptOrNewWait(state.run?.waitsFor, { whom, sinceMs: nowMs }) : undefined;
  // A wait that the policy sets is not a delay, so the run counts as opened at its end.
  const newStart = whom === 'policy' ? { openedAtMs: wait.untilMs } : {};
  const stopWait = stopWaitOf(state.run?.stopWait, wait, nowMs);
  const run = state.run && { ...state.run, credits, ...newStart, lapses: undefined, waitsFor, stopWait };
  const waiting = {
    reason: wait.reason,
    untilMs: wait.untilMs,
    ...(wait.detail && { detail: wait.detail }),
    ...(wait.params && { params: wait.params }),
    ...(wait.isAboveLimit && { isAboveLimit: wait.isAboveLimit }),
  };
  return withUrgentFirst({ ...withLearned(rest, wait.learned), ...(run && { run }), waiting }, nowMs);
}

/**
 * Stores a run's charges and commitments.
 * @returns `undefined` if this worker no longer holds the record.
 */
export function commitCredits(
  state: RecordState,
  { owner, credits, commitments }: RunCharges & { readonly owner: string | undefined },
): RecordState | undefined {
  if (!state.run || state.claim?.owner !== owner) return undefined;
  return { ...state, run: { ...state.run, credits, commitments } };
}

/** Returns the run's last wait for a stop, when the run waits again. */
function stopWaitOf(
  known: Run['stopWait'],
  { reason, detail }: NonNullable<RecordState['waiting']>,
  nowMs: number,
): Run['stopWait'] {
  const { waitsFor, isInProgress } = waitingCause(reason);
  const isStop = !isInProgress && waitsFor !== 'policy' && waitsFor !== 'ourselves';
  if (!isStop) return known && endedWait(known, nowMs);
  if (known?.reason === reason && known.untilMs === undefined) return known;
  return { reason, ...(detail !== undefined && { detail }), sinceMs: nowMs };
}

/** Shorter waits are no news. */
const MIN_STOP_WAIT_MS = MINUTE_MS;

function endedWait(wait: StopWait, nowMs: number): StopWait | undefined {
  const { untilMs = nowMs } = wait;
  return untilMs - wait.sinceMs < MIN_STOP_WAIT_MS ? undefined : { ...wait, untilMs };
}

function keptOrNewWait(
  known: Run['waitsFor'],
  { whom, sinceMs }: { readonly whom: WaitsFor; readonly sinceMs: number },
): Run['waitsFor'] {
  return known?.whom === whom ? known : { whom, sinceMs };
}

/** Stores the end of the record's run with the wishes that it served. */
function endedWishes(
  { recentEvents, run }: Pick<RecordState, 'recentEvents' | 'run'>,
  end: Outcome,
): RecordState['recentEvents'] {
  return recentEvents.map((event) => (run && event.run === run.id ? { ...event, end } : event));
}
