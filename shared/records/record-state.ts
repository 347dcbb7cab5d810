import { LANES, laneOf, OBJECT_TYPES, type ObjectType, PURPOSES, type Purpose } from '#shared/crm';
import { WEIGHTS, type Weight } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import type { IndexPosition } from '#shared/store';
import type { BackfillRun, JournalEntry, Outcome, RecordState, Run } from './schemas.ts';
import { waitingCause } from './waiting-causes.ts';

/**
 * Partitions of the records that a refresh can choose: one for each object type and permitted weight. A refresh reads
 * all of them, so a record whose weight is no longer in the policy is still refreshed.
 */
export const REFRESH_PLACES = OBJECT_TYPES.flatMap((type) =>
  WEIGHTS.map((weight) => refreshPlace(type, weight)),
);

function refreshPlace(type: ObjectType, weight: Weight): `refresh-${ObjectType}-${Weight}` {
  return `refresh-${type}-${weight}`;
}

/**
 * Every partition of the record index. Each record is in exactly one partition, so that a pass can read all records.
 */
export const RECORD_PLACES = [
  ...LANES.flatMap((lane) => [`running-${lane}`, `waiting-${lane}`] as const),
  ...PURPOSES.map((purpose) => queuePlace(purpose)),
  'doubtful',
  'settled',
  ...REFRESH_PLACES,
] as const;

export type RecordPlace = (typeof RECORD_PLACES)[number];

/** Partitions of records that wait until a due time. */
export const TIMED_PLACES = LANES.map((lane) => `waiting-${lane}` as const);

/** Partitions of records that wait until a due time or are queued. */
export const WAITING_PLACES: readonly RecordPlace[] = [...TIMED_PLACES, ...PURPOSES.map(queuePlace)];

/** Partitions of records that a worker holds. */
export const RUNNING_PLACES = LANES.map((lane) => `running-${lane}` as const);

/**
 * Returns the partition of the records that are queued for this purpose. They continue as soon as the rate limit and
 * the budget allow.
 */
export function queuePlace(purpose: Purpose): `in-turn-${Purpose}` {
  return `in-turn-${purpose}`;
}

/**
 * Whether the record is queued. A run with a paid answer, or a run that a person admitted, is never queued: it only
 * waits until a due time.
 */
export function isQueued({ run, waiting }: Pick<RecordState, 'run' | 'waiting'>): boolean {
  if (run?.answeredQuestion !== undefined || run?.overrulesReserve) return false;
  return waiting !== undefined && waitingCause(waiting.reason).waitsFor === 'queue';
}

/** Key prefixes of wishes. A wish is a request of a person or a workflow. Its result is later read by its key. */
const WISHES = { request: 'request:', workflow: 'workflow-action:' } as const;

const WISH = new RegExp(`^(?:${Object.values(WISHES).join('|')})`);

export function wishKey(by: keyof typeof WISHES, id: string): string {
  return `${WISHES[by]}${id}`;
}

export function isWishKey(key: string): boolean {
  return WISH.test(key);
}

/** HubSpot retries a delivery for one day; three days leave a margin. */
const EVENT_MEMORY_MS = 3 * DAY_MS;

const MAX_EVENTS = 50;

/**
 * Time for which wishes are remembered. For a week, a workflow can ask for the result of its request, whatever else
 * happens to the record.
 */
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
 * - running: ordered by the end of the claim;
 * - waiting: ordered by the due time; queued: ordered by the start of the run;
 * - with a doubtful question: ordered by the time of the failure;
 * - refreshable: in the partition of its type and weight, ordered by the time when it becomes stale: its last answer
 * and the time for which this answer counts as fresh.
 *
 * All other records are settled.
 */
export function recordPlace(state: RecordState): IndexPosition & { readonly partition: RecordPlace } {
  const { claim, waiting, run } = state;
  const lane = laneOf(run?.purpose ?? 'live');
  if (claim) return { partition: `running-${lane}`, order: claim.untilMs };
  if (run && isQueued(state)) return { partition: queuePlace(run.purpose), order: run.openedAtMs };
  if (waiting) return { partition: `waiting-${lane}`, order: waiting.untilMs };
  if (state.doubts) return { partition: 'doubtful', order: state.outcome?.atMs ?? 0 };
  const staleAtMs = state.beforeDeletion === undefined ? state.staleAtMs : undefined;
  if (staleAtMs !== undefined)
    return { partition: refreshPlace(state.objectType, weightOf(state)), order: staleAtMs };
  return { partition: 'settled', order: Number.MAX_SAFE_INTEGER };
}

/** Returns the refresh weight of the record. */
export function weightOf({ weight = 1 }: Pick<RecordState, 'weight'>): Weight {
  return weight;
}

/** Whether a refresh may choose the record: it has no open run, and its answer has expired. */
export function isStale(state: RecordState, nowMs: number): boolean {
  const { partition, order } = recordPlace(state);
  return REFRESH_PLACES.some((place) => place === partition) && order <= nowMs;
}

/**
 * Adds events and drops old ones.
 * @param runId id of the run that handles the events.
 */
export function withEvents(
  state: RecordState,
  keys: readonly string[],
  { nowMs, runId }: { readonly nowMs: number; readonly runId: string },
): RecordState {
  const memoryMs = (key: string) => (isWishKey(key) ? WISH_MEMORY_MS : EVENT_MEMORY_MS);
  const known = state.recentEvents.filter(({ key, atMs }) => atMs > nowMs - memoryMs(key));
  const added = keys
    .filter((key) => !known.some((event) => event.key === key))
    .map((key) => ({ key, atMs: nowMs, ...(isWishKey(key) && { run: runId }) }));
  const events = [...known, ...added];
  const wishes = events.filter(({ key }) => isWishKey(key)).slice(-MAX_WISHES);
  const others = events.filter(({ key }) => !isWishKey(key)).slice(-MAX_EVENTS);
  return { ...state, recentEvents: [...wishes, ...others] };
}

/** Whether a webhook has reported the record recently. */
export function hasWebhookEvent({ recentEvents }: Pick<RecordState, 'recentEvents'>): boolean {
  return recentEvents.some(({ key }) => !isWishKey(key));
}

export function knowsAll(state: RecordState, keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => state.recentEvents.some((event) => event.key === key));
}

/** Number of runs by state. For each record, opened = ended + waiting + running. */
interface RunCounts {
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

/**
 * Returns how many opened runs are missing in the other counts. The number is negative if a run is counted twice.
 */
export function lostRuns({ opened, ended, waiting, running }: RunCounts): number {
  return opened - ended - waiting - running;
}

type Doubts = NonNullable<RecordState['doubts']>;

/**
 * Returns the doubts that a run leaves: its attempts without a known charge, and the question whose doubt ended it.
 */
export function doubtsLeftBy(
  { purpose, asked, askedBy, commitments = [] }: Run,
  doubtfulQuestion?: string,
): Doubts {
  const reason = { purpose, ...(asked && { asked }), ...(askedBy !== undefined && { askedBy }) };
  return [
    ...commitments.map((attempt) => ({ ...reason, questionKey: attempt.questionKey, attempt })),
    ...(doubtfulQuestion === undefined ? [] : [{ ...reason, questionKey: doubtfulQuestion }]),
  ];
}

/** Identifies a doubt of a record: by its own attempt, or by its question. */
export function doubtKey({ questionKey, attempt }: Doubts[number]): string {
  return attempt?.reservationId ?? questionKey;
}

/**
 * Joins the doubts of a record. Each attempt counts once. A doubt without an own attempt is about one question, and is
 * left out if the record has an attempt of this question.
 */
export function joinDoubts(...lists: readonly (Doubts | undefined)[]): Pick<RecordState, 'doubts'> {
  const byAttempt = new Map<string, Doubts[number]>();
  for (const doubt of lists.flatMap((list) => list ?? [])) {
    if (!byAttempt.has(doubtKey(doubt))) byAttempt.set(doubtKey(doubt), doubt);
  }
  const all = [...byAttempt.values()];
  const isOwn = (questionKey: string) =>
    all.some((doubt) => doubt.attempt && doubt.questionKey === questionKey);
  const doubts = all.filter(({ attempt, questionKey }) => attempt || !isOwn(questionKey));
  return doubts.length > 0 ? { doubts } : {};
}

/** A record's total: the credits charged in its ended runs, its open run and its later runs. */
export function totalCredits({ creditsSpent, run, later = [] }: RecordState): number {
  return [...(run ? [run] : []), ...later].reduce((sum, { credits }) => sum + credits, creditsSpent);
}

/** Returns the credits of a record's total that these entries of its history do not have. */
export function unlistedCredits(
  state: RecordState,
  entries: readonly Pick<JournalEntry, 'credits'>[],
): number {
  return entries.reduce((left, { credits }) => left - credits, totalCredits(state));
}

/** Returns the backfill whose run this is; `undefined` for a run of another reason. */
export function backfillRunOf(
  { backfills = [] }: Pick<RecordState, 'backfills'>,
  runId: string,
): BackfillRun | undefined {
  return backfills.find((each) => each.runId === runId);
}

export function withEnd(
  { backfills = [] }: Pick<RecordState, 'backfills'>,
  runId: string,
  end: NonNullable<BackfillRun['end']>,
): Pick<RecordState, 'backfills'> {
  return { backfills: backfills.map((each) => (each.runId === runId ? { ...each, end } : each)) };
}

/** Returns the end of a backfill's run. It stays stored until the same backfill, or ten others, open a run. */
export function withBackfillEnd(
  state: RecordState,
  {
    outcome,
    learned,
  }: {
    outcome: Outcome;
    learned: Partial<Pick<RecordState, 'verdicts' | 'answeredQuestion'>> & {
      readonly doubtfulQuestion?: string | undefined;
      readonly isWithdrawn?: boolean | undefined;
      readonly hasRefusedValues?: boolean | undefined;
    };
  },
): Pick<RecordState, 'backfills'> {
  const { run } = state;
  if (!run || !backfillRunOf(state, run.id)) return {};
  const isRefused =
    learned.hasRefusedValues === true ||
    (outcome.kind === 'failed' && learned.doubtfulQuestion === undefined);
  const isDamage = isRefused || learned.verdicts?.some(({ rejected }) => rejected) === true;
  // A doubtful charge counts at its highest cost.
  const credits = committedCredits({ credits: outcome.credits, commitments: run.commitments });
  const { isWithdrawn } = learned;
  // Without an answer, an enriched record was not looked up again.
  const isKept = outcome.kind === 'unchanged' && learned.answeredQuestion === undefined;
  // The data service found somebody, although the record contradicts the answer.
  const isReview = outcome.kind === 'unmatched' && outcome.status === 'review';
  const kind = isKept ? 'skipped' : isReview ? 'unchanged' : outcome.kind;
  const end = {
    kind,
    credits,
    isDamage,
    ...(isWithdrawn && { isWithdrawn }),
    ...(kind === 'skipped' && { reason: outcome.reason }),
  };
  return withEnd(state, run.id, end);
}

/** Whether a lookup of the record has ended, with a match or without. */
export function wasLookedUp({ answeredAtMs, staleAtMs }: RecordState): boolean {
  return answeredAtMs !== undefined || staleAtMs !== undefined;
}

/** The charges and commitments of a run. */
export type RunCharges = Pick<Run, 'credits' | 'commitments'>;

/** Returns the credits that count against a run's price: its charges, and the highest cost of its open attempts. */
export function committedCredits({ credits, commitments = [] }: RunCharges): number {
  return commitments.reduce((sum, attempt) => sum + attempt.credits, credits);
}
