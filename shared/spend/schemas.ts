import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const count = z.int().nonnegative();
const seq = z.int().positive();

/**
 * Result of a charge: a match, a "no match", `late` if it was proved only after its reservation had been voided,
 * `other` for the rest, such as doubts resolved as charged. A reason can be a person's note, so it is never copied.
 */
export const CHARGE_OUTCOMES = ['match', 'no-match', 'late', 'other'] as const;

/** Charges of one kind on one day. */
const spendRowSchema = z.object({
  /** The day to which the credits were booked: `2026-11-21`. */
  day: z.string(),
  operation: z.string(),
  purpose: z.enum(PURPOSES),
  outcome: z.enum(CHARGE_OUTCOMES),
  /** The policy's rule, such as `contacts: customers`, that admitted the records; absent where the policy had no rules. */
  rule: z.string().optional(),
  /**
   * Who or what asked: `user:12345`, `source:IMPORT`; `user` for those that the day does not name. Absent in charges from
   * before it was kept.
   */
  askedBy: z.string().optional(),
  credits: z.int(),
  /** Number of charges. */
  count,
});
export type SpendRow = DeepReadonly<z.infer<typeof spendRowSchema>>;
export type ChargeOutcome = SpendRow['outcome'];

const placedRowSchema = spendRowSchema.extend({
  /**
   * Where they lie in the ledger: first and last entry of at most four stretches, in order. A charge belongs to the day of
   * its request, so one that was in doubt for weeks lies far behind the others.
   */
  spans: z.array(z.tuple([seq, seq])),
});
export type PlacedRow = DeepReadonly<z.infer<typeof placedRowSchema>>;

/** The spend of one calendar month: exactly its charges up to and including ledger entry `lastSeq`. */
export const spendMonthSchema = z.object({
  /** `2026-11`. */
  month: z.string(),
  lastSeq: count,
  /** By day, operation, purpose, outcome, rule and asker, in that order; no two rows alike. */
  rows: z.array(placedRowSchema),
});
export type SpendMonth = DeepReadonly<z.infer<typeof spendMonthSchema>>;

/** How far the log has been projected: the months hold every charge up to and including entry `lastSeq`. */
export const spendHeadSchema = z.object({
  lastSeq: count,
  /** When the vendor's last answer was booked, a match or none, epoch milliseconds. */
  answeredAtMs: z.number().optional(),
  /** Lookups without a match since the last match, and when the first of them was booked. */
  misses: z.object({ count: z.int().positive(), sinceMs: z.number() }).optional(),
});
export type SpendHead = DeepReadonly<z.infer<typeof spendHeadSchema>>;

/** A stop of spending, as the sweeps of one day saw it. No personal data. */
const dayStopSchema = z.object({
  kind: z.string(),
  objectType: z.enum(OBJECT_TYPES).optional(),
  /** Sentence for a person. */
  what: z.string(),
  /** When the stop began, perhaps on an earlier day. Epoch milliseconds, as all times here. */
  sinceMs: z.number().optional(),
  /** Begin of the stop on this day, or the first sweep of the day that saw it. */
  fromMs: z.number(),
  /** The last sweep of the day that saw it. */
  toMs: z.number(),
});
export type DayStop = DeepReadonly<z.infer<typeof dayStopSchema>>;

export const stopDaySchema = z.object({ stops: z.array(dayStopSchema) });
export type StopDay = DeepReadonly<z.infer<typeof stopDaySchema>>;
