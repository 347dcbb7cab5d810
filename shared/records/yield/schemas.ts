import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const count = z.int().nonnegative();

/** Yield of a run. For example, the answer filled a field, confirmed the values, matched nothing or needs review. */
const YIELD_KINDS = ['filled', 'confirmed', 'unmatched', 'review', 'gone', 'skipped', 'failed'] as const;
export type YieldKind = (typeof YIELD_KINDS)[number];

/** Number of runs with the same purpose, rule, asker and yield, and number of fields that they filled. */
const yieldCountSchema = z.object({
  purpose: z.enum(PURPOSES),
  kind: z.enum(YIELD_KINDS),
  /** The policy's rule that decided about the records, such as `contacts: customers`; absent if the policy had none. */
  rule: z.string().optional(),
  /** The asker, such as `user:12345` or `source:IMPORT`. It is `user` for users that the day does not name. */
  askedBy: z.string().optional(),
  runs: count,
  fields: count,
});
export type YieldCount = DeepReadonly<z.infer<typeof yieldCountSchema>>;

/** Yield of the runs that ended on one day. Each combination has one row. */
export const dailyYieldSchema = z.object({ rows: z.array(yieldCountSchema) });
export type YieldOfDay = DeepReadonly<z.infer<typeof dailyYieldSchema>>;
