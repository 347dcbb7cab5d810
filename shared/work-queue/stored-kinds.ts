import { kind } from '#shared/store';
import { sweepWindowSchema } from './schemas.ts';

export const sweepWindowKind = kind({
  name: "sweeps' lease and count of a minute",
  table: 'rateLimiter',
  schema: sweepWindowSchema,
  key: () => 'sweep-window',
  expiry: { kept: 'no expiry, one item' },
  holdsPeople: false,
  bound: { counts: 'Two causes in each of the three lanes.' },
});
