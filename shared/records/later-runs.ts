import { isPersonsLimit } from '#shared/credit-ledger';
import { moreUrgent, type Purpose } from '#shared/crm';
import type { Explanation } from '#shared/ownership';
import { backfillRunOf, committedCredits, withEnd } from './record-state.ts';
import type { RecordState, Run } from './schemas.ts';
import type { WaitingReason } from './waiting-causes.ts';

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
export function runFor({ purpose, asked, askedBy, runId, eventKeys, nowMs }: Arrived): Run {
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
export function serve(
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
export function withUrgentFirst(state: RecordState, nowMs: number): RecordState {
  const { run } = state;
  const next = mostUrgent(state);
  if (!run || !next || !givesWay(run, next)) return state;
  return queued({ ...state, later: [...without(state, next), run] }, { run: next, nowMs });
}

/** Opens the most urgent later run after the end of the run before. */
export function openNext(state: RecordState, nowMs: number): RecordState {
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

/** Request of a person or a workflow for a run. Without `maxCredits`, the policy's limits apply. */
export interface Asked extends NonNullable<Run['asked']> {
  /** The price that a person agreed to. */
  readonly maxCredits?: number | undefined;
}

/** Reason for a run. */
export interface Reason {
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
