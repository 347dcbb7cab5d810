import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const count = z.int().nonnegative();
const seq = z.int().positive();

/**
 * Result of a charge. `late` charges were proved only after their reservation had been voided. `other` has the
 * doubts that were booked as charged. A reason can be a person's note, so it is never copied.
 */
export const CHARGE_OUTCOMES = ['match', 'no-match', 'late', 'other'] as const;

/** Charges of one kind on one day. */
const spendRowSchema = z.object({
  /** Day to which the credits were booked: `2026-11-21`. */
  day: z.string(),
  operation: z.string(),
  purpose: z.enum(PURPOSES),
  outcome: z.enum(CHARGE_OUTCOMES),
  /** The policy's rule that admitted the record, such as `contacts: customers`; absent if the policy had no rules. */
  rule: z.string().optional(),
  /** The asker without the id of a user, a workflow or a backfill: `user`, `source:IMPORT`. */
  askedBy: z.string().optional(),
  credits: z.int(),
  /** Number of charges. */
  count,
  /** Number of misses that cost nothing. They are no charges. */
  freeMisses: count.optional(),
});
export type SpendRow = DeepReadonly<z.infer<typeof spendRowSchema>>;
export type ChargeOutcome = SpendRow['outcome'];

const placedRowSchema = spendRowSchema.extend({
  /**
   * Positions of the charges in the ledger: first and last entry of at most four spans, in order. A charge belongs to
   * the day of its request. So a charge that was in doubt for weeks is far from the others in the ledger.
   */
  spans: z.array(z.tuple([seq, seq])),
});
export type PlacedRow = DeepReadonly<z.infer<typeof placedRowSchema>>;

/** The spend of one calendar month. It includes the month's charges up to and including ledger entry `lastSeq`. */
export const spendMonthSchema = z.object({
  /** `2026-11`. */
  month: z.string(),
  lastSeq: count,
  /** Sorted by day, operation, purpose, outcome, rule and asker. Each combination has one row. */
  rows: z.array(placedRowSchema),
});
export type SpendMonth = DeepReadonly<z.infer<typeof spendMonthSchema>>;
