import { isPersonsLimit } from '#shared/credit-ledger';
import { moreUrgent, type Purpose, readAsker } from '#shared/crm';
import type { Explanation } from '#shared/ownership';
import { backfillRunOf, committedCredits, doubtKey, recordPlace, withEnd } from './record-state.ts';
import { MAX_BACKFILLS, type RecordState, type Run } from './schemas.ts';
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
