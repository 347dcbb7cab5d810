import { readAsker } from '#shared/crm';
import type { Reason } from './later-runs.ts';
import { doubtKey, recordPlace } from './record-state.ts';
import { MAX_BACKFILLS, type RecordState, type Run } from './schemas.ts';
import type { WaitingReason } from './waiting-causes.ts';

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
