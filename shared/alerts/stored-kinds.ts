import { kind } from '#shared/versioned-items';
import { toldSchema } from './schemas.ts';

export const toldKind = kind({
  name: 'alerts that were sent',
  table: 'rateLimiter',
  schema: toldSchema,
  key: () => 'alerts',
  expiry: { kept: 'no expiry, one item' },
  holdsPeople: false,
  bound: { facts: 'Only what holds: marks of budgets, at most 20 doubts, and stops.' },
});
