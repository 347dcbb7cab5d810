import type { PolicyInput } from '#shared/field-policy';

/**
 * The policy of this installation: lookups, writes and spend. Everything but the budgets has a default
 * (`shared/field-policy/policy.ts`). A mistake fails the synthesis.
 */
const policy: PolicyInput = {
  version: 'default-1',
  budgets: { perDay: 100, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
};

export default policy;
