import { readAsker } from '#shared/crm';
import {
  type AnswerVerdict,
  acceptAnswer,
  declineValues,
  type OwnershipChange,
  rejectAnswer,
  type Verdicts,
  withOwnership,
} from '#shared/ownership';
import { joinReasons, leading, type Reason, withAsked } from './asked.ts';
import { backfillEnded, doubted, knowsAll, type RunCharges, withEvents } from './record-state.ts';
import { obtainedBy, type Removed, withoutObtained } from './removal.ts';
import type { Outcome, RecordState, Run, WaitsFor } from './schemas.ts';
import { type WaitingReason, waitingCause } from './waiting-causes.ts';
import { chargedWishes, movedWishes } from './wishes.ts';

export interface Arrival extends Reason {
  readonly eventKeys: readonly string[];
  readonly owner: string;
  readonly runId: string;
  readonly nowMs: number;
  /** How long a worker may hold a record before it counts as crashed. */
  readonly claimMs: number;
}

export type Claim =
  /** Ours to work on. */
  | { readonly kind: 'claimed'; readonly state: RecordState; readonly run: Run }
  /** Every event of the message was dealt with before. */
  | { readonly kind: 'repeat' }
  /** Another worker holds it, or it waits for its turn; the state says now that a run is due. */
  | { readonly kind: 'noted'; readonly state: RecordState };

/**
 * A message arrives for a record. A new run opens, or the waiting or abandoned one continues:
 * either way one run ends in one outcome.
 */
export function arrive(state: RecordState, arrival: Arrival): Claim {
  const { nowMs, owner, claimMs, eventKeys, runId } = arrival;
  // A mark of a forgetting, or what is left of a merge: whatever comes for it comes too late.
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined) return { kind: 'repeat' };
  const held = state.claim !== undefined && state.claim.untilMs > nowMs;
  const abandoned = state.claim !== undefined && !held;
  const waiting = state.waiting !== undefined;
  if (knowsAll(state, eventKeys) && !abandoned && !waiting) return { kind: 'repeat' };
  const open = state.run ? state.runsOpened : state.runsOpened + 1;
  const seen = withEvents(state, eventKeys, { nowMs, run: held ? open + 1 : open });
  if (held) {
    if (eventKeys.length === 0) return { kind: 'repeat' };
    const reason = { ...leading(arrival), ...(arrival.asked && { asked: arrival.asked }) };
    const again = seen.again ? joinReasons(seen.again, reason) : reason;
    return { kind: 'noted', state: { ...seen, again } };
  }
  const found = state.run ?? { id: runId, ...leading(arrival), openedAtMs: nowMs, credits: 0 };
  const wished = withAsked(found, state, arrival);
  const run = withEventKeys(abandoned ? lapsed(wished) : wished, eventKeys);
  // What was noted while an earlier worker held the record is seen by this one, which reads it again.
  const { waiting: _waiting, again: _again, ...rest } = movedWishes(seen, { from: open + 1, to: open });
  const claimed = { ...rest, run, claim: { owner, untilMs: nowMs + claimMs } };
  return {
    kind: 'claimed',
    run,
    state: state.run ? claimed : { ...claimed, runsOpened: state.runsOpened + 1 },
  };
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

/** The worker that held the run is gone, for an unknown reason. */
export function lapsed(run: Run): Run {
  return { ...run, lapses: (run.lapses ?? 0) + 1 };
}

/** A storm of events explains no more than its first few. */
const MAX_RUN_EVENTS = 5;

function withEventKeys(run: Run, eventKeys: readonly string[]): Run {
  const keys = [...new Set([...(run.eventKeys ?? []), ...eventKeys])].slice(0, MAX_RUN_EVENTS);
  return keys.length > 0 ? { ...run, eventKeys: keys } : run;
}

/**
 * Results of a run. Absent fields stay as they were. Lists and maps are added to the present state, because a merge may have
 * changed it during the run.
 */
export interface Learned
  extends Partial<
    Pick<
      RecordState,
      | 'fingerprint'
      | 'answeredAtMs'
      | 'answeredQuestion'
      | 'answeredCompany'
      | 'employer'
      | 'changeRate'
      | 'worth'
      | 'rule'
      | 'staleAtMs'
      | 'doubtfulQuestion'
      | 'verdicts'
      | 'hadCompany'
      | 'hasReview'
      | 'isOld'
    >
  > {
  /** HubSpot does not have it any more. */
  readonly isGone?: boolean | undefined;
  /** A lookup would have cost more than a person agreed to. */
  readonly isDearer?: boolean | undefined;
  /** Its backfill was stopped or paused before the lookup. */
  readonly isWithdrawn?: boolean | undefined;
  readonly ownership?: OwnershipChange | undefined;
  /** A removal that is over. */
  readonly removed?: Removed | undefined;
}

function withLearned(state: RecordState, learned: Learned): RecordState {
  const { ownership: _owned, verdicts: _judged, isGone, removed, ...noted } = learned;
  const { isDearer: _, isWithdrawn: _withdrawn, ...rest } = noted;
  const learnt = learnOwnership(state, learned);
  const { beforeDeletion, ...known } = removed ? withoutObtained(learnt, removed) : learnt;
  const before = isGone ? (beforeDeletion ?? state.outcome?.kind) : undefined;
  return {
    ...known,
    ...rest,
    ...obtainedBy(known, rest),
    ...(before && { beforeDeletion: before }),
  };
}

/** Adds what was learned of whose a value is, and of an answer. Safe to repeat. */
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

/** The run ends. If something happened meanwhile, the next run is opened at once and waits to be queued. */
export function settle(
  state: RecordState,
  end: { outcome: Outcome; learned: Learned; nextRunId: string },
): RecordState {
  const { learned, nextRunId } = end;
  const askedBy = state.run?.askedBy;
  const outcome = { ...end.outcome, ...(askedBy !== undefined && { askedBy }) };
  const beyond = learned.isDearer ? state.run?.asked?.beyond : undefined;
  const { runsOpened } = state;
  // The next run may cost more than this one was allowed to.
  const wished = beyond
    ? movedWishes(state, { from: runsOpened, to: runsOpened + 1, ofWorkflows: true })
    : state;
  const { run: _run, again: noted, ...before } = state;
  const { claim: _claim, waiting: _waiting, doubtfulQuestion: _doubt, doubtfulRun: _its, ...rest } = before;
  const outcomes = { ...state.outcomes, [outcome.kind]: state.outcomes[outcome.kind] + 1 };
  const creditsSpent = state.creditsSpent + outcome.credits;
  const known = withLearned(withoutPastStaleness(rest, outcome.atMs), learned);
  const ended = {
    ...known,
    outcome,
    outcomes,
    creditsSpent,
    recentEvents: chargedWishes(wished, outcome.credits),
    ...backfillEnded(state, end),
    ...doubted(state, end),
  };
  const again = noted && beyond ? joinReasons(noted, beyond) : (noted ?? beyond);
  if (!again) return ended;
  return openWaiting(ended, {
    runId: nextRunId,
    ...again,
    nowMs: outcome.atMs,
    untilMs: outcome.atMs,
    reason: 'changed-meanwhile',
  });
}

/** A record that was looked at and got no new answer would otherwise be stale for ever, and chosen again and again. */
function withoutPastStaleness(state: RecordState, nowMs: number): RecordState {
  const { staleAtMs, ...rest } = state;
  return staleAtMs !== undefined && staleAtMs > nowMs ? state : rest;
}

/** The run continues later, with the notes made meanwhile: neither a failure nor an end. */
export function defer(
  state: RecordState,
  later: NonNullable<RecordState['waiting']> & { credits: number; learned: Learned; nowMs: number },
): RecordState {
  const { runsOpened: open } = state;
  const { claim: _claim, again: _again, ...rest } = movedWishes(state, { from: open + 1, to: open });
  const { credits, nowMs } = later;
  const { waitsFor: whom } = waitingCause(later.reason);
  const isNamed = whom !== 'turn' && whom !== 'nobody';
  const waitsFor = isNamed ? sameWait(state.run?.waitsFor, { whom, sinceMs: nowMs }) : undefined;
  const known = state.run && withAsked(state.run, state, { ...leading(state.run), eventKeys: [] });
  // No figure of delay counts a wait that the policy wants.
  const begun = whom === 'nobody' ? { openedAtMs: later.untilMs } : {};
  const run = known && { ...known, ...begun, credits, lapses: undefined, waitsFor };
  return {
    ...withLearned(rest, later.learned),
    ...(run && { run }),
    waiting: { reason: later.reason, untilMs: later.untilMs, ...(later.detail && { detail: later.detail }) },
  };
}

/** Stores a run's charges and commitments; undefined if another worker holds the record by now. */
export function commitCredits(
  state: RecordState,
  { owner, credits, commitments }: RunCharges & { readonly owner: string | undefined },
): RecordState | undefined {
  if (!state.run || state.claim?.owner !== owner) return undefined;
  return { ...state, run: { ...state.run, credits, commitments } };
}

function sameWait(
  known: Run['waitsFor'],
  { whom, sinceMs }: { readonly whom: WaitsFor; readonly sinceMs: number },
): Run['waitsFor'] {
  return known?.whom === whom ? known : { whom, sinceMs };
}

export interface Opening extends Reason {
  readonly runId: string;
  readonly maxCredits?: Run['maxCredits'];
  /** From the earlier run that it continues. */
  readonly commitments?: Run['commitments'];
  readonly nowMs: number;
  /** When the sweep queues it again, should its message be lost. */
  readonly untilMs: number;
  readonly reason: WaitingReason;
}

/** A scan chose the record: its run opens before its message is sent, so that neither can be lost. */
export function openWaiting(
  state: RecordState,
  { runId, nowMs, untilMs, reason, ...given }: Opening,
): RecordState {
  const run: Run = { id: runId, openedAtMs: nowMs, credits: 0, ...given };
  return { ...state, run, waiting: { reason, untilMs }, runsOpened: state.runsOpened + 1 };
}

export interface BackfillOpening {
  /** The backfill's. */
  readonly id: string;
  readonly runId: string;
  readonly maxCredits: number;
  readonly nowMs: number;
}

/**
 * A backfill's turn has come to a record: a run of it opens and waits for its turn.
 * @returns `undefined` where the record is no more, or is being worked on for another reason.
 */
export function openForBackfill(
  state: RecordState,
  { nowMs, ...backfill }: BackfillOpening,
): RecordState | undefined {
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined || state.run) return undefined;
  const { runId } = backfill;
  const asked = { purpose: 'backfill', askedBy: readAsker(`backfill:${backfill.id}`) } as const;
  const opened = openWaiting(state, { runId, ...asked, nowMs, untilMs: nowMs, reason: 'queued' });
  return { ...opened, backfill };
}
