import { recordKey } from '#shared/crm';
import { type Clock, DAY_MS, HOUR_MS } from '#shared/kernel';
import { change } from '#shared/store';
import { pages, type RecordItems } from './change-record.ts';
import {
  isQueued,
  lostRuns,
  RECORD_PLACES,
  type RecordPlace,
  RUNNING_PLACES,
  recordPlace,
  runCounts,
  WAITING_PLACES,
} from './record-state.ts';
import type {
  PassPosition,
  RecordState,
  RunAuditPass,
  RunSum,
  StoredStatus,
  WaitingCount,
  WaitingSum,
} from './schemas.ts';
import { recordKind, type StatusItems, type StatusName, statusKind } from './stored-kinds.ts';
import { waitNow } from './wait-now.ts';
import { waitingCause } from './waiting-causes.ts';

/**
 * An index page has at most 1 MB. Five pages a minute are 7 GB a day. This is enough for a pass over some million
 * records, and costs at most four dollars a month.
 */
const PAGES_AT_ONCE = 5;

/** Stored position of a pass. `sum` is absent before the first part, and in passes that store no sum. */
type StoredPass<S> = PassPosition & { readonly sum?: S | undefined };

type RecordPass<S> = PassPosition & { readonly sum: S };

export interface PassServices {
  readonly records: Pick<RecordItems, 'page'>;
  readonly status: StatusItems;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

interface PassPlan<S, R extends StoredPass<S>> {
  readonly name: StatusName;
  /** Returns the pass's part of its item. */
  readonly stored: (status: StoredStatus) => R | undefined;
  readonly places: readonly RecordPlace[];
  /** A new pass begins this time after the start of the last pass, but not before the last pass has ended. */
  readonly everyMs: number;
  readonly empty: S;
  /** Called one time for each record if the pass stores no sum. Called two times if it stores a sum. */
  readonly add: (sum: S, state: RecordState) => S;
  /** Maximum number of records in a part. Without it, a part is a few full pages. */
  readonly recordsAtOnce?: number;
  /** Returns the item to store after a part. It may call HubSpot. If the call fails, the part is repeated. */
  readonly keep: (pass: RecordPass<S>, before: R | undefined) => StoredStatus | Promise<StoredStatus>;
}

export interface PassPart<S> {
  /** Result of this part alone. */
  readonly part: S;
  /** Result of the whole pass, if it ends with this part. */
  readonly whole?: S | undefined;
}

/**
 * Continues a pass through the records after its last part. Any process can do this. A part reads only a few pages, so
 * it stays short.
 * @returns `undefined` while no pass is due.
 */
export async function continuePass<S, R extends StoredPass<S>>(
  { records, status, clock }: PassServices,
  plan: PassPlan<S, R>,
): Promise<PassPart<S> | undefined> {
  const { name, everyMs } = plan;
  const item = { key: statusKind.key(name), kind: `status of ${name}`, clock };
  const { outcome } = await change(status, item, async (before) => {
    const nowMs = clock.now();
    const known = before && plan.stored(before);
    if (known && !known.at && nowMs < known.begunMs + everyMs) return { outcome: undefined };
    const pass: StoredPass<S> = known?.at
      ? { begunMs: known.begunMs, at: known.at, sum: known.sum }
      : { begunMs: nowMs, at: { place: 0 } };
    const { next, part, sum = part } = await readPart(records, plan, pass);
    const value = await plan.keep({ begunMs: pass.begunMs, sum, ...(next && { at: next }) }, known);
    return { outcome: { part, ...(!next && { whole: sum }) }, value };
  });
  return outcome;
}

type Position = NonNullable<PassPosition['at']>;

async function readPart<S, R extends StoredPass<S>>(
  records: PassServices['records'],
  { places, empty, add, recordsAtOnce = Number.POSITIVE_INFINITY }: PassPlan<S, R>,
  pass: StoredPass<S>,
): Promise<{ readonly next: Position | undefined; readonly part: S; readonly sum: S | undefined }> {
  let { at, sum } = pass;
  let part = empty;
  let remaining = recordsAtOnce;
  for (let pages = 0; at && pages < PAGES_AT_ONCE && remaining > 0; ) {
    const place = places[at.place];
    if (place === undefined) return { next: undefined, part, sum };
    const partition = recordKind.partition(place);
    const limit = Number.isFinite(remaining) ? remaining : undefined;
    const { values, next } = await records.page({ partition, after: at.after, limit });
    remaining -= values.length;
    for (const state of values) {
      part = add(part, state);
      sum = sum && add(sum, state);
    }
    at = next === undefined ? { place: at.place + 1 } : { place: at.place, after: next };
    // An empty place does not count as a page.
    if (values.length > 0) pages += 1;
  }
  return { next: at && at.place < places.length ? at : undefined, part, sum };
}

const NONE: readonly RecordState[] = [];

/**
 * Reads the next part of the waiting records, from the end of the last part. After the last record, starts again at the
 * first.
 * @param isPicked is called one time for each record of the part, so it can count them.
 * @returns the waiting records that are chosen.
 */
export async function pickWaiting(
  services: PassServices,
  isPicked: (state: RecordState) => boolean,
): Promise<readonly RecordState[]> {
  const pass = await continuePass(services, {
    name: 'resume',
    stored: ({ resume }) => resume,
    places: WAITING_PLACES,
    everyMs: 0,
    empty: NONE,
    add: (picked, state) => (isPicked(state) ? [...picked, state] : picked),
    keep: ({ sum: _, ...resume }) => ({ resume }),
  });
  return pass?.part ?? NONE;
}

const NO_WAITING: WaitingSum = { records: {}, reasons: {}, sinceMs: {} };

/** Counts waiting records in parts. A new pass starts each hour. A record that a worker retries goes on waiting. */
export async function countWaiting(services: PassServices): Promise<void> {
  const { clock } = services;
  await continuePass<WaitingSum, WaitingCount>(services, {
    name: 'waiting',
    stored: ({ waiting }) => waiting,
    places: [...WAITING_PLACES, ...RUNNING_PLACES],
    everyMs: HOUR_MS,
    empty: NO_WAITING,
    add: addWaiting,
    keep: (pass, before) => {
      const last = pass.at ? before?.last : { ...pass.sum, atMs: clock.now() };
      return { waiting: { ...pass, ...(last && { last }) } };
    },
  });
}

/** Returns the result of the last complete pass; `undefined` before the first pass has ended. */
export async function lastWaiting(status: Pick<StatusItems, 'read'>): Promise<WaitingCount['last']> {
  return (await status.read(statusKind.key('waiting')))?.value.waiting?.last;
}

function addWaiting({ records, reasons, sinceMs }: WaitingSum, state: RecordState): WaitingSum {
  const { claim, run } = state;
  const reason = timedReason(state);
  const counted = {
    records: claim ? records : incremented(records, recordPlace(state).partition),
    reasons: reason === undefined ? reasons : incremented(reasons, reason),
  };
  if (!run?.waitsFor || isQueued(state)) return { ...counted, sinceMs };
  const { whom, sinceMs: since } = run.waitsFor;
  const earliest = Math.min(since, sinceMs[whom] ?? Number.MAX_SAFE_INTEGER);
  return { ...counted, sinceMs: { ...sinceMs, [whom]: earliest } };
}

function incremented(counts: Readonly<Record<string, number>>, key: string): Record<string, number> {
  return { ...counts, [key]: (counts[key] ?? 0) + 1 };
}

/**
 * Returns the wait reason of a record with a due time; `undefined` for a queued record. After a refusal, the reason
 * includes the object type, because HubSpot refuses writes by type.
 * @param waiting the wait as it is now. By default, it is unknown whether a person has stopped spending.
 */
export function timedReason(state: RecordState, waiting = waitNow(state, undefined)): string | undefined {
  const { objectType, claim, run } = state;
  if (!waiting || claim || isQueued({ run, waiting })) return undefined;
  const isRefusal = waitingCause(waiting.reason).waitsFor === 'refusal';
  return isRefusal ? `${waiting.reason} ${objectType}` : waiting.reason;
}

const MAX_GUILTY = 20;

const NOTHING: RunSum = {
  records: 0,
  opened: 0,
  ended: 0,
  waiting: 0,
  running: 0,
  lost: 0,
  outcomes: { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 },
  guilty: [],
};

/**
 * Reads every record and adds up its runs. A record that moves within the index during the audit may be missed or read
 * twice. The counts of each record that was read are still consistent.
 */
export async function auditRuns(records: Pick<RecordItems, 'page'>): Promise<RunSum> {
  let sum = NOTHING;
  for await (const states of pages(records)) for (const state of states) sum = addRuns(sum, state);
  return sum;
}

/** Does the same audit in parts. A new pass starts once a day. */
export function auditNext(services: PassServices): Promise<PassPart<RunSum> | undefined> {
  return continuePass<RunSum, RunAuditPass>(services, {
    name: 'runs',
    stored: ({ runs }) => runs,
    places: RECORD_PLACES,
    everyMs: DAY_MS,
    empty: NOTHING,
    add: addRuns,
    keep: (runs) => ({ runs }),
  });
}

function addRuns(sum: RunSum, state: RecordState): RunSum {
  const counts = runCounts(state);
  const lost = Math.abs(lostRuns(counts));
  const isGuilty = lost !== 0 && sum.guilty.length < MAX_GUILTY;
  const { enriched, unchanged, unmatched, skipped, failed } = state.outcomes;
  const inReview = (sum.inReview ?? 0) + (state.outcome?.status === 'review' ? 1 : 0);
  return {
    records: sum.records + 1,
    opened: sum.opened + counts.opened,
    ended: sum.ended + counts.ended,
    waiting: sum.waiting + counts.waiting,
    running: sum.running + counts.running,
    lost: sum.lost + lost,
    outcomes: {
      enriched: sum.outcomes.enriched + enriched,
      unchanged: sum.outcomes.unchanged + unchanged,
      unmatched: sum.outcomes.unmatched + unmatched,
      skipped: sum.outcomes.skipped + skipped,
      failed: sum.outcomes.failed + failed,
    },
    guilty: isGuilty ? [...sum.guilty, recordKey(state)] : sum.guilty,
    ...(inReview > 0 && { inReview }),
  };
}
