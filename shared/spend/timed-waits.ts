import type { ObjectType } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import {
  type RecordItems,
  type RecordState,
  recordKind,
  TIMED_PLACES,
  timedReason,
  type WaitingCount,
  type WaitingReason,
  waitingCause,
  waitingWords,
} from '#shared/records';

/** Records that wait for one cause to end. Each has a time for its retry, even if the cause lasts. */
export interface TimedWait {
  /** The reason in the records' state. */
  readonly reason: string;
  /** For refused writes, which concern one object type at a time. */
  readonly objectType?: ObjectType;
  readonly records: number;
  /** Present if there may be more: each place is read up to a limit. */
  readonly isMore?: true;
  /** Begin of the first record's wait for this cause or a related one. Epoch milliseconds, as all times here. */
  readonly sinceMs?: number;
  /** Sentences that name the rules of the policy behind the wait; one for each rule. */
  readonly rules?: readonly string[];
  /** The latest time for the first retry. */
  readonly earliestMs: number;
  /** The latest time for the last retry. */
  readonly latestMs: number;
}

/** Waits because of a rule. The record's state names the rule, and the missing property. */
const BY_RULE: ReadonlySet<string> = new Set<WaitingReason>(['free-sources-first', 'rule-unreadable']);

/** Most rules in one sentence. */
const SHOWN_RULES = 3;

/** Most records read from each place. */
const READ_AT_ONCE = 1_000;

/**
 * Reads the records that wait for a time, and groups them by reason: the largest group first.
 * @param limit for each place; records that are due first are read.
 */
export async function readTimedWaits(
  records: Pick<RecordItems, 'list'>,
  last: WaitingCount['last'],
  limit = READ_AT_ONCE,
): Promise<readonly TimedWait[]> {
  const lists = await Promise.all(
    TIMED_PLACES.map((place) => records.list({ partition: recordKind.partition(place), limit })),
  );
  const isMore = lists.some(({ length }) => length === limit);
  const waits = new Map<string, TimedWait>();
  for (const state of lists.flat()) {
    const key = timedReason(state);
    if (key !== undefined) waits.set(key, withRecord(waits.get(key), state));
  }
  return [...waits]
    .map(([key, wait]) => {
      if (!isMore) return wait;
      return { ...wait, records: Math.max(wait.records, last?.reasons[key] ?? 0), isMore };
    })
    .toSorted((a, b) => b.records - a.records);
}

function withRecord(known: TimedWait | undefined, { objectType, waiting, run }: RecordState): TimedWait {
  const { reason = '', detail, untilMs: dueMs = 0 } = waiting ?? {};
  const rules = new Set(known?.rules);
  if (detail !== undefined && BY_RULE.has(reason)) rules.add(detail);
  const since = [known?.sinceMs, run?.waitsFor?.sinceMs].filter((ms) => ms !== undefined);
  return {
    reason,
    ...(waitingCause(reason).waitsFor === 'refusal' && { objectType }),
    records: (known?.records ?? 0) + 1,
    ...(rules.size > 0 && { rules: [...rules] }),
    ...(since.length > 0 && { sinceMs: Math.min(...since) }),
    earliestMs: Math.min(known?.earliestMs ?? dueMs, dueMs),
    latestMs: Math.max(known?.latestMs ?? dueMs, dueMs),
  };
}

/** How many records wait, why, and until when at the latest. Every surface shows this sentence. */
export function timedSentence(wait: TimedWait, nowMs: number, timeZone: string): string {
  const { reason, records, isMore, rules = [] } = wait;
  const verb = records === 1 && !isMore ? 'waits' : 'wait';
  const who = `${counted(records, 'record')}${isMore ? ' or more' : ''} ${verb}.`;
  const named = [
    ...rules.slice(0, SHOWN_RULES),
    ...(rules.length > SHOWN_RULES ? ['More rules do so.'] : []),
  ];
  const why = named.length > 0 ? named.join(' ') : waitingWords(reason).why;
  return `${who} ${why} ${endWords(wait, nowMs, timeZone)}`;
}

function endWords(
  { reason, earliestMs, latestMs, isMore }: TimedWait,
  nowMs: number,
  timeZone: string,
): string {
  const end = endOfWait(reason);
  if (end) return `Waits until ${end}.`;
  const [first, last] = [earliestMs, latestMs].map((ms) => instant(Math.max(ms, nowMs), timeZone));
  if (isMore) return `The first is retried by ${first}.`;
  return first === last ? `Retried by ${last}.` : `The first is retried by ${first}, the last by ${last}.`;
}

/** Names the event that ends a record's wait, if it is not a time. */
export function endOfWait(reason: string): string | undefined {
  return reason === 'stopped-by-person' ? 'a person resumes spending' : undefined;
}
