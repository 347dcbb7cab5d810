import { type BooksCheck, type BudgetState, budgetParts, refusalSentence } from '#shared/credit-ledger';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import { type BreakerState, isOutOfCredits, personsStopSentence, type StopReason } from '#shared/questions';
import {
  eventThatEnds,
  type WaitingReason,
  type WriteBreakers,
  waitingCause,
  waitingWords,
} from '#shared/records';
import type { WaitingSummary } from './waiting.ts';

export type StopKind =
  | StopReason
  | 'ledger-broken'
  | 'hubspot-unavailable'
  | 'writes-refused'
  | 'no-budget'
  | 'budget-used-up'
  | 'reserved-for-leads';

/** Reason why no lookup, or not every lookup, is made now. A text for people, without personal data. */
export interface Stop {
  readonly kind: StopKind;
  readonly what: string;
  /** Figures and names of the text, such as the number of the entry or the budget; absent if the kind says everything. */
  readonly params?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The setting that causes the stop, if any. */
  readonly setting?: string | undefined;
  readonly whatToDo: string;
  /** Begin of the stop, epoch milliseconds; absent if unknown. */
  readonly sinceMs?: number | undefined;
  /** Time of the retry or of the end. Absent if the stop does not end by itself. */
  readonly untilMs?: number | undefined;
  /** Set while a person has stopped spending. The records then wait for this person, so `untilMs` is absent. */
  readonly untilResumed?: true | undefined;
  /** Number of records that wait because of the stop; absent if not counted. */
  readonly records?: number | undefined;
  /** Whether more records wait than were counted. */
  readonly isMore?: boolean | undefined;
  /** Present for refused writes, which concern one object type. */
  readonly objectType?: ObjectType;
}

/** States of the breakers, and the result of the ledger's check. */
export interface StopFacts {
  readonly breakers: BreakerState;
  readonly refusals: readonly Refusal[];
  /** The oldest problem that the check of the ledger found. */
  readonly ledgerProblem?: BooksCheck['problems'][number] | undefined;
}

interface Refusal {
  readonly objectType: ObjectType;
  /** A sentence that names the property. */
  readonly what: string;
  readonly sinceMs: number;
  readonly probeAtMs: number;
}

export interface StopSources {
  readonly breakers: { read(): Promise<BreakerState> };
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly checkBooks: () => Promise<Pick<BooksCheck, 'problems'>>;
}

export async function readStops({ breakers, writeBreakers, checkBooks }: StopSources): Promise<StopFacts> {
  const [state, { problems }, ...open] = await Promise.all([
    breakers.read(),
    checkBooks(),
    ...OBJECT_TYPES.map((type) => writeBreakers.open(type)),
  ]);
  const refusals = OBJECT_TYPES.flatMap((objectType, index): Refusal[] => {
    const refusal = open[index];
    return refusal ? [{ objectType, ...refusal }] : [];
  });
  return { breakers: state, refusals, ledgerProblem: problems[0] };
}

/** Stops count records. They need no price. */
type WaitingRecords = Pick<WaitingSummary, 'inTurn' | 'timed'>;

interface Situation {
  readonly facts: StopFacts | undefined;
  /** Absent if the caller reports budgets itself. */
  readonly budgets?: readonly BudgetState[];
  readonly waiting: WaitingRecords | undefined;
  readonly nowMs: number;
  /** Name of the stack; absent on one machine. */
  readonly stack?: string | undefined;
}

/** A stop without its remedy, which follows from the wait reason of its records. */
type FoundStop = Omit<Stop, 'setting' | 'whatToDo'> & { readonly reason: string };

/** Lists the stops, the worst first. */
export function stopsOf({ facts, budgets, waiting, nowMs, stack }: Situation): Stop[] {
  const isStopped = facts?.breakers.stopped !== undefined;
  const ofSpending = (stop: FoundStop) => (isStopped ? underPersonsStop(stop) : stop);
  const ofBudgets = budgets ? budgetStops(budgets, waiting) : [];
  const found: FoundStop[] = [
    ...(facts?.ledgerProblem ? [ledgerStop(facts.ledgerProblem)] : []),
    ...(facts ? breakerStops(facts, waiting, nowMs) : []).map(ofSpending),
    ...hubSpotStops(waiting),
    ...ofBudgets.map(ofSpending),
    ...reserveStops(waiting, ofBudgets),
  ];
  return found.map(({ reason, ...stop }) => {
    const { setting, toDo } = waitingWords(reason, stack, isStopped);
    return { ...stop, ...(setting !== undefined && { setting }), whatToDo: toDo };
  });
}

/** Stops whose records wait for them even while a person has stopped spending. */
const COUNTED_UNDER_STOP: ReadonlySet<StopKind> = new Set(['stopped-by-person', 'writes-refused']);

/** While a person has stopped spending, records wait for this person. Only the person's stop counts them. */
function underPersonsStop({ records, isMore, ...stop }: FoundStop): FoundStop {
  const counted = COUNTED_UNDER_STOP.has(stop.kind) ? { records, isMore } : {};
  return { ...stop, ...counted, untilMs: undefined, untilResumed: true };
}

/** If the ledger is broken, no record waits for this reason, but the figures may be wrong. */
function ledgerStop({ seq, code, problem }: BooksCheck['problems'][number]): FoundStop {
  const what = `Entry ${seq} of the ledger failed its check: it was changed by hand, or an entry is missing. ${problem}`;
  return { kind: 'ledger-broken', reason: 'ledger-broken', what, params: { seq, problem: code } };
}

/** The text says "some lookups", because the balance may still pay for a cheap question. */
const BALANCE_TOO_LOW = 'The balance at the data service has too few credits for some lookups.';

function breakerStops(
  { breakers, refusals }: StopFacts,
  waiting: WaitingRecords | undefined,
  nowMs: number,
): FoundStop[] {
  const { keyRefused, outOfCredits, overcharged, doubtful, probe, stopped } = breakers;
  const stop = (kind: StopReason, sinceMs: number, untilMs?: number): FoundStop => {
    const what = waitingWords(kind).why;
    return { kind, reason: kind, what, sinceMs, untilMs, ...recordsWaitingFor(waiting, kind) };
  };
  const found: FoundStop[] = [];
  if (stopped) {
    const { records, ...personal } = stop('stopped-by-person', stopped.sinceMs);
    found.push({
      ...personal,
      what: personsStopSentence(stopped),
      params: { reason: stopped.reason, by: stopped.by },
      ...(records !== undefined && { records: records + recordsIn(waiting?.inTurn) }),
    });
  }
  if (keyRefused) found.push(stop(keyRefused.why ?? 'key-refused', keyRefused.sinceMs, keyRefused.probeAtMs));
  if (outOfCredits && isOutOfCredits(breakers, nowMs)) {
    const { sinceMs, untilMs } = outOfCredits;
    found.push({ ...stop('out-of-credits', sinceMs, untilMs), what: BALANCE_TOO_LOW });
  }
  if (overcharged) found.push(stop('charges-above-list', overcharged.sinceMs, probe?.atMs));
  if (doubtful) found.push(stop('too-many-doubts', doubtful.sinceMs, probe?.atMs));
  for (const { objectType, what, sinceMs, probeAtMs: untilMs } of refusals) {
    const reason = 'HUBSPOT_REFUSES';
    const counted = recordsWaitingFor(waiting, reason, objectType);
    found.push({ kind: 'writes-refused', reason, what, objectType, sinceMs, untilMs, ...counted });
  }
  return found;
}

/** Returns the number of records that wait because of a stop; empty if not counted. */
function recordsWaitingFor(
  waiting: WaitingRecords | undefined,
  reason: WaitingReason,
  objectType?: ObjectType,
): Pick<Stop, 'records' | 'isMore'> {
  if (!waiting) return {};
  const found = waiting.timed.find((wait) => wait.reason === reason && wait.objectType === objectType);
  return { records: found?.records ?? 0, isMore: found?.isMore ?? false };
}

/** Finds stops of HubSpot as a whole (no answer, or access refused) by the waiting records. */
function hubSpotStops(waiting: WaitingRecords | undefined): FoundStop[] {
  const waits = waiting?.timed.filter(({ reason }) => waitingCause(reason).isHubSpotDown) ?? [];
  return waits.map(({ reason, records, isMore = false, sinceMs, earliestMs }) => {
    const untilMs = waitingCause(reason).isTimed ? earliestMs : undefined;
    const what = waitingWords(reason).why;
    const kind = 'hubspot-unavailable';
    return { kind, reason, what, params: { reason }, sinceMs, untilMs, records, isMore };
  });
}

/** All queued records wait for a total budget, and so do admitted records that it has refused. */
function budgetStops(budgets: readonly BudgetState[], waiting: WaitingRecords | undefined): FoundStop[] {
  const { records: refused, ...rest } = recordsWaitingFor(waiting, 'budget');
  const count = refused === undefined ? {} : { ...rest, records: recordsIn(waiting?.inTurn) + refused };
  const isTotal = (state: BudgetState) => budgetParts(state).scope === 'total';
  if (!budgets.some(isTotal)) {
    const reason = 'no-budget';
    return [{ kind: reason, reason, what: waitingWords(reason).why, ...count }];
  }
  return budgets.flatMap((state): FoundStop[] => {
    const { budget, leftCredits, resetsAtMs: untilMs } = state;
    const lines = waiting?.inTurn.filter(({ refusal }) => refusal?.budget === budget) ?? [];
    // Lines that the budget refuses, apart from its reserve for leads.
    const refusedLines = lines.filter(({ refusal }) => !refusal?.keptCredits);
    const [first] = refusedLines;
    const sinceMs = first && Math.min(...refusedLines.map(({ oldestMs }) => oldestMs));
    const stop = { kind: 'budget-used-up', reason: 'budget', params: { budget }, untilMs, sinceMs } as const;
    const usedUp = `The total budget of the ${budgetParts(state).period} is used up.`;
    if (isTotal(state) && leftCredits <= 0) return [{ ...stop, what: usedUp, ...count }];
    // What is left does not pay for the next lookup.
    if (!first?.refusal) return [];
    return [{ ...stop, what: refusalSentence(first.refusal), records: recordsIn(lines) }];
  });
}

function recordsIn(lines: WaitingRecords['inTurn'] = []): number {
  return lines.reduce((sum, { records }) => sum + records, 0);
}

/** Returns a stop if records wait because of the reserve for leads of a budget that does not stop leads too. */
function reserveStops(waiting: WaitingRecords | undefined, ofBudgets: readonly FoundStop[]): FoundStop[] {
  const isStopped = (budget: string) => ofBudgets.some(({ params }) => params?.['budget'] === budget);
  const lines =
    waiting?.inTurn.filter(({ refusal }) => refusal?.keptCredits && !isStopped(refusal.budget)) ?? [];
  const refusal = lines[0]?.refusal;
  if (!refusal) return [];
  const { budget, opensAtMs: untilMs } = refusal;
  const kind = 'reserved-for-leads';
  const what = refusalSentence(refusal);
  return [{ kind, reason: kind, what, params: { budget }, untilMs, records: recordsIn(lines) }];
}

/**
 * Returns the begin, the end or retry, and the waiting records of a stop. For example: `Since 21 Nov 2026, 08:44;
 * retried after 21 Nov 2026, 09:00; 12 records wait for it.`
 */
export function stopTimes(
  { sinceMs, untilMs, untilResumed, records, isMore, kind }: Stop,
  nowMs: number,
  timeZone: string,
): string {
  const fixedEnd = FIXED_ENDS.get(kind);
  const later =
    untilMs !== undefined && untilMs > nowMs
      ? `after ${instant(untilMs, timeZone)}`
      : 'with the next question';
  const parts = [
    ...(sinceMs === undefined ? [] : [`since ${instant(sinceMs, timeZone)}`]),
    ...(untilMs === undefined
      ? []
      : [fixedEnd === undefined ? `retried ${later}` : `until ${instant(untilMs, timeZone)}${fixedEnd}`]),
    ...(untilResumed
      ? [
          `${kind === 'stopped-by-person' ? 'lasts' : 'records wait'} until ${eventThatEnds('stopped-by-person')}`,
        ]
      : []),
    ...(records === undefined ? [] : [waitingRecordsWords(records, isMore ?? false)]),
  ].join('; ');
  return parts === '' ? '' : `${parts.slice(0, 1).toUpperCase()}${parts.slice(1)}.`;
}

/** Stops that end at a time, with the words after the time. Other records may use the credits of a reserve first. */
const FIXED_ENDS: ReadonlyMap<Stop['kind'], string> = new Map([
  ['budget-used-up', ''],
  ['reserved-for-leads', ' at the earliest'],
]);

function waitingRecordsWords(records: number, isMore: boolean): string {
  if (records === 0) return 'no record waits for it';
  return `${counted(records, 'record')}${isMore ? ' or more' : ''} ${records === 1 ? 'waits' : 'wait'} for it`;
}

/** Stops in two or three words. */
const SHORT_WORDS: Readonly<Record<StopKind, string>> = {
  'stopped-by-person': 'Stopped by a person',
  'key-refused': 'Key refused',
  'wrong-address': 'Wrong address',
  'out-of-credits': 'Out of credits',
  'charges-above-list': 'Charges above list',
  'too-many-doubts': 'No answers',
  'ledger-broken': 'Ledger broken',
  'hubspot-unavailable': 'HubSpot unavailable',
  'writes-refused': 'Writes refused',
  'no-budget': 'No budget',
  'budget-used-up': 'Budget too low',
  'reserved-for-leads': 'Reserved for leads',
};
const WORDS: ReadonlyMap<string, string> = new Map(Object.entries(SHORT_WORDS));

/** Names a stop of a day, in words without a tense. */
export function stopName(kind: string): string {
  return WORDS.get(kind) ?? 'Stopped';
}
