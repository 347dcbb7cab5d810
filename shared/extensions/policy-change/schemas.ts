import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const epochMs = z.number();

/**
 * Maximum number of entries. If there are more, the oldest entry is dropped. The values of a dropped entry can still be
 * undone record by record.
 */
export const MAX_APPLIES = 1_000;

/**
 * A policy that was in force. Each policy has one item, with its hash as the key. The item holds no secret or personal
 * data.
 */
export const archivedPolicySchema = z.object({
  hash: z.string(),
  /** Name that the author gave. Different policies can have the same name. */
  version: z.string(),
  /** The whole policy with its defaults, as JSON. */
  json: z.string(),
  /** Time when the policy was first seen in force. */
  archivedAtMs: epochMs,
  /** Applies of the policy to stored answers, oldest first. An apply without an end was interrupted. */
  applies: z
    .array(z.object({ id: z.string(), begunAtMs: epochMs, endedAtMs: epochMs.optional() }))
    .max(MAX_APPLIES),
});

export type ArchivedPolicy = DeepReadonly<z.infer<typeof archivedPolicySchema>>;
