import * as z from 'zod';
import { PURPOSES } from '#shared/crm/purpose.ts';
import type { DeepReadonly } from '#shared/kernel/deep-readonly.ts';

const count = z.int().nonnegative();

/** Charges of one kind on one day. */
const spendRowSchema = z.object({
  /** The day to which the credits were booked: `2026-11-21`. */
  day: z.string(),
  operation: z.string(),
  purpose: z.enum(PURPOSES),
  /**
   * What a charge brought: a match, a "no match", `late` where it was proved only after its reservation had been
   * voided, `other` for the rest, such as doubts that were resolved as charged. A reason can be a person's note,
   * so it is never taken over as it is.
   */
  outcome: z.enum(['match', 'no-match', 'late', 'other']),
  credits: z.int(),
  /** Number of charges. */
  count,
});
export type SpendRow = DeepReadonly<z.infer<typeof spendRowSchema>>;
export type ChargeOutcome = SpendRow['outcome'];

/** The spend of one calendar month: exactly its charges up to and including ledger entry `lastSeq`. */
export const spendMonthSchema = z.object({
  /** `2026-11`. */
  month: z.string(),
  lastSeq: count,
  /** By day, operation, purpose and outcome, in that order; no two rows alike. */
  rows: z.array(spendRowSchema),
});
export type SpendMonth = DeepReadonly<z.infer<typeof spendMonthSchema>>;

/** How far the log has been projected: the months hold every charge up to and including entry `lastSeq`. */
export const spendHeadSchema = z.object({
  lastSeq: count,
  /** Months of other generations are left behind and never read again. */
  generation: count,
});
export type SpendHead = DeepReadonly<z.infer<typeof spendHeadSchema>>;
