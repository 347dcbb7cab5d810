import * as z from 'zod';
import { PURPOSES } from '../credit-ledger/entries.ts';
import { QUESTION_OPERATIONS } from '../questions/question.ts';
import { OBJECT_TYPES } from './crm-record.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { PinnedPortal } from './own-portal.ts';
import { OUTCOME_KINDS, type RecordState } from './record-state.ts';
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
      eventKeys: z.array(z.string()).optional(),
      lapses: count.optional(),
    })
    .optional(),
  claim: z.object({ owner: z.string(), untilMs: z.number() }).optional(),
  waiting: z.object({ reason: z.string(), untilMs: z.number() }).optional(),
  again: z.object({ purpose }).optional(),
  outcome: z
    .object({
      kind: z.enum(OUTCOME_KINDS),
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
  identifiers: z.array(z.string()).optional(),
  rejected: z
    .array(z.object({ questionKey: z.string(), askedAtMs: z.number(), reason: z.string() }))
    .optional(),
  beforeDeletion: z.enum(OUTCOME_KINDS).optional(),
  mergedInto: z.string().optional(),
  mergedFrom: z.array(z.string()).optional(),
  restored: z.record(z.string(), z.string()).optional(),
  forgottenAtMs: z.number().optional(),
});

export const sweepCursorSchema: z.ZodType<SweepCursor> = z.object({
  fromMs: z.number(),
  window: z.object({ toMs: z.number(), afterId: z.string() }).optional(),
});

export const pinnedPortalSchema: z.ZodType<PinnedPortal> = z.object({ portalId: z.string() });

export const journalEntrySchema: z.ZodType<JournalEntry> = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  run: count,
  kind: z.enum(['enrichment', 'undo']),
  purpose,
  eventKeys: z.array(z.string()),
  policyVersion: z.string(),
  outcome: z.enum(OUTCOME_KINDS),
  reason: z.string(),
  question: z
    .object({ key: z.string(), operation: z.enum(QUESTION_OPERATIONS), askedAtMs: z.number() })
    .optional(),
  credits: count,
  changes: z.array(
    z.object({
      property: z.string(),
      before: z.string().nullable(),
      after: z.string(),
      state: z.enum(['planned', 'written', 'refused']),
      cut: z.array(z.enum(['before', 'after'])).optional(),
      undone: z.boolean().optional(),
    }),
  ),
  dropped: z.array(z.object({ property: z.string(), reason: z.string() })).optional(),
  atMs: z.number(),
  sentAtMs: z.number().optional(),
  purged: z.boolean().optional(),
});
