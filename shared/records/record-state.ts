import type { Purpose } from '../credit-ledger/entries.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { IndexPosition } from '../versioned-items/store.ts';
import { type Lane, laneOf } from '../work-queue/lane.ts';
import type { ObjectType } from './crm-record.ts';

export const OUTCOME_KINDS = ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** How a run ended. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** For a person: why it ended so. No personal data. */
  readonly reason: string;
  readonly atMs: number;
  /** Credits this run was charged. */
  readonly credits: number;
}

/** One attempt to bring a record up to date; it ends in exactly one outcome, however often it is resumed. */
export interface Run {
  readonly id: string;
  readonly purpose: Purpose;
  readonly openedAtMs: number;
  /** Credits charged so far: a run that was deferred after it paid still tells. */
  readonly credits: number;
  /**
   * Key of the question that was answered in this run. Resumed, it asks the same one again and finds the answer
   * stored, although our own write may have filled what another question would be made of.
   */
  readonly answeredQuestion?: string | undefined;
  /** Keys of the events behind it, for people who ask why; the first few. */
  readonly eventKeys?: readonly string[] | undefined;
  /** How many workers held it and were gone without an ending. */
  readonly lapses?: number | undefined;
}

/** What we know of a HubSpot record. One item per record; never its property values. */
export interface RecordState {
  readonly objectType: ObjectType;
  readonly id: string;
  /** Events that are dealt with, newest last: the dedupe ledger. */
  readonly recentEvents: readonly { readonly key: string; readonly atMs: number }[];
  /** The open run: a worker holds it, or it waits for `untilMs`. */
  readonly run?: Run | undefined;
  readonly claim?: { readonly owner: string; readonly untilMs: number } | undefined;
  readonly waiting?: { readonly reason: string; readonly untilMs: number } | undefined;
  /** Something happened to the record while a run was open: one more run is due after it. */
  readonly again?: { readonly purpose: Purpose } | undefined;
  readonly outcome?: Outcome | undefined;
  /** The question whose doubt made the last run fail: when it is resolved, the record is due again. */
  readonly doubtfulQuestion?: string | undefined;
  readonly runsOpened: number;
  readonly outcomes: Readonly<Record<OutcomeKind, number>>;
  /** Credits charged for this record in all its runs. */
  readonly creditsSpent: number;
  /** HMAC of the identifying values and the policy version after the last outcome. */
  readonly fingerprint?: string | undefined;
  /** By property: HMAC of what we wrote last, as HubSpot returned it. */
  readonly remembered: Readonly<Record<string, string>>;
  /** When the last new answer came. */
  readonly answeredAtMs?: number | undefined;
  /** Key of the question that it answered: while nothing changes, another one would tell nothing new. */
  readonly answeredQuestion?: string | undefined;
  /** From then on the record counts as stale. */
  readonly staleAtMs?: number | undefined;
  /**
   * Keyed hashes of everything that has told who the record is about, since it was first read: a privacy deletion
   * brings only an id, and what is held about the person has to be found by these.
   */
  readonly identifiers?: readonly string[] | undefined;
  /** Answers that contradicted the record: none of them is offered again. Newest last. */
  readonly rejected?: readonly Rejected[] | undefined;
  /** How its last run had ended before it was found deleted: restored, it is what it was. Until then it is never stale. */
  readonly beforeDeletion?: OutcomeKind | undefined;
  /** The record that this one was merged into, and those that were merged into it. */
  readonly mergedInto?: string | undefined;
  readonly mergedFrom?: readonly string[] | undefined;
  /** By property: HMAC of the value that somebody brought back by an undo. It counts as a person's, blank or not. */
  readonly restored?: Readonly<Record<string, string>> | undefined;
  /** A tombstone: its person asked to be forgotten, and nothing of the person is kept. Epoch milliseconds. */
  readonly forgottenAtMs?: number | undefined;
}

/** An answer that was about somebody else. */
export interface Rejected {
  readonly questionKey: string;
  /** Tells the answer from a later one to the same question. */
  readonly askedAtMs: number;
  /** For a person; no personal data. */
  readonly reason: string;
}

/** Partitions of the record index; each record is in exactly one. */
export type RecordPlace = `${'running' | 'waiting'}-${Lane}` | 'doubtful' | 'settled';

/** HubSpot retries a delivery for a day; an event seen longer ago does not come again. */
const EVENT_MEMORY_MS = 3 * DAY_MS;
const MAX_EVENTS = 50;

/** Every place, so that all records can be gone through. */
export const RECORD_PLACES = [
  'running-live',
  'running-bulk',
  'waiting-live',
  'waiting-bulk',
  'doubtful',
  'settled',
] as const satisfies RecordPlace[];

export function newRecordState(objectType: ObjectType, id: string): RecordState {
  const outcomes = { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 };
  return { objectType, id, recentEvents: [], runsOpened: 0, outcomes, creditsSpent: 0, remembered: {} };
}

/**
 * Where a record stands in the index: running ones by the end of their claim, waiting ones by their due time,
 * those with a doubtful question by when they failed, settled ones by the time they become stale.
 */
export function recordPlace(state: RecordState): IndexPosition & { readonly partition: RecordPlace } {
  const lane = laneOf(state.run?.purpose ?? 'live');
  if (state.claim) return { partition: `running-${lane}`, order: state.claim.untilMs };
  if (state.waiting) return { partition: `waiting-${lane}`, order: state.waiting.untilMs };
  if (state.doubtfulQuestion) return { partition: 'doubtful', order: state.outcome?.atMs ?? 0 };
  const staleAtMs = state.beforeDeletion === undefined ? state.staleAtMs : undefined;
  return { partition: 'settled', order: staleAtMs ?? Number.MAX_SAFE_INTEGER };
}

export function withEvents(state: RecordState, keys: readonly string[], nowMs: number): RecordState {
  const known = state.recentEvents.filter(({ atMs }) => atMs > nowMs - EVENT_MEMORY_MS);
  const added = keys
    .filter((key) => !known.some((event) => event.key === key))
    .map((key) => ({ key, atMs: nowMs }));
  return { ...state, recentEvents: [...known, ...added].slice(-MAX_EVENTS) };
}

export function knowsAll(state: RecordState, keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => state.recentEvents.some((event) => event.key === key));
}
