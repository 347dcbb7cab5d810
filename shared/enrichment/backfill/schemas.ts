import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS, QUESTION_OPTIONS } from '#shared/questions';

const count = z.int().nonnegative();
const credits = z.int().nonnegative();
const epochMs = z.number();

/** What a backfill is to cost in all, credits: what was spent included. */
const rangeSchema = z.object({
  /** Assumes the lowest price for each remaining record, and a reused answer wherever one is possible. */
  minimum: credits,
  /** 90% of the portals like this one lie between the two. */
  low: credits,
  high: credits,
  /** It never costs more. */
  worst: credits,
});
export type Range = DeepReadonly<z.infer<typeof rangeSchema>>;

/** Records that are looked up in the same way, and so cost and match alike. */
const stratumSchema = z.object({
  /** How they are looked up, for a person. */
  name: z.string(),
  /** The price of a match, of a miss, and the lowest and highest price of a record. */
  hitCredits: credits,
  missCredits: credits,
  minCredits: credits,
  maxCredits: credits,
  /** Questions that may be paid for, in the order in which they are asked. */
  questions: z.array(
    z.object({ operation: z.enum(QUESTION_OPERATIONS), options: z.array(z.enum(QUESTION_OPTIONS)) }),
  ),
  /** Another record of the backfill asks the same first question. These are admitted last and reuse its answer. */
  follows: z.literal(true).optional(),
  records: count,
  /** What earlier backfills found, discounted. */
  prior: z.object({ hits: z.number(), misses: z.number() }),
  /** Its records were admitted up to this one, in the order of their keyed hash. */
  taken: z.object({ order: count, id: z.string() }).optional(),
  letIn: count,
  hits: count,
  /** Matches that cost nothing, because they reused the answer to another question. */
  servedHits: count,
  misses: count,
  /** Neither: gone, opted out, answered without asking, in doubt. */
  others: count,
  hitSpent: credits,
  missSpent: credits,
  otherSpent: credits,
  /** The last few without a match. */
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
  /** Which records: all of the account, those that a HubSpot filter finds, or those of a list of ids. */
  scope: z.object({
    objectType: z.enum(OBJECT_TYPES),
    /** For a person: `all of them`, `lifecyclestage=lead`, `a list of ids`. */
    words: z.string(),
    where: z.array(z.object({ property: z.string(), value: z.string() })),
  }),
  state: z.enum(BACKFILL_STATES),
  createdAtMs: epochMs,
  /** Of the quote's scan: records below this id are sorted. */
  afterId: z.string().optional(),
  seen: count,
  /** Records left out, by reason. */
  leftOut: z.record(z.string(), count),
  /** Records to look up, by the policy's rule that admits them; absent where the policy has no rules. */
  byRule: z.record(z.string(), count).optional(),
  strata: z.array(stratumSchema),
  quote: rangeSchema.optional(),
  /** The range after the canary, which is the one that is scored. */
  afterCanary: rangeSchema.optional(),
  /** Continues after the canary without a person, if its range stays inside the quote. */
  agreedBeforehand: z.boolean().optional(),
  /** Admitted and not known to have ended. */
  outstanding: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })),
  /** Of a paused backfill: started and not looked up. They go back to `outstanding` when it is resumed. */
  postponed: z.array(z.object({ id: z.string(), stratum: count, runId: z.string() })).optional(),
  /** Answers that contradicted their record, and writes that HubSpot refused. */
  damaged: count,
  damagedIds: z.array(z.string()),
  pause: z
    .object({
      /** `person`, or the rule that stopped it. */
      by: z.enum(['person', 'match-rate', 'damage']),
      reason: z.string(),
      examples: z.array(z.string()),
      /** Where it continues. */
      from: z.enum(['canary', 'approval', 'running']),
      atMs: epochMs,
    })
    .optional(),
  /** Rules that a person has overruled: they do not stop it again. */
  overruled: z.array(z.string()).optional(),
  /** Why nothing is admitted at the moment. It continues by itself. */
  holding: z.object({ reason: z.string(), sinceMs: epochMs }).optional(),
  startedAtMs: epochMs.optional(),
  endedAtMs: epochMs.optional(),
  /** Whether the cost lay in the range, and how wide that was, as a share of the cost. */
  score: z.object({ spent: credits, isInside: z.boolean(), width: z.number() }).optional(),
});
export type Backfill = DeepReadonly<z.infer<typeof backfillSchema>>;

/** A record of a quote. */
export const memberSchema = z.object({
  backfillId: z.string(),
  stratum: count,
  id: z.string(),
  /** Its place among those of its stratum: a keyed hash, so that the first ones are a random sample. */
  order: count,
  /** The first question, where no other record of the quote asked it before. */
  first: z
    .object({
      /** A keyed hash. */
      questionKey: z.string(),
      options: z.array(z.enum(QUESTION_OPTIONS)),
      bySearch: z.boolean(),
    })
    .optional(),
  untilMs: epochMs,
});
export type Member = DeepReadonly<z.infer<typeof memberSchema>>;
