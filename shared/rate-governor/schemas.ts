import * as z from 'zod';
import type { GovernorState } from './state.ts';

/** The governor's item as stored. */
export const governorStateSchema: z.ZodType<GovernorState> = z.object({
  limit: z.int().positive(),
  mode: z.enum(['proof', 'fixed']),
  slots: z.array(
    z.object({
      id: z.string(),
      by: z.string(),
      sentAtMs: z.number(),
      answered: z.boolean(),
      freeAtMs: z.number(),
    }),
  ),
  window: z
    .object({ resetAtMs: z.number(), remaining: z.number(), endsAtMs: z.record(z.string(), z.number()) })
    .optional(),
  closed: z.object({ untilMs: z.number(), believeAtMs: z.number() }).optional(),
  sharedUntilMs: z.number().optional(),
  bulkDueMs: z.number().optional(),
  liveWaiters: z.array(z.object({ id: z.string(), untilMs: z.number() })),
});
