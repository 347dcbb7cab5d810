import type { ObjectType } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import {
  eventThatEnds,
  type RecordItems,
  type RecordState,
  recordKind,
  TIMED_PLACES,
  timedReason,
  type WaitingCount,
  type WaitingReason,
  waitingCause,
  waitingWords,
  waitNow,
} from '#shared/records';

/** Records that wait until one cause ends. Each record has a time for its retry, even if the cause lasts. */
export interface TimedWait {
  /** The wait reason in the records' state. */
  readonly reason: string;
  /** Present for refused writes, which concern one object type. */
  readonly objectType?: ObjectType;
  readonly records: number;
  /** Present if more records may wait, because each index partition is read up to a limit. */
  readonly isMore?: true;
  /** Begin of the first record's wait for this cause or a related one. All times are in epoch milliseconds. */
  readonly sinceMs?: number;
  /** Sentences that name the rules of the policy which cause the wait, one for each rule. */
  readonly rules?: readonly string[];
  /** The first retry is due by this time. */
  readonly earliestMs: number;
  /** The last retry is due by this time. */
  readonly latestMs: number;
}

/** Wait reasons that a rule causes. For them, the record's state has a sentence that names the rule. */
const BY_RULE: ReadonlySet<string> = new Set<WaitingReason>(['free-sources-first', 'rule-unreadable']);

/** Maximum number of rules in one sentence. */
const SHOWN_RULES = 3;

/** Maximum number of records read from each index partition. */
const READ_AT_ONCE = 1_000;

interface ReadingWaits {
  /** Maximum number of records for each index partition. The records that are due first are read. */
  readonly limit?: number;
  readonly isStoppedByPerson?: boolean | undefined;
}

/**
 * Reads the records whose retry has a set time, and groups them by reason. The largest group comes first.
 * @param lastCount counts of the last complete pass, for groups that are larger than one read.
 */
export async function readTimedWaits(
  records: Pick<RecordItems, 'list'>,
  lastCount: WaitingCount['last'],
  { limit = READ_AT_ONCE, isStoppedByPerson }: ReadingWaits = {},
): Promise<readonly TimedWait[]> {
  const lists = await Promise.all(
    TIMED_PLACES.map((place) => records.list({ partition: recordKind.partition(place), limit })),
  );
  const isMore = lists.some(({ length }) => length === limit);
  const waits = new Map<string, TimedWait>();
  for (const state of lists.flat()) {
    const waiting = waitNow(state, isStoppedByPerson);
    const key = timedReason(state, waiting);
    if (key !== undefined) waits.set(key, withRecord(waits.get(key), state, waiting));
  }
  return [...waits]
    .map(([key, wait]) => {
      if (!isMore) return wait;
      return { ...wait, records: Math.max(wait.records, lastCount?.reasons[key] ?? 0), isMore };
    })
    .toSorted((a, b) => b.records - a.records);
}

function withRecord(
  known: TimedWait | undefined,
  { objectType, run }: RecordState,
  waiting: RecordState['waiting'],
): TimedWait {
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

/**
 * Returns a sentence with the number of waiting records, the reason, and the latest end. The terminal and the page show
 * this sentence.
 */
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

export function whoWaits(records: number): string {
  return records === 1 ? 'It waits' : 'They wait';
}

function endWords(
  { reason, records, earliestMs, latestMs, isMore }: TimedWait,
  nowMs: number,
  timeZone: string,
): string {
  const end = eventThatEnds(reason);
  if (end) return `${whoWaits(isMore ? Number.POSITIVE_INFINITY : records)} until ${end}.`;
  const [first, last] = [earliestMs, latestMs].map((ms) => instant(Math.max(ms, nowMs), timeZone));
  if (isMore) return `The first is retried by ${first}.`;
  return first === last ? `Retried by ${last}.` : `The first is retried by ${first}, the last by ${last}.`;
}
