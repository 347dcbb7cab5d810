import { type HubSpotFailureCode, hubSpotFailureKind } from '#shared/crm';
import type { AskResult } from '#shared/questions';
import type { WaitsFor } from './schemas.ts';

/** Cause of a wait. */
export interface WaitingCause {
  /**
   * `queue` means queued without a due time; the budget and the rate limit decide. `policy` means that the policy sets
   * the wait.
   */
  readonly waitsFor: WaitsFor | 'queue' | 'policy';
  /** Set if nothing is wrong. The next sweeps continue the run. */
  readonly isInProgress?: true;
  /** Set if HubSpot as a whole does not serve us. */
  readonly isHubSpotDown?: true;
  /** Set if any answered request to HubSpot ends the wait. */
  readonly endsWithAnswer?: true;
  /** Set if HubSpot names the time at which the wait ends. */
  readonly isTimed?: true;
}

const OURSELVES: WaitingCause = { waitsFor: 'ourselves' };
const IN_PROGRESS: WaitingCause = { waitsFor: 'ourselves', isInProgress: true };
const QUEUED: WaitingCause = { waitsFor: 'queue', isInProgress: true };
const DATA_SERVICE: WaitingCause = { waitsFor: 'data-service' };
const TIMED: WaitingCause = { waitsFor: 'hubspot', isHubSpotDown: true, isTimed: true };
const ONE_RECORD: WaitingCause = { waitsFor: 'hubspot' };

const OWN = {
  queued: QUEUED,
  admitted: IN_PROGRESS,
  'worker-gone': IN_PROGRESS,
  'changed-meanwhile': IN_PROGRESS,
  'doubt-resolved': OURSELVES,
  CHANGED_MEANWHILE: OURSELVES,
  WRITE_UNCONFIRMED: OURSELVES,
  COMPANY_BEING_CREATED: OURSELVES,
  /** Free sources may fill a new record first. The policy sets this wait, so it is not a delay. */
  'free-sources-first': { waitsFor: 'policy' },
  /** A rule of the policy that decides about the record reads a property that HubSpot does not have. */
  'rule-unreadable': OURSELVES,
  /** HubSpot refuses the values, or purchases have stopped until it accepts such values again. */
  HUBSPOT_REFUSES: { waitsFor: 'refusal' },
  HUBSPOT_DAILY_RESERVE: TIMED,
  HUBSPOT_RECORD_UNREACHABLE: ONE_RECORD,
} as const satisfies Record<string, WaitingCause>;

type OfQuestions = Extract<AskResult, { kind: 'waiting' }>['reason'];

const OF_QUESTIONS: Readonly<Record<OfQuestions, WaitingCause>> = {
  budget: { waitsFor: 'queue' },
  'rate-limit': QUEUED,
  'time-short': QUEUED,
  'asked-by-another': OURSELVES,
  'too-many-open': OURSELVES,
  'clock-wrong': OURSELVES,
  'key-refused': DATA_SERVICE,
  'wrong-address': DATA_SERVICE,
  'out-of-credits': DATA_SERVICE,
  'charges-above-list': DATA_SERVICE,
  'too-many-doubts': DATA_SERVICE,
  'stopped-by-person': DATA_SERVICE,
  'service-unreachable': DATA_SERVICE,
};

/** Wait reasons: our own, those of the ask gateway, and the codes of HubSpot's failures. */
export type WaitingReason = keyof typeof OWN | OfQuestions | HubSpotFailureCode;

const OF_HUBSPOT: Readonly<Record<NonNullable<ReturnType<typeof hubSpotFailureKind>>, WaitingCause>> = {
  unreachable: { waitsFor: 'hubspot', isHubSpotDown: true, endsWithAnswer: true },
  timed: TIMED,
  scope: { waitsFor: 'hubspot', isHubSpotDown: true },
  request: ONE_RECORD,
  one: ONE_RECORD,
};

const CAUSES: ReadonlyMap<string, WaitingCause> = new Map(Object.entries({ ...OWN, ...OF_QUESTIONS }));

/**
 * Returns the cause of a wait.
 * @param reason reason as stored. An unknown reason from another version counts as our own.
 */
export function waitingCause(reason: string): WaitingCause {
  const kind = hubSpotFailureKind(reason);
  return kind ? OF_HUBSPOT[kind] : (CAUSES.get(reason) ?? OURSELVES);
}
