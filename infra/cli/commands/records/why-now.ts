import { worstCaseOfRefresh } from '#shared/enrichment';
import { counted, figure, percent, withTenths } from '#shared/kernel';
import { type Candidate, candidateOf, type RecordState } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** Why a record is at its place in the order of the refresh: `78% still true, customer, worth 12, at most 2 credits`. */
export function whyNow({ state, stillTrue, worth, credits }: Candidate): string {
  const parts = [
    state.answeredAtMs === undefined ? 'no answer yet' : `${percent(stillTrue)} still true`,
    state.worth?.because ?? 'ordinary',
    `worth ${worth < 10 ? withTenths(worth) : figure(worth)}`,
    `at most ${counted(credits, 'credit')}`,
  ];
  return parts.join(', ');
}

/** What a refresh of the record would be worth at this moment. */
export function worthNow({ policy, clock }: Connection, state: RecordState): Candidate {
  const worstCaseCredits = (objectType: RecordState['objectType']) => worstCaseOfRefresh(objectType, policy);
  return candidateOf({ worstCaseCredits }, state, clock.now());
}
