import { worstCaseOfRefresh } from '#shared/enrichment';
import { admissionsOf, type Policy } from '#shared/field-policy';
import { counted, figure, percent, withTenths } from '#shared/kernel';
import { type Candidate, candidateOf, type RecordState } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/**
 * Reason for a record's place in the refresh order:
 * `Estimated 78% still accurate, refresh priority 12 (customer), at most 2 credits`.
 */
export function whyNow(candidate: Candidate, policy: Policy): string {
  const { state, credits } = candidate;
  const { accuracy, priority, kind } = candidateWords(candidate);
  const parts = [
    state.answeredAtMs === undefined ? 'No answer yet' : `Estimated ${accuracy} still accurate`,
    `refresh priority ${priority} (${kind})`,
    isRefreshed(policy, state)
      ? `at most ${counted(credits, 'credit')}`
      : `not refreshed by the rule "${state.rule}"`,
  ];
  return parts.join(', ');
}

/** The estimate behind a record's place in the refresh order, as texts. */
export function candidateWords({ state, stillTrue, worth }: Candidate) {
  const because = state.worth?.because ?? 'ordinary';
  return {
    accuracy: state.answeredAtMs === undefined ? 'no answer' : percent(stillTrue),
    priority: worth < 10 ? withTenths(worth) : figure(worth),
    kind: because === 'ordinary' ? 'normal record' : because,
  };
}

/** Estimate for a refresh of the record now. */
export function worthNow({ policy, clock }: Connection, state: RecordState): Candidate {
  const worstCaseCredits = () => (isRefreshed(policy, state) ? worstCaseOfRefresh(state, policy) : 0);
  return candidateOf({ worstCaseCredits }, state, clock.now());
}

/** Whether the rule that applied at the record's last read allows paid refreshes. */
function isRefreshed(policy: Policy, { objectType, rule }: RecordState): boolean {
  const own = admissionsOf(policy, objectType).find((admission) => admission.rule === rule);
  return own === undefined || (own.enrich && own.refresh);
}
