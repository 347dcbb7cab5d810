import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { BACKFILL_MOVES, BACKFILL_STATES } from '#shared/spend';
import { QUESTION_OPTIONS } from '#shared/vendor';

const count = z.int().nonnegative();

const credits = z.int().nonnegative();

const epochMs = z.number();

/** 0 to 1. */
const share = z.number();

/** The backfill pauses if its match rate is lower than agreed, or its damage is higher. Absent: no limit. */
const limitsSchema = z.object({ matchRate: share.optional(), damage: share.optional() });

/** Records with the same kind of lookup, and so with similar cost and match rate. */
const stratumSchema = z.object({
  /** Kind of lookup, for a person. */
  name: z.string(),
  /** Price of a match, price of a miss, highest price of a record. */
  hitCredits: credits,
  missCredits: credits,
  maxCredits: credits,
  /**
   * Present for followers. Another record of the backfill asks the same first question; followers are admitted last and
   * reuse that answer.
   */
  follows: z.literal(true).optional(),
  records: count,
  /** Last admitted member, in the order of the keyed hash. */
  taken: z.object({ order: count, id: z.string() }).optional(),
  letIn: count,
  hits: count,
  misses: count,
  /** Records that are neither match nor miss: deleted, opted out, no lookup needed, or in doubt. */
  others: count,
  spent: credits,
  /** The last few misses. */
  missIds: z.array(z.string()),
});

export type Stratum = DeepReadonly<z.infer<typeof stratumSchema>>;

/** A quote, and the backfill that it becomes. No personal data. */
export const backfillSchema = z.object({
  id: z.string(),
  /** All records of the account, the records that a HubSpot filter finds, or a list of ids. */
  scope: z.object({
    objectType: z.enum(OBJECT_TYPES),
    /** Description for a person: `all of them`, `lifecyclestage=lead`, `a list of ids`. */
    words: z.string(),
    where: z.array(z.object({ property: z.string(), value: z.string() })),
    /** A list of ids, which are stored with the members. Two lists are taken for two scopes. */
    isList: z.literal(true).optional(),
  }),
  /** Records of the trial, and at least so many of each stratum. */
  trialSize: z.object({ trial: count, trialPerStratum: count }),
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
  quote: z
    .object({
      /** Exact upper bound of the cost in credits. */
      atMost: credits,
      /** Expected cost in credits at this match rate. Both are absent without lookups in the last 30 days. */
      expected: credits.optional(),
      matchRate: share.optional(),
    })
    .optional(),
  /** Results of the trial. */
  trial: z
    .object({
      /** Absent if the trial looked up no record. */
      matchRate: share.optional(),
      /** Share of the trial's records with a contradicting answer, or with values that HubSpot refused. */
      damage: share,
      /** Expected total cost in credits, including the trial. Absent without a match rate. */
      expected: credits.optional(),
    })
    .optional(),
  /** Whether a person has agreed to the records after the trial before it started. */
  agreedBeforehand: z.boolean().optional(),
  /** Limits that a person has agreed to. */
  agreed: limitsSchema.optional(),
  /** Number of ended records at the last check of the limits. */
  checkedAt: count.optional(),
  /** Admitted records whose end is not known yet. */
  outstanding: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })),
  /**
   * Records of a paused backfill that were started but not looked up. They return to `outstanding` when the backfill is
   * resumed.
   */
  postponed: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })).optional(),
  /** Records whose answer contradicted them, or of whose values HubSpot refused some. */
  damaged: count,
  damagedIds: z.array(z.string()),
  /** Records in which at least one value was written. */
  filled: count,
  pause: z
    .object({
      /** `person`, or the limit that paused the backfill. */
      by: z.enum(['person', 'match-rate', 'damage']),
      /** The person, such as `user:12345`. */
      askedBy: z.string().optional(),
      reason: z.string(),
      examples: z.array(z.string()),
      /** The state in which the backfill continues. */
      from: z.enum(['trial', 'approval', 'running']),
      atMs: epochMs,
    })
    .optional(),
  /** Reason why no record is admitted at the moment. The backfill continues by itself. */
  holding: z.object({ code: z.string().optional(), reason: z.string(), sinceMs: epochMs }).optional(),
  startedAtMs: epochMs.optional(),
  /** The person who started it: `user:12345`, or `operator` for the command line. */
  startedBy: z.string().optional(),
  endedAtMs: epochMs.optional(),
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

/** A person's decision about a backfill, on the home page. Only a start and an approval have a price. */
export const backfillWish = z
  .object({
    kind: z.literal('backfill'),
    backfillId: z.string().min(1).max(200),
    move: z.enum(BACKFILL_MOVES),
    /** The highest price that the person saw. A start or an approval at a higher price is refused. */
    maxCredits: credits.max(1_000_000).optional(),
  })
  .refine(({ move, maxCredits }) => (move === 'start' || move === 'approve') === (maxCredits !== undefined));

export type BackfillWish = z.infer<typeof backfillWish>;
