import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { BACKFILL_MOVES } from '#shared/enrichment';
import type { DeepReadonly } from '#shared/kernel';
import { FINDING_KINDS } from '#shared/review';

const count = z.int().nonnegative();
const epochMs = z.number();

/** What every row says. All texts are sentences for a person; none holds a value of a record. */
const row = {
  what: z.string(),
  /** What happens without a decision. */
  otherwise: z.string(),
  sinceMs: epochMs.optional(),
};

/** A decision that waits for a person. */
const needSchema = z.discriminatedUnion('kind', [
  /** `toDo`: how to end it. Only a stop by a person ends with a button. */
  z.object({ ...row, kind: z.literal('stop'), toDo: z.string(), byPerson: z.boolean() }),
  z.object({
    ...row,
    kind: z.literal('doubt'),
    /** Absent in the row that sums up the doubts that are not listed. */
    doubt: z.object({ questionKey: z.string(), reservationId: z.string() }).optional(),
    toDo: z.string(),
  }),
  z.object({
    ...row,
    kind: z.literal('backfill'),
    backfillId: z.string(),
    moves: z.array(z.enum(BACKFILL_MOVES)),
    /** Highest price of a start or an approval. */
    maxCredits: count,
  }),
  z.object({ ...row, kind: z.literal('notice'), toDo: z.string() }),
]);

/** Waiting records of one purpose. */
const waitingSchema = z.object({
  /** How many records, since when, why, until when. */
  sentence: z.string(),
  /** Present where the reserve for leads holds records back that a person may start. */
  admit: z.object({ purpose: z.enum(PURPOSES), records: count, maxCredits: count }).optional(),
});

/** Finding of a record that waits for a person. */
const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  kind: z.enum(FINDING_KINDS),
  reason: z.string(),
  properties: count,
  /** Accepting it may write values; otherwise there is nothing to write. */
  hasAnswer: z.boolean(),
  /** When it was found; it names the finding. */
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
    /** How to see them all. */
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
  waiting: z.array(waitingSchema),
  /** Charges, newest first. */
  activity: z.array(activitySchema),
  /** A person stopped all spending. */
  stopped: z.object({ sinceMs: epochMs, what: z.string() }).optional(),
  /** Privacy notices that were due and not sent, as HubSpot last counted them. */
  notices: z.object({ due: count, countedAtMs: epochMs }).optional(),
  /** A person has decided something since: the next sweep stores the page again. */
  isOutdated: z.boolean().optional(),
});
export type HomeView = DeepReadonly<z.infer<typeof homeViewSchema>>;
