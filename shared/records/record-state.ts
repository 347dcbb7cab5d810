import { LANES, laneOf, type ObjectType, PURPOSES, type Purpose } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { IndexPosition } from '#shared/versioned-items';
import { REFRESH_CELLS, refreshCell } from './refresh-cells.ts';
import type { Outcome, RecordState, Run } from './schemas.ts';
import { waitingCause } from './waiting-causes.ts';

/** Every partition of the record index. Each record is in exactly one, so that a pass can read all records. */
export const RECORD_PLACES = [
  ...LANES.flatMap((lane) => [`running-${lane}`, `waiting-${lane}`] as const),
  ...PURPOSES.map((purpose) => queuePlace(purpose)),
  'doubtful',
  'settled',
  ...REFRESH_CELLS,
] as const;
export type RecordPlace = (typeof RECORD_PLACES)[number];

/** Partitions of records that wait for a time. */
export const TIMED_PLACES = LANES.map((lane) => `waiting-${lane}` as const);

/** Partitions of records that wait for a time or are queued. */
export const WAITING_PLACES: readonly RecordPlace[] = [...TIMED_PLACES, ...PURPOSES.map(queuePlace)];

/** Partitions of records that a worker holds. */
export const RUNNING_PLACES = LANES.map((lane) => `running-${lane}` as const);

const REFRESH_PLACES: ReadonlySet<string> = new Set(REFRESH_CELLS);

/**
 * Partition of the records that are queued for this purpose. They continue as soon as the rate and the budget allow.
 */
export function queuePlace(purpose: Purpose): `in-turn-${Purpose}` {
  return `in-turn-${purpose}`;
}

/** Whether the record is queued. A run with a paid answer, or one that a person admitted, only waits for a time. */
export function isQueued({ run, waiting }: Pick<RecordState, 'run' | 'waiting'>): boolean {
  if (run?.answeredQuestion !== undefined || run?.overrulesReserve) return false;
  return waiting !== undefined && waitingCause(waiting.reason).waitsFor === 'queue';
}

/** Requests of a person or a workflow, whose result is later read by its key. The code calls them wishes. */
const WISHES = { request: 'request:', workflow: 'workflow-action:' } as const;
const WISH = new RegExp(`^(?:${Object.values(WISHES).join('|')})`);

export function wishKey(by: keyof typeof WISHES, id: string): string {
  return `${WISHES[by]}${id}`;
}

/** HubSpot retries a delivery for one day; three days leave a margin. */
const EVENT_MEMORY_MS = 3 * DAY_MS;
const MAX_EVENTS = 50;
/** Memory for wishes: a workflow may ask for its result for a week, whatever else happens to the record. */
const WISH_MEMORY_MS = 8 * DAY_MS;
const MAX_WISHES = 50;

export function newRecordState(objectType: ObjectType, id: string): RecordState {
  const outcomes = { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 };
  return {
    objectType,
    id,
    recentEvents: [],
    runsOpened: 0,
    outcomes,
    creditsSpent: 0,
    ownership: {},
    verdicts: [],
  };
}

/**
 * Returns the record's place in the index:
 * - running: by the end of its claim;
 * - waiting: by its due time, or if it is queued, by the start of its run;
 * - with a doubtful question: by the time of its failure;
 * - refreshable: in its cell, by the time when it becomes stale, and so by the age of its answer.
 * All other records are settled.
 */
export function recordPlace(state: RecordState): IndexPosition & { readonly partition: RecordPlace } {
  const { claim, waiting, run } = state;
  const lane = laneOf(run?.purpose ?? 'live');
  if (claim) return { partition: `running-${lane}`, order: claim.untilMs };
  if (run && isQueued(state)) return { partition: queuePlace(run.purpose), order: run.openedAtMs };
  if (waiting) return { partition: `waiting-${lane}`, order: waiting.untilMs };
  if (state.doubtfulQuestion) return { partition: 'doubtful', order: state.outcome?.atMs ?? 0 };
  const staleAtMs = state.beforeDeletion === undefined ? state.staleAtMs : undefined;
  if (staleAtMs !== undefined) return { partition: refreshCell(state), order: staleAtMs };
  return { partition: 'settled', order: Number.MAX_SAFE_INTEGER };
}

/** Whether a refresh may choose the record: it has no open run, and its answer has expired. */
export function isStale(state: RecordState, nowMs: number): boolean {
  const { partition, order } = recordPlace(state);
  return REFRESH_PLACES.has(partition) && order <= nowMs;
}

/** Adds events and drops old ones. @param run number of the run that handles them. */
export function withEvents(
  state: RecordState,
  keys: readonly string[],
  { nowMs, run }: { readonly nowMs: number; readonly run: number },
): RecordState {
  const memoryMs = (key: string) => (WISH.test(key) ? WISH_MEMORY_MS : EVENT_MEMORY_MS);
  const known = state.recentEvents.filter(({ key, atMs }) => atMs > nowMs - memoryMs(key));
  const added = keys
    .filter((key) => !known.some((event) => event.key === key))
    .map((key) => ({ key, atMs: nowMs, ...(WISH.test(key) && { run }) }));
  const events = [...known, ...added];
  const wishes = events.filter(({ key }) => WISH.test(key)).slice(-MAX_WISHES);
  const others = events.filter(({ key }) => !WISH.test(key)).slice(-MAX_EVENTS);
  return { ...state, recentEvents: [...wishes, ...others] };
}

/** Whether a webhook has reported the record recently. */
export function hasWebhookEvent({ recentEvents }: Pick<RecordState, 'recentEvents'>): boolean {
  return recentEvents.some(({ key }) => !WISH.test(key));
}

export function knowsAll(state: RecordState, keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => state.recentEvents.some((event) => event.key === key));
}

/** Runs by state: opened = ended + waiting + running, for each record and so for all. */
export interface RunCounts {
  readonly opened: number;
  readonly ended: number;
  readonly waiting: number;
  readonly running: number;
}

export function runCounts(state: RecordState): RunCounts {
  const ended = Object.values(state.outcomes).reduce((sum, count) => sum + count, 0);
  const waiting = state.run && state.waiting && !state.claim ? 1 : 0;
  const running = state.run && state.claim && !state.waiting ? 1 : 0;
  return { opened: state.runsOpened, ended, waiting, running };
}

/** Runs that are in no column, or in two: 0 unless a run was lost. */
export function lostRuns({ opened, ended, waiting, running }: RunCounts): number {
  return opened - ended - waiting - running;
}

/** The used part of a run's price. */
export type RunCharges = Pick<Run, 'credits' | 'commitments'>;

/** Credits that count against a run's price: its charges, and the worst case of its open attempts. */
export function committedCredits({ credits, commitments = [] }: RunCharges): number {
  return commitments.reduce((sum, attempt) => sum + attempt.credits, credits);
}

/** Keeps the purpose and the rest of the price for the run that follows once the doubt is resolved. */
export function doubtfulRunOf(
  { run, backfill }: RecordState,
  {
    outcome,
    learned,
  }: { readonly outcome: Outcome; readonly learned: Pick<RecordState, 'doubtfulQuestion'> },
): Pick<RecordState, 'doubtfulRun'> {
  if (!run || learned.doubtfulQuestion === undefined) return {};
  const { purpose, asked, askedBy, commitments } = run;
  const left = (price: number | undefined) =>
    price !== undefined && { maxCredits: Math.max(0, price - outcome.credits) };
  // This limit is not a person's, so it is no part of `asked`, and emptied properties stay empty.
  const allowed = backfill?.runId === run.id ? backfill.maxCredits : run.maxCredits;
  return {
    doubtfulRun: {
      purpose,
      ...(askedBy !== undefined && { askedBy }),
      ...(asked && { asked: { ...asked, ...left(asked.maxCredits) } }),
      ...left(allowed),
      ...(commitments && commitments.length > 0 && { commitments }),
    },
  };
}

/** Stores the end of a backfill's run. It stays until the next backfill's run replaces it. */
export function withBackfillEnd(
  { run, backfill }: RecordState,
  {
    outcome,
    learned,
  }: {
    outcome: Outcome;
    learned: Partial<Pick<RecordState, 'doubtfulQuestion' | 'verdicts'>> & {
      readonly isWithdrawn?: boolean | undefined;
    };
  },
): Pick<RecordState, 'backfill'> {
  if (!backfill || run?.id !== backfill.runId) return {};
  const isRefused = outcome.kind === 'failed' && learned.doubtfulQuestion === undefined;
  const isDamage = isRefused || learned.verdicts?.some(({ rejected }) => rejected) === true;
  // A doubtful charge counts at its worst case. After a doubt, the next run may also spend the rest of the price.
  const committed = committedCredits({ credits: outcome.credits, commitments: run.commitments });
  const credits = learned.doubtfulQuestion === undefined ? committed : backfill.maxCredits;
  const { isWithdrawn } = learned;
  const end = { kind: outcome.kind, credits, isDamage, ...(isWithdrawn && { isWithdrawn }) };
  return { backfill: { ...backfill, end } };
}

/** Whether a lookup of the record has ended, with a match or without. */
export function wasLookedUp({ answeredAtMs, staleAtMs }: RecordState): boolean {
  return answeredAtMs !== undefined || staleAtMs !== undefined;
}
