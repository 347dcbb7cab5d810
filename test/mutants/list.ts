import { ASKING } from './list/asking.ts';
import { BACKFILL } from './list/backfill.ts';
import { BOOKS } from './list/books.ts';
import { FIGURES } from './list/figures.ts';
import { LANES } from './list/lanes.ts';
import { RATE } from './list/rate.ts';
import { REFRESHING } from './list/refreshing.ts';
import { REVIEWING } from './list/reviewing.ts';
import { SPEND } from './list/spend.ts';
import { STORES } from './list/stores.ts';
import { WRITING } from './list/writing.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Faults that must never reach the product. Each would cost money or personal data. */
export const MUTANTS: readonly Mutant[] = mutantsOf([
  ...ASKING,
  ...BACKFILL,
  ...BOOKS,
  ...FIGURES,
  ...LANES,
  ...RATE,
  ...WRITING,
  ...REFRESHING,
  ...REVIEWING,
  ...SPEND,
  ...STORES,
]);
