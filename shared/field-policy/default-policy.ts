import { type Policy, type PolicyInput, parsePolicy } from './policy.ts';

/**
 * The policy of an installation that has not written one: standard properties filled where they are blank, what
 * goes stale (job title, company, seniority) kept up to date while it is still ours.
 * @throws UpstreamError `POLICY_INVALID` when the budgets are not usable.
 */
export function defaultPolicy(budgets: PolicyInput['budgets']): Policy {
  return parsePolicy({ budgets });
}
