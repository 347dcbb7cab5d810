import { worstCaseOfRefresh } from '#shared/enrichment';
import { admissionsOf, type Policy } from '#shared/field-policy';
import { counted, figure, percent, withTenths } from '#shared/kernel';
import { type Candidate, candidateOf, type RecordState } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** Reason for a record's place in the refresh order: `78% still true, customer, worth 12, at most 2 credits`. */
export function whyNow({ state, stillTrue, worth, credits }: Candidate, policy: Policy): string {
  const parts = [
    state.answeredAtMs === undefined ? 'no answer yet' : `${percent(stillTrue)} still true`,
    state.worth?.because ?? 'ordinary',
    `worth ${worth < 10 ? withTenths(worth) : figure(worth)}`,
    isRefreshed(policy, state)
      ? `at most ${counted(credits, 'credit')}`
      : `not refreshed by the rule "${state.rule}"`,
  ];
  return parts.join(', ');
}

/** Worth of a refresh of the record now. */
export function worthNow({ policy, clock }: Connection, state: RecordState): Candidate {
  const worstCaseCredits = () => (isRefreshed(policy, state) ? worstCaseOfRefresh(state, policy) : 0);
  return candidateOf({ worstCaseCredits }, state, clock.now());
}

/** Whether the rule that applied at the record's last read allows paid refreshes. */
function isRefreshed(policy: Policy, { objectType, rule }: RecordState): boolean {
  const own = admissionsOf(policy, objectType).find((admission) => admission.rule === rule);
  return own === undefined || (own.enrich && own.refresh);
}
