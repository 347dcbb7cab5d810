import type { PolicyInput } from '#shared/field-policy';

/**
 * The policy of this installation: what is asked, what may be written, and what may be spent. Everything has a
 * default (`shared/field-policy/policy.ts`) but the budgets. A mistake fails the synthesis.
 */
const policy: PolicyInput = {
  version: 'default-1',
  budgets: { perDay: 100, perMonth: 2_000, purposes: { refresh: { perDay: 50 } } },
};

export default policy;
