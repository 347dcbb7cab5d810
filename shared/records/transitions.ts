import { isPersonsLimit } from '#shared/credit-ledger';
import { moreUrgent, type Purpose, readAsker } from '#shared/crm';
import {
  type AnswerVerdict,
  acceptAnswer,
  declineValues,
  type Explanation,
  type OwnershipChange,
  rejectAnswer,
  type Verdicts,
  withOwnership,
} from '#shared/ownership';
import {
  backfillRunOf,
  committedCredits,
  doubtsLeftBy,
  isWishKey,
  joinDoubts,
  knowsAll,
  type RunCharges,
  withBackfillEnd,
  withEnd,
  withEvents,
} from './record-state.ts';
import {
  MAX_BACKFILLS,
  type Outcome,
  type RecordState,
  type Removal,
  type Run,
  type WaitsFor,
} from './schemas.ts';
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
  const askedBy = state.run?.askedBy;
  const outcome = { ...end.outcome, ...(askedBy !== undefined && { askedBy }) };
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
  const run = state.run && { ...state.run, credits, ...newStart, lapses: undefined, waitsFor };
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

function keptOrNewWait(
  known: Run['waitsFor'],
  { whom, sinceMs }: { readonly whom: WaitsFor; readonly sinceMs: number },
): Run['waitsFor'] {
  return known?.whom === whom ? known : { whom, sinceMs };
}

export interface Opening extends Omit<Reason, 'asked'>, Pick<Run, 'asked'> {
  readonly runId: string;
  readonly maxCredits?: Run['maxCredits'];
  readonly afterDoubt?: Run['afterDoubt'];
  readonly doubtDecidedBy?: Run['doubtDecidedBy'];
  /** Charges that the run counts from its start. */
  readonly credits?: Run['credits'];
  readonly nowMs: number;
  /** Time when the sweep queues the record again, in case its message was lost. */
  readonly untilMs: number;
  readonly reason: WaitingReason;
}

/**
 * Opens a run for a record that a scan chose. The run is stored before its message is sent. If the message is lost, the
 * sweep sends it again.
 */
export function openWaiting(
  state: RecordState,
  { runId, nowMs, untilMs, reason, ...given }: Opening,
): RecordState {
  const run: Run = { id: runId, openedAtMs: nowMs, credits: 0, ...given };
  return { ...state, run, waiting: { reason, untilMs }, runsOpened: state.runsOpened + 1 };
}

export interface BackfillOpening {
  /** Id of the backfill. */
  readonly id: string;
  readonly runId: string;
  readonly maxCredits: number;
  readonly nowMs: number;
}

/**
 * Opens a backfill's run for a record, and queues it.
 * @returns `undefined` if the record was merged or forgotten, or has an open run.
 */
export function openForBackfill(
  state: RecordState,
  { nowMs, ...backfill }: BackfillOpening,
): RecordState | undefined {
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined || state.run) return undefined;
  const { id, runId, maxCredits } = backfill;
  const asked = { purpose: 'backfill', askedBy: readAsker(`backfill:${id}`), maxCredits } as const;
  const opened = openWaiting(state, { runId, ...asked, nowMs, untilMs: nowMs, reason: 'queued' });
  const others = state.backfills?.filter((each) => each.id !== id) ?? [];
  return { ...opened, backfills: [...others.slice(1 - MAX_BACKFILLS), { id, runId }] };
}

/** The first few events are enough to explain a run. */
const MAX_RUN_EVENTS = 5;

/** Later runs of a record. Reasons with equal price limits share one, so more are rare. */
const MAX_LATER = 10;

interface Arrived extends Reason {
  readonly runId: string;
  readonly eventKeys: readonly string[];
  readonly nowMs: number;
}

/** Returns a run of its own for a reason. */
function runFor({ purpose, asked, askedBy, runId, eventKeys, nowMs }: Arrived): Run {
  const { maxCredits, ...request } = asked ?? {};
  return {
    id: runId,
    purpose,
    openedAtMs: nowMs,
    credits: 0,
    ...(maxCredits !== undefined && { maxCredits }),
    ...(asked && { asked: request }),
    ...(askedBy !== undefined && { askedBy }),
    ...(eventKeys.length > 0 && { eventKeys: eventKeys.slice(0, MAX_RUN_EVENTS) }),
  };
}

interface Served {
  readonly state: RecordState;
  /** Id of the run that serves the reason. */
  readonly runId: string;
}

/**
 * Lets a run of the record serve a new reason, whose own run is `own`:
 * - the open run, if no worker holds it and `canServe` allows it;
 * - its own run in place of the open run, if it is more urgent. The open run then becomes a later run;
 * - otherwise a later run.
 *
 * So a run never costs more than the price limit of any reason that it serves, and no reason is lost.
 */
function serve(
  state: RecordState,
  { own, isHeld, isWish }: { readonly own: Run; readonly isHeld: boolean; readonly isWish: boolean },
): Served {
  const { run, later = [] } = state;
  if (!run) return { state: { ...state, run: own, runsOpened: state.runsOpened + 1 }, runId: own.id };
  if (!isHeld && canServe(run, { own, isWish }))
    return { state: { ...state, run: joined(run, own) }, runId: run.id };
  if (!isHeld && givesWay(run, own))
    return { state: { ...state, run: own, later: [...later, run] }, runId: own.id };
  const overfull = later.length >= MAX_LATER ? later.at(-1) : undefined;
  const known = later.find((each) => canServe(each, { own, isWish })) ?? overfull;
  if (!known) return { state: { ...state, later: [...later, own] }, runId: own.id };
  const withOwn = later.map((each) => (each === known ? joined(each, own) : each));
  return { state: { ...state, later: withOwn }, runId: known.id };
}

/**
 * Whether the run can also serve the reason. A wish's reply reports the run's charge, so nothing was charged before. A
 * backfill counts its own charges, so its run serves no other reason. A person's own limit may end a run, so it serves
 * no other asker.
 */
function canServe(run: Run, { own, isWish }: { readonly own: Run; readonly isWish: boolean }): boolean {
  if ((run.purpose === 'backfill') !== (own.purpose === 'backfill')) return false;
  if (run.askedBy !== own.askedBy && [run, own].some(isPersonsLimit)) return false;
  return run.maxCredits === own.maxCredits && (!isWish || committedCredits(run) === 0);
}

function joined(run: Run, own: Run): Run {
  const limits = [run, own].flatMap(({ maxCredits }) => maxCredits ?? []);
  const eventKeys = [...new Set([...(run.eventKeys ?? []), ...(own.eventKeys ?? [])])].slice(
    0,
    MAX_RUN_EVENTS,
  );
  // A run after a doubt buys nothing. A new reason may buy.
  const { askedBy: _, afterDoubt: _only, ...rest } = run;
  return {
    ...rest,
    ...joinReasons(run, own),
    ...(limits.length > 0 && { maxCredits: Math.min(...limits) }),
    ...(eventKeys.length > 0 && { eventKeys }),
  };
}

/**
 * Whether the waiting run waits until a more urgent run has ended. A run with an answer, or with an unknown charge or
 * write, continues first.
 */
function givesWay({ purpose, answeredQuestion, commitments = [], lapses = 0 }: Run, other: Run): boolean {
  const isMoreUrgent = purpose !== other.purpose && moreUrgent(purpose, other.purpose) === other.purpose;
  return isMoreUrgent && answeredQuestion === undefined && commitments.length === 0 && lapses === 0;
}

/** Queues the most urgent later run in place of a postponed run that gives way to it. */
function withUrgentFirst(state: RecordState, nowMs: number): RecordState {
  const { run } = state;
  const next = mostUrgent(state);
  if (!run || !next || !givesWay(run, next)) return state;
  return queued({ ...state, later: [...without(state, next), run] }, { run: next, nowMs });
}

/** Opens the most urgent later run after the end of the run before. */
function openNext(state: RecordState, nowMs: number): RecordState {
  const { later: _, ...rest } = state;
  const next = mostUrgent(state);
  if (!next) return rest;
  const others = without(state, next);
  const opened = { ...rest, runsOpened: state.runsOpened + 1, ...(others.length > 0 && { later: others }) };
  return queued(opened, { run: next, nowMs });
}

function queued(
  state: RecordState,
  { run, nowMs }: { readonly run: Run; readonly nowMs: number },
): RecordState {
  return { ...state, run, waiting: { reason: 'changed-meanwhile' satisfies WaitingReason, untilMs: nowMs } };
}

function mostUrgent({ later = [] }: RecordState): Run | undefined {
  const [first, ...rest] = later;
  const urgent = (a: Run, b: Run) => (moreUrgent(a.purpose, b.purpose) === a.purpose ? a : b);
  return first && rest.reduce(urgent, first);
}

function without({ later = [] }: RecordState, run: Run): readonly Run[] {
  return later.filter(({ id }) => id !== run.id);
}

/**
 * Removes a halted backfill's run from the later runs.
 * @returns `undefined` if it is none of them, or may have cost credits.
 */
export function withdrawLater(
  state: RecordState,
  runId: string,
  reason: Explanation,
): RecordState | undefined {
  const run = state.later?.find(({ id }) => id === runId);
  if (!run || !backfillRunOf(state, runId) || committedCredits(run) > 0) return undefined;
  const end = { kind: 'skipped', reason, credits: 0, isDamage: false, isWithdrawn: true } as const;
  return { ...state, later: without(state, run), ...withEnd(state, runId, end) };
}

/** Stores the end of the record's run with the wishes that it served. */
function endedWishes(
  { recentEvents, run }: Pick<RecordState, 'recentEvents' | 'run'>,
  end: Outcome,
): RecordState['recentEvents'] {
  return recentEvents.map((event) => (run && event.run === run.id ? { ...event, end } : event));
}

/** Request of a person or a workflow for a run. Without `maxCredits`, the policy's limits apply. */
export interface Asked extends NonNullable<Run['asked']> {
  /** The price that a person agreed to. */
  readonly maxCredits?: number | undefined;
}

/** Reason for a run. */
interface Reason {
  readonly purpose: Purpose;
  readonly asked?: Asked | undefined;
  readonly askedBy?: string | undefined;
}

/** Joins two reasons with the same price limit: the more urgent purpose, and both requests. */
export function joinReasons(a: Reason, b: Reason): Reason {
  // The reason counts as a workflow's only if no person requested it.
  const asked = a.asked && !(a.asked.byWorkflow && b.asked) ? a.asked : b.asked;
  return { ...leading(a, b), ...(asked && { asked }) };
}

/**
 * Returns the purpose and asker of the most urgent reason. If reasons are equally urgent, the first one counts. So if
 * several askers requested a run, its charge names the asker whose request caused the question.
 */
export function leading(first: Reason, second: Reason): Pick<Reason, 'purpose' | 'askedBy'> {
  const isFirst = moreUrgent(first.purpose, second.purpose) === first.purpose;
  const { purpose, askedBy } = isFirst ? first : second;
  return { purpose, ...(askedBy !== undefined && { askedBy }) };
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

/** Joins the removals of two merged records. An unfinished removal continues for the joinedRemoval record. */
export function joinRemovals(winner: Obtained, loser: Obtained): Partial<Obtained> {
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
