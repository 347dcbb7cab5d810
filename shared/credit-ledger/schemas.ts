import * as z from 'zod';
import { ENTRY_KINDS, type LedgerEntry, PURPOSES } from './entries.ts';

const amounts = { posted: z.int(), pending: z.int(), doubtful: z.int() };
const period = z.object(amounts);

/** An entry as stored. A stored entry that does not fit stops the program: the books must not be guessed. */
export const ledgerEntrySchema: z.ZodType<LedgerEntry> = z.object({
  account: z.string(),
  seq: z.int().positive(),
  id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  atMs: z.number(),
  timeZone: z.string().optional(),
  day: z.string(),
  amountCredits: z.int(),
  reservationId: z.string().optional(),
  questionKey: z.string().optional(),
  operation: z.string().optional(),
  purpose: z.enum(PURPOSES).optional(),
  reason: z.string().optional(),
  totals: z.object({
    periods: z.record(
      z.string(),
      z.object({ live: period, refresh: period, backfill: period, manual: period }),
    ),
    lifetime: z.object({ ...amounts, granted: z.int(), adjusted: z.int() }),
  }),
  open: z.array(
    z.object({
      id: z.string(),
      seq: z.int(),
      questionKey: z.string(),
      operation: z.string(),
      purpose: z.enum(PURPOSES),
      state: z.enum(['pending', 'doubtful']),
      amountCredits: z.int(),
      day: z.string(),
      atMs: z.number(),
    }),
  ),
  previousHash: z.string(),
  hash: z.string(),
});
