import type { PolicyInput } from '#shared/field-policy';

/** The policy of commands under test, independent of `infra/policy.ts`. */
export const POLICY_FILE = import.meta.filename;

const policy: PolicyInput = {
  version: 'test-1',
  budgets: { perDay: 200, purposes: { refresh: { perDay: 50 } } },
};

/** @public Read by the file's name. */
export default policy;
