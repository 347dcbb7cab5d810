import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS, QUESTION_OPTIONS } from '#shared/questions';

const count = z.int().nonnegative();
const credits = z.int().nonnegative();
const epochMs = z.number();

/** Total cost of a backfill in credits, including spent credits. */
const rangeSchema = z.object({
  /** Assumes the lowest price for each remaining record, and a reused answer wherever one is possible. */
  minimum: credits,
  /** Lower and upper end of the range that contains the cost for 90% of similar portals. */
  low: credits,
  high: credits,
  /** Upper bound of the cost. */
  worst: credits,
});
export type Range = DeepReadonly<z.infer<typeof rangeSchema>>;

/** Records with the same kind of lookup, and so with similar cost and match rate. */
const stratumSchema = z.object({
  /** Kind of lookup, for a person. */
  name: z.string(),
  /** Price of a match, price of a miss, lowest and highest price of a record. */
  hitCredits: credits,
  missCredits: credits,
  minCredits: credits,
  maxCredits: credits,
  /** Questions that may be paid for, in the order in which they are asked. */
  questions: z.array(
    z.object({ operation: z.enum(QUESTION_OPERATIONS), options: z.array(z.enum(QUESTION_OPTIONS)) }),
  ),
  /**
   * Present for followers. Another record of the backfill asks the same first question; followers are admitted last and
   * reuse that answer.
   */
  follows: z.literal(true).optional(),
  records: count,
  /** Results of earlier backfills, discounted. */
  prior: z.object({ hits: z.number(), misses: z.number() }),
  /** Last admitted member, in the order of the keyed hash. */
  taken: z.object({ order: count, id: z.string() }).optional(),
  letIn: count,
  hits: count,
  /** Matches that cost nothing, because they reused the answer to another question. */
  servedHits: count,
  misses: count,
  /** Records that are neither match nor miss: deleted, opted out, no lookup needed, or in doubt. */
  others: count,
  hitSpent: credits,
  missSpent: credits,
  otherSpent: credits,
  /** The last few misses. */
  missIds: z.array(z.string()),
});
export type Stratum = DeepReadonly<z.infer<typeof stratumSchema>>;

const BACKFILL_STATES = [
  'quoting',
  'quoted',
  'canary',
  'approval',
  'running',
  'paused',
  'done',
  'stopped',
] as const;

/** A quote, and the backfill that it becomes. No personal data. */
export const backfillSchema = z.object({
  id: z.string(),
  /** All records of the account, the records that a HubSpot filter finds, or a list of ids. */
  scope: z.object({
    objectType: z.enum(OBJECT_TYPES),
    /** Description for a person: `all of them`, `lifecyclestage=lead`, `a list of ids`. */
    words: z.string(),
    where: z.array(z.object({ property: z.string(), value: z.string() })),
  }),
  state: z.enum(BACKFILL_STATES),
  createdAtMs: epochMs,
  /** Position of the quote's scan: records up to this id are sorted. */
  afterId: z.string().optional(),
  seen: count,
  /** Records left out, by reason. */
  leftOut: z.record(z.string(), count),
  /** Number of records to look up for each rule of the policy; absent if the policy has no rules. */
  byRule: z.record(z.string(), count).optional(),
  /** Number of ended records with neither match nor miss, by reason; absent before the first one. */
  withoutResult: z.record(z.string(), count).optional(),
  strata: z.array(stratumSchema),
  quote: rangeSchema.optional(),
  /** The range after the canary. The score uses this range. */
  afterCanary: rangeSchema.optional(),
  /** Whether the backfill continues after the canary without a person, if the new range is inside the quote. */
  agreedBeforehand: z.boolean().optional(),
  /** Admitted records whose end is not known yet. */
  outstanding: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })),
  /**
   * Records of a paused backfill that were started but not looked up. They return to `outstanding` when the backfill is
   * resumed.
   */
  postponed: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })).optional(),
  /** Answers that contradicted their record, and writes that HubSpot refused. */
  damaged: count,
  damagedIds: z.array(z.string()),
  pause: z
    .object({
      /** `person`, or the rule that paused the backfill. */
      by: z.enum(['person', 'match-rate', 'damage']),
      reason: z.string(),
      examples: z.array(z.string()),
      /** The state in which the backfill continues. */
      from: z.enum(['canary', 'approval', 'running']),
      atMs: epochMs,
    })
    .optional(),
  /** Rules that a person has overruled. They do not pause the backfill again. */
  overruled: z.array(z.string()).optional(),
  /** Reason why no record is admitted at the moment. The backfill continues by itself. */
  holding: z.object({ reason: z.string(), sinceMs: epochMs }).optional(),
  startedAtMs: epochMs.optional(),
  endedAtMs: epochMs.optional(),
  /** Whether the cost was in the range, and the width of the range as a share of the cost. */
  score: z.object({ spent: credits, isInside: z.boolean(), width: z.number() }).optional(),
});
export type Backfill = DeepReadonly<z.infer<typeof backfillSchema>>;

/** A record of a quote. */
export const memberSchema = z.object({
  backfillId: z.string(),
  stratum: count,
  id: z.string(),
  /** Position in the stratum. It is a keyed hash, so the first members are a random sample. */
  order: count,
  /** The first question, if no other record of the quote asked it before. */
  first: z
    .object({
      /** A keyed hash. */
      questionKey: z.string(),
      options: z.array(z.enum(QUESTION_OPTIONS)),
    })
    .optional(),
  untilMs: epochMs,
});
export type Member = DeepReadonly<z.infer<typeof memberSchema>>;
