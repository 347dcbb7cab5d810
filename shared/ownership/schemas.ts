import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/** Hashes of one kind for one property. Only merges add to them, and a look at the record ends those that are over. */
export const MAX_HASHES = 20;
/** A question's older answer does not come back, so the last few are enough. */
export const MAX_VERDICTS = 10;

const hashes = z.array(z.string()).max(MAX_HASHES).optional();

const propertyOwnershipSchema = z.object({
  /** Hash of our last value, as HubSpot returned it. After a merge also that of the other record. */
  written: hashes,
  /** The records of a merge do not agree on `written`: a value is ours only if HubSpot's history says so. */
  unproved: z.literal(true).optional(),
  /** Hash of the value, blank included, that an undo brought back. It is a person's until the value changes. */
  broughtBack: hashes,
  /** Others had filled it. If it is blank now, a person emptied it. */
  filledByOthers: z.literal(true).optional(),
});
export type PropertyOwnership = DeepReadonly<z.infer<typeof propertyOwnershipSchema>>;

/** By property: keyed hashes, never values. After an answer, no entry means: ask HubSpot's history. */
export const ownershipSchema = z.record(z.string(), propertyOwnershipSchema);
export type Ownership = DeepReadonly<z.infer<typeof ownershipSchema>>;

const verdictSchema = z.object({
  questionKey: z.string(),
  /** Tells the answer from a later one to the same question. */
  askedAtMs: z.number(),
  /** The answer is about another person. `reason` is for a person and holds no personal data. */
  rejected: z.object({ reason: z.string(), byPerson: z.boolean().optional() }).optional(),
  /** A person took the answer in spite of this. */
  inSpiteOf: z.enum(['contradiction', 'job-change']).optional(),
  /** Properties whose value of this answer a person does not want. */
  declined: z.array(z.string()).optional(),
});
export type AnswerVerdict = DeepReadonly<z.infer<typeof verdictSchema>>;

/** By answer, each once, newest last. None of them speaks about a later answer. */
export const verdictsSchema = z.array(verdictSchema).max(MAX_VERDICTS);
export type Verdicts = DeepReadonly<z.infer<typeof verdictsSchema>>;
