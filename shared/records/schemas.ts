import * as z from 'zod';
import { PURPOSES } from '../credit-ledger/entries.ts';
import { OBJECT_TYPES } from './crm-record.ts';
import type { RecordState } from './record-state.ts';
import type { SweepCursor } from './sweep-cursor.ts';

const purpose = z.enum(PURPOSES);
const count = z.int().nonnegative();

/** A record's state as stored. */
export const recordStateSchema: z.ZodType<RecordState> = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  recentEvents: z.array(z.object({ key: z.string(), atMs: z.number() })),
  run: z
    .object({
      id: z.string(),
      purpose,
      openedAtMs: z.number(),
      credits: count,
      answeredQuestion: z.string().optional(),
    })
    .optional(),
  claim: z.object({ owner: z.string(), untilMs: z.number() }).optional(),
  waiting: z.object({ reason: z.string(), untilMs: z.number() }).optional(),
  again: z.object({ purpose }).optional(),
  outcome: z
    .object({
      kind: z.enum(['enriched', 'unchanged', 'unmatched', 'skipped', 'failed']),
      reason: z.string(),
      atMs: z.number(),
      credits: count,
    })
    .optional(),
  doubtfulQuestion: z.string().optional(),
  runsOpened: count,
  outcomes: z.object({ enriched: count, unchanged: count, unmatched: count, skipped: count, failed: count }),
  creditsSpent: count,
  fingerprint: z.string().optional(),
  remembered: z.record(z.string(), z.string()),
  answeredAtMs: z.number().optional(),
  answeredQuestion: z.string().optional(),
  staleAtMs: z.number().optional(),
});

export const sweepCursorSchema: z.ZodType<SweepCursor> = z.object({
  fromMs: z.number(),
  window: z.object({ toMs: z.number(), afterId: z.string() }).optional(),
});
