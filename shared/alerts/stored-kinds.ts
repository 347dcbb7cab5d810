import { kind } from '#shared/store';
import { sentAlertsSchema } from './schemas.ts';

export const sentAlertsKind = kind({
  name: 'alerts that were sent',
  prefix: 'alerts',
  table: 'state',
  schema: sentAlertsSchema,
  expiry: { kept: 'no expiry, one item' },
  holdsPeople: false,
  bound: { facts: 'Only what holds: marks of budgets, at most 20 doubts, and stops.' },
});
