import { MINUTE_MS } from '#shared/kernel';
import {
  type AnswerVerdict,
  acceptAnswer,
  declineValues,
  type Explanation,
  mergeOwnership,
  mergeVerdicts,
  type OwnershipChange,
  rejectAnswer,
  type Verdicts,
  withOwnership,
} from '#shared/ownership';
import { because } from './explanations.ts';
import { openNext, type Reason, runFor, serve, withUrgentFirst } from './later-runs.ts';
import {
  doubtsLeftBy,
  isQueued,
  isWishKey,
  joinDoubts,
  knowsAll,
  type RunCharges,
  totalCredits,
  withBackfillEnd,
  withEvents,
} from './record-state.ts';
import type { Outcome, RecordState, Removal, Run, StopWait, WaitsFor } from './schemas.ts';
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
  const queue = (queued: RecordState) => {
    const waiting = { reason: 'queued' satisfies WaitingReason, untilMs: arrival.nowMs };
    return { kind: 'noted', state: { ...queued, waiting } } as const;
  };
  // A run whose worker has gone waits for this message. Nothing else would continue it soon.
  if (state.waiting && knowsAll(state, arrival.eventKeys))
    return state.waiting.reason === ('worker-gone' satisfies WaitingReason)
      ? queue(state)
      : { kind: 'repeat' };
  const decision = arrive(state, arrival);
  if (decision.kind !== 'claimed') return decision;
  const { claim: _, ...rest } = decision.state;
  return queue(rest);
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

/**
 * Admits a queued record. If its message is lost, the sweep sends it again at `untilMs`.
 * @returns `undefined` if the record is not queued.
 */
export function admitUntil(state: RecordState, untilMs: number): RecordState | undefined {
  if (state.claim || !state.run || !isQueued(state)) return undefined;
  return { ...state, waiting: { reason: ADMITTED, untilMs } };
}

/**
 * Queues an admitted record again, because its message was not sent.
 * @returns `undefined` if a worker holds the record, or it is no longer admitted.
 */
export function putBack(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || state.waiting?.reason !== ADMITTED) return undefined;
  return { ...state, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

/**
 * Lets a person admit a queued record in spite of the reserve for leads. The permission stays until the run ends.
 * @returns `undefined` if the record is not queued.
 */
export function overruleReserve(state: RecordState, nowMs: number): RecordState | undefined {
  if (state.claim || !state.run || !isQueued(state)) return undefined;
  const run = { ...state.run, overrulesReserve: true } as const;
  return { ...state, run, waiting: { reason: 'queued' satisfies WaitingReason, untilMs: nowMs } };
}

const ADMITTED = 'admitted' satisfies WaitingReason;

/** Wait reasons of records whose messages were to be queued. These messages may have been lost with the queue. */
const QUEUED_REASONS: ReadonlySet<string> = new Set(['worker-gone', ADMITTED]);

/**
 * Releases a record after its worker has stopped. The run continues with its queued message, or with the next sweep.
 * @param hasEnded whether the owner of a claim has stopped.
 * @returns `undefined` if none of its runs was in progress.
 */
export function orphaned(
  state: RecordState,
  untilMs: number,
  hasEnded: (owner: string) => boolean,
): RecordState | undefined {
  const { claim, run, waiting, ...rest } = state;
  if (claim && !hasEnded(claim.owner)) return undefined;
  if (!run || !(claim || QUEUED_REASONS.has(waiting?.reason ?? ''))) return undefined;
  return {
    ...rest,
    run: claim ? lapsed(run) : run,
    waiting: { reason: 'worker-gone' satisfies WaitingReason, untilMs },
  };
}

/**
 * Ends the wait for one of these reasons.
 * @returns `undefined` if the record waits for another reason, or does not wait.
 */
export function dueNow(
  state: RecordState,
  { reasons, nowMs }: { reasons: readonly string[]; nowMs: number },
): RecordState | undefined {
  const reason = state.waiting?.reason;
  if (reason === undefined || !reasons.includes(reason)) return undefined;
  return { ...state, waiting: { reason, untilMs: nowMs } };
}

/**
 * States of a permanent removal of our values, because they expired (retention) or their source must not be used
 * (recall):
 *
 * none -> begun -> done -> none        (a later answer, if a rule of the policy allows to buy one)
 *
 * `begun` is stored before anything changes. From then on, nothing is bought for the record.
 */
export function beginRemoval(state: RecordState, removal: Removal): RecordState {
  return takesNewestAnswer(state, removal) ? { ...state, removal } : state;
}

/** Whether a removal has begun and not finished. */
export function isUnderWay({ removal }: Pick<RecordState, 'removal'>): boolean {
  return removal !== undefined && !removal.isDone;
}

/** Whether the removal includes the record's newest answer. The record may still hold values of an older answer. */
export function takesNewestAnswer(
  { answeredAtMs }: Pick<RecordState, 'answeredAtMs'>,
  { obtained }: Removal,
): boolean {
  if (!obtained || answeredAtMs === undefined) return true;
  return answeredAtMs >= obtained.fromMs && answeredAtMs <= obtained.toMs;
}

/** A finished removal, and the properties that still hold our older values. */
export interface Removed {
  readonly removal: Removal;
  readonly left: readonly string[];
}

/**
 * Returns the record after a removal. Without its newest answer, the record counts as never answered. Its cost and the
 * remaining older values stay. The time of the first answer decides when these values expire.
 */
export function withoutObtained(state: RecordState, { removal, left }: Removed): RecordState {
  if (!takesNewestAnswer(state, removal)) {
    const { removal: begun, ...others } = state;
    const isThisRemoval = begun?.by === removal.by && begun.atMs === removal.atMs;
    return isThisRemoval ? others : state;
  }
  const { fingerprint: _f, answeredAtMs: _a, answeredQuestion: _q, ...rest } = state;
  const { obtainedAtMs, employer: _e, staleAtMs: _s, ...others } = rest;
  const released = Object.keys(state.ownership).filter((property) => !left.includes(property));
  return {
    ...others,
    ...(left.length > 0 && obtainedAtMs !== undefined && { obtainedAtMs }),
    ownership: withOwnership(state.ownership, { released }),
    removal: { ...removal, isDone: true },
  };
}

/** Returns the changes that a new answer makes to the removal fields. */
function obtainedBy(
  { obtainedAtMs, removal }: Pick<RecordState, 'obtainedAtMs' | 'removal'>,
  { answeredAtMs }: Pick<Partial<RecordState>, 'answeredAtMs'>,
): Pick<Partial<RecordState>, 'obtainedAtMs' | 'removal'> {
  if (answeredAtMs === undefined) return {};
  const isSuperseded = removal?.isDone === true && answeredAtMs > removal.atMs;
  return { obtainedAtMs: obtainedAtMs ?? answeredAtMs, ...(isSuperseded && { removal: undefined }) };
}

type Obtained = Pick<RecordState, 'obtainedAtMs' | 'removal'>;

/** Joins the removals of two merged records. An unfinished removal continues for the winner. */
function joinRemovals(winner: Obtained, loser: Obtained): Partial<Obtained> {
  const times = [winner.obtainedAtMs, loser.obtainedAtMs].filter((ms) => ms !== undefined);
  const open = [winner, loser].flatMap(({ removal }) => (removal && !removal.isDone ? [removal] : []));
  const removal =
    open.reduceRight<Removal | undefined>(joinedRemoval, undefined) ?? winner.removal ?? loser.removal;
  return { ...(times.length > 0 && { obtainedAtMs: Math.min(...times) }), ...(removal && { removal }) };
}

/** Joins two recalls into one over both periods. A removal of all values includes any other. */
function joinedRemoval(second: Removal | undefined, first: Removal): Removal {
  if (!second?.obtained || !first.obtained) return second && !second.obtained ? second : first;
  const [a, b] = [first.obtained, second.obtained];
  return {
    ...first,
    obtained: { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) },
  };
}

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
