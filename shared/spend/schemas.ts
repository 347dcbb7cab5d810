import * as z from 'zod';
import { PURPOSES } from '../credit-ledger/entries.ts';
import { CHARGE_OUTCOMES, type SpendMonth } from './projection.ts';
import type { SpendHead } from './spend-book.ts';

const count = z.int().nonnegative();

/** A month's spend as stored. */
export const spendMonthSchema: z.ZodType<SpendMonth> = z.object({
  month: z.string(),
  lastSeq: count,
  rows: z.array(
    z.object({
      day: z.string(),
      operation: z.string(),
      purpose: z.enum(PURPOSES),
      outcome: z.enum(CHARGE_OUTCOMES),
      credits: z.int(),
      count,
    }),
  ),
});

/** The projection's place in the log as stored. */
export const spendHeadSchema: z.ZodType<SpendHead> = z.object({ lastSeq: count, generation: count });
