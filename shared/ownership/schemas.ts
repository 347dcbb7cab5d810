import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/**
 * Maximum number of hashes of one kind for one property. Only merges make the list longer, and each read of the record
 * removes outdated hashes.
 */
export const MAX_HASHES = 20;
/** Maximum number of verdicts for a record. A question's older answer is not used again, so the last few are enough. */
export const MAX_VERDICTS = 10;

const parameter = z.union([z.string(), z.number(), z.array(z.string())]);
const coded = {
  /** Stable, for scripts. */
  code: z.string(),
  params: z.record(z.string(), parameter).optional(),
};
/** A reason as a code with parameters, for a person. It holds no personal data. A catalogue makes the sentence. */
export const explanationSchema = z.object({
  ...coded,
  /** What is said after the reason itself. */
  notes: z.array(z.object(coded)).optional(),
});
export type Explanation = DeepReadonly<z.infer<typeof explanationSchema>>;

/** What bounds an explanation at these paths of a stored item. */
export function explanationBounds(...paths: readonly string[]): Readonly<Record<string, string>> {
  const params = 'The parameters of a code of our own; lists name properties of the policy, each once.';
  const notes = 'At most one for each property of the policy, and three others.';
  return Object.fromEntries(
    paths.flatMap((path) => [
      [`${path}.params`, params],
      [`${path}.notes`, notes],
      [`${path}.notes.params`, params],
    ]),
  );
}

const hashes = z.array(z.string()).max(MAX_HASHES).optional();

const propertyOwnershipSchema = z.object({
  /**
   * Hash of our last value, as HubSpot returned it. After a merge, the list also has the hash of the other record's
   * value.
   */
  written: hashes,
  /** Set if merged records had different `written` hashes. Then a value is ours only if HubSpot's history proves it. */
  unproved: z.literal(true).optional(),
  /** Hash of the value or blank that an undo restored. This value counts as a person's until it changes. */
  broughtBack: hashes,
  /** Set if others had filled the property. If it is blank now, a person emptied it. */
  filledByOthers: z.literal(true).optional(),
});
export type PropertyOwnership = DeepReadonly<z.infer<typeof propertyOwnershipSchema>>;

/**
 * Ownership by property. It holds keyed hashes, never values. If an answered record has no entry, HubSpot's history
 * decides.
 */
export const ownershipSchema = z.record(z.string(), propertyOwnershipSchema);
export type Ownership = DeepReadonly<z.infer<typeof ownershipSchema>>;

const verdictSchema = z.object({
  questionKey: z.string(),
  /** Time of the answer. It distinguishes the answer from a later answer to the same question. */
  askedAtMs: z.number(),
  /** Set if the answer is about another person or company. */
  rejected: z.object({ reason: explanationSchema, byPerson: z.boolean().optional() }).optional(),
  /** Set if a person accepted the answer in spite of contrary evidence of this kind. */
  inSpiteOf: z.enum(['contradiction', 'job-change']).optional(),
  /** Keyed hashes of the answer's person or company, if a person has decided whether the record is about them. */
  about: hashes,
  /** Properties for which a person declined the value of this answer. */
  declined: z.array(z.string()).optional(),
});
export type AnswerVerdict = DeepReadonly<z.infer<typeof verdictSchema>>;

/** One verdict for each answer, newest last. A verdict does not apply to a later answer. */
export const verdictsSchema = z.array(verdictSchema).max(MAX_VERDICTS);
export type Verdicts = DeepReadonly<z.infer<typeof verdictsSchema>>;
