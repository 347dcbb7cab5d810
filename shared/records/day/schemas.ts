import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const count = z.int().nonnegative();

/** Yield of a run. For example, the answer filled a field, confirmed the values, matched nothing or needs review. */
const YIELD_KINDS = ['filled', 'confirmed', 'unmatched', 'review', 'gone', 'skipped', 'failed'] as const;
export type YieldKind = (typeof YIELD_KINDS)[number];

/** Number of runs with the same purpose, rule, source and yield, and number of fields that they filled. */
const yieldCountSchema = z.object({
  purpose: z.enum(PURPOSES),
  kind: z.enum(YIELD_KINDS),
  /** The policy's rule that decided about the records, such as `contacts: customers`; absent if the policy had none. */
  rule: z.string().optional(),
  /** The asker without the id of a user, workflow or backfill: `user` or `source:IMPORT`. */
  source: z.string().optional(),
  runs: count,
  fields: count,
});
export type YieldCount = DeepReadonly<z.infer<typeof yieldCountSchema>>;

/** A stop of spending on one day, as the sweeps saw it. No personal data. */
const dayStopSchema = z.object({
  kind: z.string(),
  objectType: z.enum(OBJECT_TYPES).optional(),
  /** A sentence for people. */
  what: z.string(),
  /** Begin of the stop, perhaps on an earlier day. All times are in epoch milliseconds. */
  sinceMs: z.number().optional(),
  /** Begin of the stop on this day, or the day's first sweep that saw it. */
  fromMs: z.number(),
  /** The day's last sweep that saw the stop. */
  toMs: z.number(),
  /** Highest number of leads that a sweep saw waiting because of the stop. */
  leads: count.optional(),
  /** The person who marked the stop as seen. */
  seen: z.object({ by: z.string(), atMs: z.number() }).optional(),
});
export type DayStop = DeepReadonly<z.infer<typeof dayStopSchema>>;

export const daySchema = z.object({
  /** Yields of the runs that ended on this day. Each combination has one row. */
  yields: z.array(yieldCountSchema),
  stops: z.array(dayStopSchema),
});
export type Day = DeepReadonly<z.infer<typeof daySchema>>;
