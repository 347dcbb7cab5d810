import { type HubSpotFailureCode, hubSpotFailureKind } from '#shared/crm';
import type { AskResult } from '#shared/questions';
import type { WaitsFor } from './schemas.ts';

/** What a run waits for. */
export interface WaitingCause {
  /** `turn`: no time is set; budget and rate decide. `nobody`: the policy sets the wait. */
  readonly waitsFor: WaitsFor | 'turn' | 'nobody';
  /** Nothing is wrong, and the next sweeps go on with the run. */
  readonly isInHand?: true;
  /** HubSpot as a whole does not serve us. */
  readonly isHubSpotDown?: true;
  /** Any answered request to HubSpot ends the wait. */
  readonly endsWithAnswer?: true;
  /** HubSpot names the time at which it ends. */
  readonly isTimed?: true;
}

const OURSELVES: WaitingCause = { waitsFor: 'ourselves' };
const IN_HAND: WaitingCause = { waitsFor: 'ourselves', isInHand: true };
const NEXT_IN_TURN: WaitingCause = { waitsFor: 'turn', isInHand: true };
const DATA_SERVICE: WaitingCause = { waitsFor: 'data-service' };
const TIMED: WaitingCause = { waitsFor: 'hubspot', isHubSpotDown: true, isTimed: true };
const ONE_RECORD: WaitingCause = { waitsFor: 'hubspot' };

const OWN = {
  queued: NEXT_IN_TURN,
  admitted: IN_HAND,
  'worker-gone': IN_HAND,
  'changed-meanwhile': IN_HAND,
  'doubt-resolved': OURSELVES,
  CHANGED_MEANWHILE: OURSELVES,
  WRITE_UNCONFIRMED: OURSELVES,
  COMPANY_BEING_CREATED: OURSELVES,
  /** Free sources may fill a new record first. The policy wants it so: it counts as no delay. */
  'free-sources-first': { waitsFor: 'nobody' },
  /** A rule of the policy that decides about the record reads a property that HubSpot does not have. */
  'rule-unreadable': OURSELVES,
  /** HubSpot does not take the values, or nothing is bought before it takes others. */
  HUBSPOT_REFUSES: { waitsFor: 'refusal' },
  HUBSPOT_DAILY_RESERVE: TIMED,
  HUBSPOT_RECORD_UNREACHABLE: ONE_RECORD,
} as const satisfies Record<string, WaitingCause>;

type OfQuestions = Extract<AskResult, { kind: 'waiting' }>['reason'];

const OF_QUESTIONS: Readonly<Record<OfQuestions, WaitingCause>> = {
  budget: { waitsFor: 'turn' },
  'rate-limit': NEXT_IN_TURN,
  'time-short': NEXT_IN_TURN,
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

/** Reasons of our own, of the ask gateway, and the codes of HubSpot's failures. */
export type WaitingReason = keyof typeof OWN | OfQuestions | HubSpotFailureCode;

const OF_HUBSPOT: Readonly<Record<NonNullable<ReturnType<typeof hubSpotFailureKind>>, WaitingCause>> = {
  unreachable: { waitsFor: 'hubspot', isHubSpotDown: true, endsWithAnswer: true },
  timed: TIMED,
  scope: { waitsFor: 'hubspot', isHubSpotDown: true },
  request: ONE_RECORD,
  one: ONE_RECORD,
};

const CAUSES: ReadonlyMap<string, WaitingCause> = new Map(Object.entries({ ...OWN, ...OF_QUESTIONS }));

/** @param reason as stored. One that another version stored counts as our own. */
export function waitingCause(reason: string): WaitingCause {
  const kind = hubSpotFailureKind(reason);
  return kind ? OF_HUBSPOT[kind] : (CAUSES.get(reason) ?? OURSELVES);
}
