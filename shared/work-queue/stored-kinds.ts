import { kind } from '#shared/store';
import { sweepWindowSchema } from './schemas.ts';

export const sweepWindowKind = kind({
  name: "sweeps' lease and count of a minute",
  prefix: 'sweep-window',
  table: 'state',
  schema: sweepWindowSchema,
  expiry: { kept: 'no expiry, one item' },
  holdsPeople: false,
  bound: { counts: 'Two causes in each of the three lanes.' },
});
