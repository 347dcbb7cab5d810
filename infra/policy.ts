import type { PolicyInput } from '#shared/field-policy';

/**
 * The policy of this installation: lookups, writes and spend. All settings except the budgets have a default
 * (`shared/field-policy/policy.ts`). A mistake makes the synthesis fail.
 */
const policy: PolicyInput = {
  version: 'default-1',
  budgets: { perDay: 100, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
};

export default policy;
