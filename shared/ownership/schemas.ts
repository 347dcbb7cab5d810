import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/**
 * Most hashes of one kind for one property. Only merges add to them, and each read of the record removes outdated ones.
 */
export const MAX_HASHES = 20;
/** Most verdicts of a record: a question's older answer is not used again, so the last few are enough. */
export const MAX_VERDICTS = 10;

const hashes = z.array(z.string()).max(MAX_HASHES).optional();

const propertyOwnershipSchema = z.object({
  /** Hash of our last value, as HubSpot returned it. After a merge also that of the other record. */
  written: hashes,
  /** Merged records disagreed on `written`: a value is ours only if HubSpot's history says so. */
  unproved: z.literal(true).optional(),
  /** Hash of the value, blank included, that an undo restored. It is a person's until the value changes. */
  broughtBack: hashes,
  /** Others had filled it. If it is blank now, a person emptied it. */
  filledByOthers: z.literal(true).optional(),
});
export type PropertyOwnership = DeepReadonly<z.infer<typeof propertyOwnershipSchema>>;

/** By property: keyed hashes, never values. If an answered record has no entry, HubSpot's history decides. */
export const ownershipSchema = z.record(z.string(), propertyOwnershipSchema);
export type Ownership = DeepReadonly<z.infer<typeof ownershipSchema>>;

const verdictSchema = z.object({
  questionKey: z.string(),
  /** Distinguishes the answer from a later one to the same question. */
  askedAtMs: z.number(),
  /** The answer is about another person. `reason` is for a person and holds no personal data. */
  rejected: z.object({ reason: z.string(), byPerson: z.boolean().optional() }).optional(),
  /** The kind of contrary evidence in spite of which a person accepted the answer. */
  inSpiteOf: z.enum(['contradiction', 'job-change']).optional(),
  /** Properties whose value of this answer a person declined. */
  declined: z.array(z.string()).optional(),
});
export type AnswerVerdict = DeepReadonly<z.infer<typeof verdictSchema>>;

/** One verdict for each answer, newest last. A verdict does not apply to a later answer. */
export const verdictsSchema = z.array(verdictSchema).max(MAX_VERDICTS);
export type Verdicts = DeepReadonly<z.infer<typeof verdictsSchema>>;
