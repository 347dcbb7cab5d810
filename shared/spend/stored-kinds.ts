import { kind } from '#shared/store';
import { spendMonthSchema } from './schemas.ts';

/** Version of the projection. Increase it when the rules of the projection change. Then the sums are computed again. */
export const PROJECTION = 5;

export const spendMonthKind = kind({
  name: 'spend of a month: operations, purposes and credits',
  prefix: 'spend-month',
  scope: 'buyer',
  table: 'state',
  schema: spendMonthSchema,
  key: (month: string) => `${PROJECTION}#${month}`,
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {
    rows: 'Days of a month, operations, purposes, outcomes, rules of the policy and sources, each combination once.',
    'rows.spans': 'MAX_SPANS; the two closest are joined.',
  },
});
