import * as z from 'zod';
import { type GovernorState, UNREADABLE_STATE } from './state.ts';

/** The governor's item as this version writes it. */
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
  hurried: z
    .array(
      z.object({
        id: z.string(),
        untilMs: z.number(),
        lane: z.enum(['live', 'bulk']),
        dueMs: z.number(),
      }),
    )
    .optional(),
});

/** The same, as it is read: of another shape, it may be an older version's, and must not stop all asking. */
export const storedGovernorSchema: z.ZodType<GovernorState> = governorStateSchema.catch(UNREADABLE_STATE);
