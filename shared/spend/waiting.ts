import { type BudgetRefusal, type BudgetsNow, daysToPay, refusalSentence } from '#shared/credit-ledger';
import { type ObjectType, PURPOSE_LABELS, PURPOSES, type Purpose } from '#shared/crm';
import { counted, dayAfter, dayOf, figure, instant, shortDay } from '#shared/kernel';
import {
  earliestEndMs,
  eventThatEnds,
  queuePlace,
  type RecordItems,
  type RecordPlace,
  type RecordState,
  recordKind,
  recordPlace,
  TIMED_PLACES,
  timedReason,
  WAITING_PLACES,
  type WaitingCount,
  type WaitingReason,
  waitingCause,
  waitingWords,
  waitNow,
} from '#shared/records';
import type { SpendRow } from './schemas.ts';
import { type Query, type RefusedQuery, refusedQuery, sum } from './selection.ts';

/** Queued records of one purpose. */
export interface WaitingLine {
  readonly purpose: Purpose;
  readonly records: number;
  /** Estimated credits of these records, from the average price of the purpose's charges. */
  readonly credits: number;
  /** Time when the run of the oldest record was opened, in epoch milliseconds. */
  readonly oldestMs: number;
  /**
   * Estimated number of days until the budgets have covered all these credits. Admitted records are included, because
   * they go first.
   */
  readonly days?: number;
  /** Present while a person has stopped spending. The other reasons for the wait are then left out. */
  readonly reason?: 'stopped-by-person';
  /** Present if no record can start now: the reason, and the earliest start of the next record. */
  readonly refusal?: BudgetRefusal;
}

export interface WaitingSummary {
  /** Purposes with waiting records, the most urgent first. */
  readonly inTurn: readonly WaitingLine[];
  /** Records that wait until a cause ends, such as an outage of HubSpot. The largest group comes first. */
  readonly timed: readonly TimedWait[];
  /** Estimated credits of these records, from the average price of all charges. */
  readonly timedCredits: number;
  /**
   * Present if more records wait than one count reads. `countedAtMs` is the time when the sweep counted them, if it
   * has.
   */
  readonly many?: { readonly countedAtMs?: number | undefined };
}

export interface WaitingSources {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  /** Returns the counts of the sweeps' last complete pass. */
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly budgetsNow: BudgetsNow;
  readonly isStoppedByPerson: boolean;
  readonly nowMs: number;
}

/**
 * Maximum number of records that one count reads. Above it, the sweep's count is used, because a count reads every
 * record.
 */
const COUNTED_AT_ONCE = 1_000;

export async function summarizeWaiting(
  sources: WaitingSources,
  rows: readonly SpendRow[],
): Promise<WaitingSummary> {
  const counted = await sources.counted();
  const largePlaces = new Set<RecordPlace>();
  const count = async (place: RecordPlace) => {
    const now = await sources.records.count(recordKind.partition(place), COUNTED_AT_ONCE);
    if (now < COUNTED_AT_ONCE) return now;
    largePlaces.add(place);
    return Math.max(now, counted?.records[place] ?? 0);
  };
  const { records, budgetsNow, isStoppedByPerson, nowMs } = sources;
  const timed = await readTimedWaits(records, counted, { isStoppedByPerson });
  const recordsOf = (waits: readonly TimedWait[]) => waits.reduce((sum, wait) => sum + wait.records, 0);
  const ahead = recordsOf(timed.filter(({ reason }) => BEFORE_QUEUED.has(reason)));
  const lines = PURPOSES.map(async (purpose): Promise<WaitingLine[]> => {
    const place = queuePlace(purpose);
    const waiters = await records.list({ partition: recordKind.partition(place), limit: LISTED });
    const [oldest] = waiters;
    if (!oldest?.run) return [];
    const queued = await count(place);
    const price = averagePrice(rows, purpose);
    const credits = Math.round(queued * price);
    const line = { purpose, records: queued, credits, oldestMs: oldest.run.openedAtMs };
    if (isStoppedByPerson) return [{ ...line, reason: 'stopped-by-person' }];
    const first = firstToStart(waiters, nowMs);
    const neededCredits = first?.neededCredits ?? Math.max(1, Math.round(price));
    const pace = budgetsNow.pace({ purpose, amountCredits: neededCredits });
    const days = daysToPay((ahead + queued) * price, pace);
    const refusal = budgetsNow.refusal({ purpose }, neededCredits);
    const opensAtMs = first?.startMs ?? refusal?.opensAtMs ?? nowMs;
    return [
      {
        ...line,
        ...(days !== undefined && { days }),
        ...(refusal && { refusal: { ...refusal, opensAtMs } }),
      },
    ];
  });
  const inTurn = (await Promise.all(lines)).flat();
  const buying = recordsOf(timed.filter(({ reason }) => !BUYS_NOTHING.has(reason)));
  const timedCredits = Math.round(buying * averagePrice(rows));
  const isMany = largePlaces.size > 0 || timed.some(({ isMore }) => isMore);
  return { inTurn, timed, timedCredits, ...(isMany && { many: { countedAtMs: counted?.atMs } }) };
}

/** Returns the earliest start that a record of the queue shows, and its price; `undefined` if none shows a time. */
function firstToStart(
  waiters: readonly RecordState[],
  nowMs: number,
): { readonly startMs: number; readonly neededCredits: number } | undefined {
  const starts = waiters.flatMap(({ run, waiting }) => {
    const startMs = waiting && earliestEndMs({ run, waiting, nowMs });
    const neededCredits = Number(waiting?.params?.['neededCredits']);
    return startMs !== undefined && neededCredits > 0 ? [{ startMs, neededCredits }] : [];
  });
  return starts.sort((a, b) => a.startMs - b.startMs)[0];
}

/** Wait reasons of records whose next step needs no lookup. */
const BUYS_NOTHING: ReadonlySet<string> = new Set<WaitingReason>(['doubt-resolved', 'WRITE_UNCONFIRMED']);

/** Wait reasons of admitted records. They use the budget before queued records do. */
const BEFORE_QUEUED: ReadonlySet<string> = new Set<WaitingReason>(['admitted', 'budget']);

/** A group of waiting records in words, the same in the terminal and on the page. */
export interface WaitingRow {
  /** Names the group in the page's source, for programs that read it. */
  readonly name: string;
  /** Where queued records of a purpose are listed one by one. */
  readonly place?: RecordPlace;
  readonly title: string;
  readonly records: string;
  readonly why: string;
  readonly ends: string;
}

export interface Moment {
  readonly nowMs: number;
  readonly timeZone: string;
  /** The stack that commands name; absent on one machine. */
  readonly stack?: string | undefined;
}

export function waitingRows({ inTurn, timed }: WaitingSummary, moment: Moment): WaitingRow[] {
  return [
    ...inTurn.map((line): WaitingRow => {
      const { purpose, records, reason, refusal } = line;
      const why = refusal ? refusalSentence(refusal) : waitingWords(reason ?? 'queued', moment.stack).why;
      const title = PURPOSE_LABELS[purpose];
      const about = { name: purpose, place: queuePlace(purpose), title, records: figure(records) };
      return { ...about, why, ends: queueEnds(line, moment) };
    }),
    ...timed.map((wait) => timedRow(wait, moment)),
  ];
}

function queueEnds({ reason, refusal, days }: WaitingLine, moment: Moment): string {
  if (reason) return `Until ${eventThatEnds(reason)}`;
  const next = refusal ? momentWords(refusal.opensAtMs, moment) : 'now';
  const today = dayOf(moment.nowMs, moment.timeZone);
  const last =
    days === undefined ? 'leads use the whole budget' : `about ${dayWords(dayAfter(today, days), today)}`;
  return `Next: ${next}. Last: ${last}`;
}

/** Maximum number of rules in one row. */
const SHOWN_RULES = 3;

function timedRow(wait: TimedWait, moment: Moment): WaitingRow {
  const { reason, records, isMore, rules = [], earliestMs, latestMs, objectType } = wait;
  const end = eventThatEnds(reason);
  const [next, last] = [earliestMs, latestMs].map((ms) => momentWords(Math.max(ms, moment.nowMs), moment));
  const more = rules.length > SHOWN_RULES ? ` And ${counted(rules.length - SHOWN_RULES, 'rule')} more.` : '';
  const { why, toDo } = waitingWords(reason, moment.stack);
  return {
    name: reason,
    title: rules.length > 0 ? `${rules.slice(0, SHOWN_RULES).join(' ')}${more}` : why,
    records: `${figure(records)}${isMore ? ' or more' : ''}`,
    why: objectType ? `${objectType}. ${toDo}` : toDo,
    ends: end ? `Until ${end}` : isMore || next === last ? `Next: ${next}` : `Next: ${next}. Last: ${last}`,
  };
}

/** `18:08`, `tomorrow, 00:00`, `2 Dec, 08:00`. */
function momentWords(atMs: number, { nowMs, timeZone }: Moment): string {
  const [day, today] = [atMs, nowMs].map((ms) => dayOf(ms, timeZone));
  const time = instant(atMs, timeZone).slice(-5);
  return day === today ? time : `${dayWords(day ?? '', today ?? '')}, ${time}`;
}

function dayWords(day: string, today: string): string {
  if (day === today) return 'today';
  return day === dayAfter(today) ? 'tomorrow' : shortDay(day);
}

/** Explains how exact large numbers are. */
export function howCounted({ countedAtMs }: NonNullable<WaitingSummary['many']>, timeZone: string): string {
  const counted = 'Numbers from 1,000 on are as the sweep counted them';
  if (countedAtMs === undefined) return `${counted}: it has not finished yet, so there may be more.`;
  return `${counted} at ${instant(countedAtMs, timeZone)}.`;
}

/**
 * Returns the average credits of a charge of this purpose. Without a purpose or such a charge, returns the average of
 * all purposes, or 1.
 */
function averagePrice(rows: readonly SpendRow[], purpose?: Purpose): number {
  for (const candidates of [rows.filter((row) => row.purpose === purpose), rows]) {
    const { credits, count } = sum(candidates);
    if (count > 0) return credits / count;
  }
  return 1;
}

/** Maximum number of records that are listed one by one, or read to find the first start. */
const LISTED = 100;

/**
 * Lists the first waiting records, the most urgent first. Within a queue, the longest wait comes first. Records with a
 * due time are sorted by this time.
 * @param place lists only records of this index partition.
 */
export async function listWaiting(
  records: Pick<RecordItems, 'list'>,
  place: RecordPlace | undefined,
): Promise<readonly RecordState[]> {
  const found: RecordState[] = [];
  for (const each of place ? [place] : WAITING_PLACES) {
    const states = await records.list({ partition: recordKind.partition(each), limit: LISTED });
    // The index may lag. A record that has left this partition no longer waits here.
    found.push(...states.filter((state) => recordPlace(state).partition === each));
    if (found.length >= LISTED) break;
  }
  return found.slice(0, LISTED);
}

/** Reads `place`. An empty parameter counts as absent. */
export function parseWaiting({
  place: name,
}: Query): { readonly kind: 'waiting'; readonly place: RecordPlace | undefined } | RefusedQuery {
  const place = WAITING_PLACES.find((each) => each === name);
  if (name && !place)
    return refusedQuery('unknown-choice', { parameter: 'place', choices: WAITING_PLACES.join(', ') });
  return { kind: 'waiting', place };
}

/** Records that wait until one cause ends. Each record has a time for its retry, even if the cause lasts. */
export interface TimedWait {
  /** The wait reason in the records' state. */
  readonly reason: string;
  /** The records' purpose, if all have the same. */
  readonly purpose?: Purpose | undefined;
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
    purpose: known === undefined || known.purpose === run?.purpose ? run?.purpose : undefined,
    ...(waitingCause(reason).waitsFor === 'refusal' && { objectType }),
    records: (known?.records ?? 0) + 1,
    ...(rules.size > 0 && { rules: [...rules] }),
    ...(since.length > 0 && { sinceMs: Math.min(...since) }),
    earliestMs: Math.min(known?.earliestMs ?? dueMs, dueMs),
    latestMs: Math.max(known?.latestMs ?? dueMs, dueMs),
  };
}
