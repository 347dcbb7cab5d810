import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { WRITE_MODES } from '#shared/field-policy';
import type { DeepReadonly } from '#shared/kernel';
import { FINDING_KINDS } from '#shared/review';
import { BACKFILL_MOVES } from '#shared/spend';

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
  /** `toDo` explains how to end the stop. */
  z.object({
    ...row,
    kind: z.literal('stop'),
    code: z.string().optional(),
    /** What the waiting records wait for, as a code. */
    ends: z.enum(['when-resumed', 'when-resolved', 'by-itself']).optional(),
    untilMs: epochMs.optional(),
    toDo: z.string(),
  }),
  /** A stop of a past day, because of which leads waited. `code`, `day` and `toMs` identify it. */
  z.object({
    ...row,
    kind: z.literal('past-stop'),
    code: z.string(),
    day: z.string(),
    toMs: epochMs,
    leads: count,
    /** The first of these leads, each with the time that it waited: `contacts#123`. */
    waited: z.array(z.object({ record: z.string(), ms: count })).default([]),
    /** Limit of the budget, in credits, that would have been enough for them. */
    enoughCredits: count.optional(),
  }),
  z.object({
    ...row,
    kind: z.literal('doubt'),
    /** Absent while an answer may still come, and in the row that counts the unlisted doubts. */
    doubt: z.object({ questionKey: z.string(), reservationId: z.string() }).optional(),
    /** Time from which a person can decide. Absent if it has come. */
    fromMs: epochMs.optional(),
    /** `contacts#123`; absent for a request about no record of this account. */
    record: z.string().optional(),
    credits: count.optional(),
    toDo: z.string(),
  }),
  z.object({
    ...row,
    kind: z.literal('backfill'),
    backfillId: z.string(),
    /** Expected and highest cost of all its records, with the trial. */
    expectedCredits: count.optional(),
    atMostCredits: count.optional(),
    /** Results of the trial, from 0 to 1. */
    trial: z.object({ matchRate: z.number().optional(), damage: z.number() }).optional(),
    /** Records of the trial that were damaged or had no match: `contacts#123`. */
    examples: z.array(z.string()).default([]),
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
  /** The cause of the wait, as a code and for a person. Defaults are for items of older versions. */
  reason: z.string().default('queued'),
  why: z.string().default(''),
  /** The waiting records' purpose, if all have the same. */
  purpose: z.enum(PURPOSES).optional(),
  records: count.default(0),
  sinceMs: epochMs.optional(),
  /** The first and the last record start by these times, as far as known. */
  nextMs: epochMs.optional(),
  lastMs: epochMs.optional(),
  /** Set instead of `lastMs` if only the day of the last start is estimated: `2026-11-21`. */
  lastDay: z.string().optional(),
  /** Event that ends the wait, if no time does. */
  until: z.string().optional(),
  /**
   * Present if records wait because of the reserve for leads. A person may start as many of them as the budgets can pay
   * now, each at the highest price.
   */
  admit: z.object({ purpose: z.enum(PURPOSES), records: count, maxCredits: count }).optional(),
});

/** A finding that waits for a decision of a person. */
const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  kind: z.enum(FINDING_KINDS),
  code: z.string().optional(),
  reason: z.string(),
  /** The other records that the reason is about: `contacts#123`. */
  others: z.array(z.string()).default([]),
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

/** A started backfill that has not ended. */
const backfillSchema = z.object({
  backfillId: z.string(),
  objectType: z.enum(OBJECT_TYPES),
  /** The scope, in words. */
  scope: z.string(),
  state: z.string(),
  records: count,
  ended: count,
  /** 0 to 1. */
  matchRate: z.number().optional(),
  spentCredits: count,
  atMostCredits: count.optional(),
  /** Highest cost of the records that are left. */
  maxCredits: count,
  /** Why it stands still. */
  reason: z.string().optional(),
  /** Days until the budgets have covered its expected cost. */
  days: count.optional(),
  /** Who agreed to it, such as `User 12345`, and when. */
  startedBy: z.string().optional(),
  startedAtMs: epochMs.optional(),
  moves: z.array(z.enum(BACKFILL_MOVES)),
});

/** Figures of the last 30 days. */
const ruleFiguresSchema = z.object({
  /** Runs that ended. */
  records: count,
  filledFields: count,
  matchRate: z.number().optional(),
  credits: z.int(),
});

const policySchema = z.object({
  version: z.string(),
  /** Of all records. */
  all: ruleFiguresSchema,
  /** In the order in which they decide. */
  rules: z.array(
    z.object({
      objectType: z.enum(OBJECT_TYPES),
      /** Absent if the policy has no rules for the object type. */
      rule: z.string().optional(),
      /** Sentences without a full stop. A record must meet all of them. */
      conditions: z.array(z.string()),
      decision: z.string(),
      isBought: z.boolean(),
      /** Absent if the policy has no rules at all: lookups of contacts and companies are then counted together. */
      figures: ruleFiguresSchema.optional(),
    }),
  ),
  /** Properties that may be written. */
  fields: z.array(
    z.object({ objectType: z.enum(OBJECT_TYPES), label: z.string(), write: z.enum(WRITE_MODES) }),
  ),
});

const activitySchema = z.object({
  /** `contacts#123`; absent for a question about no record. */
  record: z.string().optional(),
  /** Time of the booking. */
  atMs: epochMs,
  /** The day on which the charge counts: that of the request, or of a late proof. */
  day: z.string().optional(),
  operation: z.string(),
  purpose: z.enum(PURPOSES),
  outcome: z.string(),
  credits: z.int(),
  /** Name of the asker, such as `User 12345`. */
  askedBy: z.string().optional(),
});

/** A charge of an answer about another person or company, to claim back from the vendor. */
const claimSchema = z.object({
  /** `contacts#123` */
  record: z.string(),
  /** Time of the request. */
  atMs: epochMs,
  operation: z.string(),
  credits: count,
  /** The vendor's id of the request, if the vendor gave one. */
  requestId: z.string().optional(),
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
  backfills: z.array(backfillSchema).default([]),
  policy: policySchema.default({
    version: '',
    all: { records: 0, filledFields: 0, credits: 0 },
    rules: [],
    fields: [],
  }),
  /** Charges, newest first. */
  activity: z.array(activitySchema),
  /** Newest first. */
  claims: z.array(claimSchema).default([]),
  /** Privacy notices that were due and not sent, as HubSpot last counted them. */
  notices: z.object({ due: count, countedAtMs: epochMs }).optional(),
});
export type HomeView = DeepReadonly<z.infer<typeof homeViewSchema>>;
