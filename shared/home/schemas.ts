import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { FINDING_KINDS } from '#shared/review';

const count = z.int().nonnegative();
const epochMs = z.number();

/** A decision that waits for a person. All texts are sentences for a person; none holds a value of a record. */
const needSchema = z.object({
  kind: z.enum(['stop', 'doubt', 'backfill']),
  what: z.string(),
  /** What happens without a decision. */
  otherwise: z.string(),
  /** How to decide. */
  toDo: z.string(),
  sinceMs: epochMs.optional(),
});

/** Finding of a record that waits for a person. */
const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  kind: z.enum(FINDING_KINDS),
  reason: z.string(),
  properties: count,
  sinceMs: epochMs,
});

const budgetSchema = z.object({
  label: z.string(),
  limitCredits: count,
  usedCredits: z.int(),
  leftCredits: z.int(),
  /** Reserved for leads. */
  keptCredits: count.optional(),
  resetsAtMs: epochMs,
});

const activitySchema = z.object({
  /** `contacts#123`; absent for a question about no record. */
  record: z.string().optional(),
  atMs: epochMs,
  operation: z.string(),
  purpose: z.enum(PURPOSES),
  outcome: z.string(),
  credits: z.int(),
  /** Who or what asked, in words: `User 12345`. */
  askedBy: z.string().optional(),
});

/** The home page as the sweep last saw it: sums, counts and open decisions. */
export const homeViewSchema = z.object({
  atMs: epochMs,
  /** Of the policy: days and months are counted in it. */
  timeZone: z.string(),
  needs: z.array(needSchema),
  review: z.object({
    items: z.array(reviewSchema),
    /** There are more than are listed. */
    isMore: z.boolean(),
    toDo: z.string(),
  }),
  spend: z.object({
    todayCredits: z.int(),
    monthCredits: z.int(),
    pendingCredits: count,
    doubtfulCredits: count,
    forecastCredits: z.int(),
    forecastRange: z.object({ lowCredits: z.int(), highCredits: z.int() }).optional(),
    balanceCredits: z.int().optional(),
    budgets: z.array(budgetSchema),
  }),
  /** Sentences: how many records, since when, why, until when. */
  waiting: z.array(z.string()),
  /** Charges, newest first. */
  activity: z.array(activitySchema),
  /** A person stopped all spending. */
  stopped: z.object({ sinceMs: epochMs, what: z.string() }).optional(),
});
export type HomeView = DeepReadonly<z.infer<typeof homeViewSchema>>;
