import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { BACKFILL_MOVES } from '#shared/enrichment';
import type { DeepReadonly } from '#shared/kernel';
import { FINDING_KINDS } from '#shared/review';

const count = z.int().nonnegative();
const epochMs = z.number();

/** Texts of every row. They are sentences for a person, and contain no value of a record. */
const row = {
  what: z.string(),
  /** Consequence if no person decides. */
  otherwise: z.string(),
  sinceMs: epochMs.optional(),
};

/** A decision that waits for a person. */
const needSchema = z.discriminatedUnion('kind', [
  /** `toDo` explains how to end the stop. Only a stop by a person has a button that ends it. */
  z.object({
    ...row,
    kind: z.literal('stop'),
    code: z.string().optional(),
    /** What the waiting records wait for, as a code. */
    ends: z.enum(['when-resumed', 'when-resolved', 'by-itself']).optional(),
    untilMs: epochMs.optional(),
    toDo: z.string(),
    byPerson: z.boolean(),
  }),
  z.object({
    ...row,
    kind: z.literal('doubt'),
    /** Absent in the row that counts the unlisted doubts. */
    doubt: z.object({ questionKey: z.string(), reservationId: z.string() }).optional(),
    credits: count.optional(),
    toDo: z.string(),
  }),
  z.object({
    ...row,
    kind: z.literal('backfill'),
    backfillId: z.string(),
    state: z.string().optional(),
    /** `person`, or the limit that paused it. */
    pausedBy: z.string().optional(),
    spentCredits: count.optional(),
    /** Highest cost of all its records. */
    atMostCredits: count.optional(),
    /** Days until the budgets have covered its expected cost. */
    days: count.optional(),
    moves: z.array(z.enum(BACKFILL_MOVES)),
    /** Highest price of the step that a person starts or approves. */
    maxCredits: count,
  }),
  z.object({ ...row, kind: z.literal('notice'), due: count.optional(), toDo: z.string() }),
]);

/** Waiting records of one purpose. */
const waitingSchema = z.object({
  /** Says how many records wait, since when, why, and until when. */
  sentence: z.string(),
  /** The cause of the wait, as a code. */
  reason: z.string().optional(),
  /** The waiting records' purpose, if all have the same. */
  purpose: z.enum(PURPOSES).optional(),
  records: count.optional(),
  /** Present if records wait because of the reserve for leads. A person may start these records. */
  admit: z
    .object({
      purpose: z.enum(PURPOSES),
      records: count,
      maxCredits: count,
      /** Number of these records that the budgets can pay now, each at the highest price. */
      pays: count.optional(),
    })
    .optional(),
});

/** A finding that waits for a decision of a person. */
const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  kind: z.enum(FINDING_KINDS),
  code: z.string().optional(),
  reason: z.string(),
  /** Whether accepting the finding can write values. */
  hasAnswer: z.boolean(),
  /** Time when the finding was made. It identifies the finding. */
  sinceMs: epochMs,
});

const budgetSchema = z.object({
  /** Such as `total/day`. */
  budget: z.string().optional(),
  label: z.string(),
  limitCredits: count,
  usedCredits: z.int(),
  leftCredits: z.int(),
  /** Credits that are reserved for leads. */
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
  /** Name of the asker, such as `User 12345`. */
  askedBy: z.string().optional(),
});

/** Content of the home page at the last sweep that stored it: sums, counts and open decisions. */
export const homeViewSchema = z.object({
  atMs: epochMs,
  /** The policy's time zone, in which days and months are counted. */
  timeZone: z.string(),
  needs: z.array(needSchema),
  review: z.object({
    items: z.array(reviewSchema),
    /** Whether further findings exist that are not listed. */
    isMore: z.boolean(),
    /** Explains how to see all findings. */
    toDo: z.string(),
  }),
  spend: z.object({
    todayCredits: z.int(),
    monthCredits: z.int(),
    pendingCredits: count,
    doubtfulCredits: count,
    forecastCredits: z.int(),
    balanceCredits: z.int().optional(),
    budgets: z.array(budgetSchema),
  }),
  waiting: z.array(waitingSchema),
  /** Charges, newest first. */
  activity: z.array(activitySchema),
  /** Present while all spending is stopped by a person. */
  stopped: z.object({ sinceMs: epochMs, what: z.string() }).optional(),
  /** Privacy notices that were due and not sent, as HubSpot last counted them. */
  notices: z.object({ due: count, countedAtMs: epochMs }).optional(),
  /** Set if a person has decided something since. The next sweep then stores the page again. */
  isOutdated: z.boolean().optional(),
});
export type HomeView = DeepReadonly<z.infer<typeof homeViewSchema>>;
