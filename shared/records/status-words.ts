import type { HubSpotFailureCode } from '#shared/crm';
import { type EnrichmentStatus, STATUS_LABELS } from '#shared/field-policy';
import { command, type Wording, wording, wordingText } from '#shared/kernel';
import { STOP_SENTENCES } from '#shared/questions';
import { explanationText } from './explanations.ts';
import type { Outcome, RecordState } from './schemas.ts';
import { earliestEndMs, eventOfWait, eventThatEnds, waitEnd, waitNow } from './wait-now.ts';
import { type WaitingReason, waitingCause } from './waiting-causes.ts';

/**
 * The only catalogue of outcomes, wait reasons and stops. The terminal, the page and the card take their texts from
 * here.
 */

/** Status of a record for a person: a label, and a sentence with the reason, which may be empty. */
interface StandingWords {
  readonly label: string;
  readonly why: string;
}

const STANDINGS: Readonly<Record<Exclude<Standing['kind'], 'waiting' | 'ended'>, StandingWords>> = {
  unknown: { label: 'Not looked up yet', why: '' },
  'under-way': { label: 'In progress', why: '' },
  merged: { label: 'Merged', why: 'It was merged into another record. See that record.' },
  forgotten: { label: 'Forgotten', why: 'The person asked to be forgotten.' },
};

/** Progress with its texts, so that the card needs no texts of its own. */
export type WordedStanding = Standing & StandingWords;

export function withWords(standing: Standing): WordedStanding {
  return { ...standing, ...standingWords(standing) };
}

export function standingWords(standing: Standing): StandingWords {
  switch (standing.kind) {
    case 'waiting':
      return { label: STATUS_LABELS.waiting, why: standing.detail ?? waitingWords(standing.reason).why };
    case 'ended': {
      const { outcome, laterReason } = standing;
      const later = laterReason === undefined ? '' : ` ${LATER} ${explanationText(laterReason)}`;
      return {
        label: STATUS_LABELS[outcomeStatus(outcome)],
        why: `${explanationText(outcome.reason)}${later}`,
      };
    }
    default:
      return STANDINGS[standing.kind];
  }
}

const LATER = 'A later run of this record, not this request, ended so:';

/** Returns the status that HubSpot shows for an outcome. */
function outcomeStatus({ kind, status = kind }: Pick<Outcome, 'kind' | 'status'>): EnrichmentStatus {
  return status;
}

/** Returns the status of one run. HubSpot may still show the status of an earlier run whose values are still true. */
export function runStatus({ kind, status }: Pick<Outcome, 'kind' | 'status'>): EnrichmentStatus {
  return status === 'review' ? status : kind;
}

/** Reason of a wait or a stop, the setting behind it, and the action that a person can take. */
interface WaitingWords {
  readonly why: string;
  readonly setting?: string;
  readonly toDo: string;
}

interface Words {
  readonly why: string;
  readonly setting?: string;
  readonly toDo: Wording;
  /** What then happens automatically. It is not true while a person has stopped spending. */
  readonly follows?: string;
}

const RETRIED = 'Nothing. It is retried automatically.';

const AFTER_RESUME = `Nothing is bought until ${eventThatEnds('stopped-by-person')}.`;

const NEXT_DAY = "Nothing. It continues when HubSpot's daily count starts again.";

/** Stops that are not the wait reason of a record. */
type OtherStop = 'backfill-paused' | 'ledger-broken' | 'no-budget' | 'reserved-for-leads';

/** A HubSpot failure has an entry only if the text says more than the code of the failure. */
type Named = Record<Exclude<WaitingReason, HubSpotFailureCode> | OtherStop, Words> &
  Partial<Record<HubSpotFailureCode, Words>>;

export const WAITING_WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    queued: { why: 'More urgent records go first.', toDo: 'Nothing to do.' },
    admitted: { why: 'No worker has started yet.', toDo: 'Nothing to do.' },
    budget: {
      why: 'The budget must have enough credits first.',
      setting: 'budgets, in the policy',
      toDo: 'Raise the budget, or do nothing.',
      follows: 'Waiting records continue automatically.',
    },
    'no-budget': {
      why: 'No budget is set, so nothing is spent.',
      setting: 'budgets, in the policy',
      toDo: 'Set a total budget for a day or a month.',
    },
    'reserved-for-leads': {
      why: 'The rest of the budget is reserved for new leads.',
      toDo: wording`Wait, or start some of the records now: ${command('queue admit')}`,
    },
    'backfill-paused': {
      why: 'The backfill that was to look it up is paused.',
      toDo: wording`Resume the backfill: ${command('backfill resume')}`,
    },
    'rate-limit': { why: "The data service's rate limit is reached.", toDo: RETRIED },
    'time-short': { why: 'The worker ran out of time.', toDo: RETRIED },
    'key-refused': {
      why: STOP_SENTENCES['key-refused'],
      setting: 'DATA_SERVICE_API_KEY',
      toDo: 'Activate this key. Or set another key, and restart or deploy with --replace-secrets.',
      follows: 'Work then continues automatically.',
    },
    'wrong-address': {
      why: STOP_SENTENCES['wrong-address'],
      setting: 'DATA_SERVICE_BASE_URL, of a stack dataServiceBaseUrl',
      toDo: "Set the data service's address, and restart or deploy.",
    },
    'out-of-credits': {
      why: STOP_SENTENCES['out-of-credits'],
      toDo: wording`Buy credits, and book them with: ${command('ledger grant')}.`,
      follows: 'Work continues within 5 minutes.',
    },
    'charges-above-list': {
      why: STOP_SENTENCES['charges-above-list'],
      toDo: wording`Compare the data service's usage list with ${command('spend charges')}. Ask the data service about any difference.`,
    },
    'too-many-doubts': {
      why: STOP_SENTENCES['too-many-doubts'],
      toDo: wording`Check whether the data service works. Then settle the doubts: ${command('doubts list')}`,
    },
    'stopped-by-person': {
      why: STOP_SENTENCES['stopped-by-person'],
      toDo: wording`Stored answers are still used. When the reason is gone, run: ${command('spend resume')}`,
    },
    'ledger-broken': {
      why: 'An entry of the ledger failed its check.',
      toDo: wording`Run ${command('ledger verify')}, and see "Books differ" in the runbook. Do not rely on the figures until then.`,
    },
    'too-many-open': {
      why: 'Too many requests are in flight or in doubt.',
      toDo: wording`The system tries again. If doubts are open, settle them: ${command('doubts list')}`,
    },
    'service-unreachable': { why: 'The data service could not be reached.', toDo: RETRIED },
    'asked-by-another': { why: 'Another record is making the same lookup.', toDo: RETRIED },
    'free-sources-first': {
      why: 'A policy rule gives free sources time to fill it first.',
      toDo: 'Nothing. Fields that are still empty are looked up afterwards.',
    },
    'rule-unreadable': {
      why: 'A policy rule reads a property that HubSpot does not have.',
      toDo: wording`Correct the rule, or create the property. To see both, run: ${command('policy check')}`,
    },
    'clock-wrong': { why: "This machine's clock is wrong.", toDo: 'Synchronise the clock (NTP).' },
    'worker-gone': { why: 'The worker stopped before it had finished.', toDo: RETRIED },
    'changed-meanwhile': { why: 'Another run of the record went first.', toDo: RETRIED },
    CHANGED_MEANWHILE: { why: 'The record changed right before the write.', toDo: RETRIED },
    'doubt-resolved': { why: 'Its request with an unknown outcome is resolved.', toDo: 'Nothing to do.' },
    WRITE_UNCONFIRMED: {
      why: "HubSpot did not confirm a write. HubSpot's history is checked soon.",
      toDo: RETRIED,
    },
    COMPANY_BEING_CREATED: { why: 'Another record is creating its company.', toDo: RETRIED },
    HUBSPOT_RECORD_UNREACHABLE: { why: 'HubSpot did not return this record.', toDo: RETRIED },
    HUBSPOT_TIME_SHORT: { why: 'The worker ran out of time.', toDo: RETRIED },
    HUBSPOT_REFUSES: {
      why: 'HubSpot refuses bought values of this type of record.',
      toDo: 'Correct the property that HubSpot names, or give the app its scopes back.',
      follows:
        'If it refused three in a row, one record of this type is bought an hour until a write succeeds.',
    },
    HUBSPOT_UNAUTHORIZED: {
      why: 'HubSpot refuses the access token.',
      toDo: 'Set a valid HUBSPOT_ACCESS_TOKEN, and restart or deploy with --replace-secrets.',
    },
    HUBSPOT_WRONG_DATA_CENTRE: {
      why: "The account's data centre of HubSpot does not know the access token.",
      toDo: 'Create a new token in the account, set HUBSPOT_ACCESS_TOKEN, and restart or deploy with --replace-secrets.',
    },
    HUBSPOT_FORBIDDEN: {
      why: 'HubSpot refuses the app: a scope is missing.',
      toDo: wording`Add the missing scope to the app. To see which one, run: ${command('doctor')}`,
    },
    HUBSPOT_RATE_LIMIT: { why: "HubSpot's rate limit is reached.", toDo: RETRIED },
    HUBSPOT_DAILY_LIMIT: { why: "Today's HubSpot calls are used up.", toDo: NEXT_DAY },
    HUBSPOT_DAILY_RESERVE: {
      why: "The rest of today's HubSpot calls is reserved for other apps.",
      toDo: NEXT_DAY,
    },
  } satisfies Named),
);

/**
 * Returns the texts of a wait or a stop.
 * @param reason wait reason as the record stores it, or a stop.
 * @param stack name of the stack for the commands in the text; absent on one machine.
 * @param isStoppedByPerson whether a person has stopped spending. Nothing then happens automatically.
 */
export function waitingWords(
  reason: string,
  stack?: string | undefined,
  isStoppedByPerson = false,
): WaitingWords {
  const known = WAITING_WORDS.get(reason);
  if (known) {
    const { follows, toDo, ...words } = known;
    const after = follows === undefined ? '' : ` ${isStoppedByPerson ? AFTER_RESUME : follows}`;
    return { ...words, toDo: `${wordingText(toDo, stack)}${after}` };
  }
  const { waitsFor, isHubSpotDown } = waitingCause(reason);
  if (isHubSpotDown)
    return {
      why: `HubSpot does not answer (${reason}).`,
      toDo: "See HubSpot's status page. It is retried automatically.",
    };
  if (waitsFor === 'hubspot') return { why: `A HubSpot request failed (${reason}).`, toDo: RETRIED };
  return { why: `The last attempt failed (${reason}).`, toDo: RETRIED };
}

/** Progress of a record, for its waiting user or workflow. */
export type Standing =
  | { readonly kind: 'unknown' | 'under-way' | 'merged' | 'forgotten' }
  /** The run is postponed, and not only queued. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly detail?: string | undefined;
      readonly params?: Outcome['reason']['params'];
      /** Begin of the run. */
      readonly sinceMs: number;
      readonly untilMs: number;
      /** Code of the event that ends the wait, and its text after "until". Absent if the wait ends at a time. */
      readonly endsWith?: ReturnType<typeof waitEnd>;
      readonly until?: string | undefined;
      /** Earliest time of this event, epoch milliseconds, if it is known. */
      readonly afterMs?: number | undefined;
      /** Credits charged so far. */
      readonly credits: number;
      readonly isServedByEarlier?: boolean | undefined;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome;
      /** Set if the same run served an earlier wish. Then the earlier wish reports the charge. */
      readonly isServedByEarlier?: boolean | undefined;
      /** Set if a later run has ended after the wish's own run: the reason of the later run's outcome. */
      readonly laterReason?: Outcome['reason'] | undefined;
    };

interface Now {
  readonly nowMs: number;
  /** Whether a person has stopped spending; `undefined` if the caller does not know it. */
  readonly isStoppedByPerson?: boolean | undefined;
  /** Reason for which an extension ended the last run, and will open it again. */
  readonly reopensAfter?: string | undefined;
}

export function standingOf(state: RecordState, { nowMs, isStoppedByPerson, reopensAfter }: Now): Standing {
  const { forgottenAtMs, claim, run, outcome } = state;
  const waiting = waitNow(state, isStoppedByPerson);
  if (forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (claim || (run && (!waiting || waitingCause(waiting.reason).isInProgress))) return { kind: 'under-way' };
  if (run && waiting) {
    const waiter = { run, waiting, nowMs };
    const end = { endsWith: waitEnd(waiter), until: eventOfWait(waiter), afterMs: earliestEndMs(waiter) };
    return { kind: 'waiting', sinceMs: run.openedAtMs, ...waiting, ...end, credits: run.credits };
  }
  if (outcome && reopensAfter !== undefined) {
    const { atMs: untilMs, credits } = outcome;
    const waiter = { waiting: { reason: reopensAfter, untilMs }, nowMs };
    const end = { endsWith: waitEnd(waiter), until: eventOfWait(waiter) };
    return { kind: 'waiting', sinceMs: untilMs, ...waiter.waiting, ...end, credits };
  }
  return outcome ? { kind: 'ended', outcome } : { kind: 'unknown' };
}

/**
 * Returns the progress of one wish. Before a worker has read the wish's message, the wish is under way. It ends with
 * its own run, even if the record's next run is already open.
 * @param state state of the record or of its merge winner. A winner does not know the wish, and no worker will read the
 * wish's message.
 */
export function standingOfEvent(
  state: RecordState,
  { eventKey, recordId, ...now }: Now & { readonly eventKey: string; readonly recordId: string },
): Standing {
  const { forgottenAtMs, outcome, run } = state;
  const wish = state.recentEvents.find(({ key }) => key === eventKey);
  if (forgottenAtMs !== undefined) return standingOf(state, now);
  if (!wish) return { kind: state.id === recordId ? 'under-way' : 'merged' };
  const isServed = { isServedByEarlier: isServedByEarlier(state, wish) };
  if (wish.end) {
    const later = outcome && outcome.atMs > wish.end.atMs && { laterReason: outcome.reason };
    return { kind: 'ended', outcome: wish.end, ...isServed, ...later };
  }
  const standing = standingOf(state, now);
  if (standing.kind !== 'waiting') return standing;
  return { ...standing, ...isServed, credits: wish.run === run?.id ? standing.credits : 0 };
}

/** Whether the same run served an earlier wish. Only the first wish reports the charge. */
function isServedByEarlier(
  { recentEvents }: RecordState,
  wish: RecordState['recentEvents'][number],
): boolean {
  return recentEvents.find(({ run }) => run === wish.run) !== wish;
}
