import * as z from 'zod';
import { PURPOSES } from '../credit-ledger/entries.ts';
import type { BreakerState } from './breaker-state.ts';
import type { QuestionItem } from './item.ts';
import { QUESTION_OPERATIONS, QUESTION_OPTIONS } from './question.ts';
import type { SideItem } from './side-item.ts';

const options = z.array(z.enum(QUESTION_OPTIONS));
const count = z.int().nonnegative();

const storedAnswerSchema = z.object({
  kind: z.enum(['found', 'no-match', 'forgotten']),
  options,
  askedAtMs: z.number(),
  expiresAtMs: z.number(),
  credits: count,
  misses: count,
  packed: z.string().optional(),
  parts: z.array(z.string()).optional(),
});

/** A question's item as stored. */
export const questionItemSchema: z.ZodType<QuestionItem> = z.object({
  key: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  fence: count,
  asking: z
    .object({
      fence: count,
      state: z.enum(['leased', 'sent', 'settled', 'doubt']),
      purpose: z.enum(PURPOSES),
      options,
      reservationId: z.string(),
      worstCaseCredits: count,
      leaseUntilMs: z.number(),
      sentAtMs: z.number().optional(),
      deadlineAtMs: z.number().optional(),
      charge: z.object({ credits: count, reason: z.string() }).optional(),
    })
    .optional(),
  answer: storedAnswerSchema.optional(),
  olderAnswers: z.array(storedAnswerSchema).optional(),
});

export const breakerStateSchema: z.ZodType<BreakerState> = z.object({
  keyRefused: z.object({ probeAtMs: z.number() }).optional(),
  outOfCredits: z.object({ priceCredits: count, untilMs: z.number() }).optional(),
  doubtsInRow: count,
  doubtful: z.object({ probeAtMs: z.number() }).optional(),
});

/** What lies beside the questions, as stored. */
export const sideItemSchema: z.ZodType<SideItem> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('part'), text: z.string(), untilMs: z.number() }),
  z.object({
    kind: z.literal('links'),
    links: z.array(z.object({ to: z.string(), untilMs: z.number().optional() })),
  }),
  z.object({ kind: z.literal('tombstones'), hashes: z.array(z.string()) }),
  z.object({ kind: z.literal('epoch'), count }),
  z.object({
    kind: z.literal('forgets'),
    due: z.array(z.object({ identifiers: z.array(z.string()), atMs: z.number() })),
  }),
]);
