import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const epochMs = z.number();

/** Most entries; the oldest is dropped beyond. Its values can still be undone by record. */
export const MAX_APPLIES = 1_000;

/** A policy that was in force. One item for each, by its hash; nothing in it is secret or personal. */
export const archivedPolicySchema = z.object({
  hash: z.string(),
  /** Name by its author; different policies may share one. */
  version: z.string(),
  /** The whole policy with its defaults, as JSON. */
  json: z.string(),
  /** Time when it was first seen in force. */
  archivedAtMs: epochMs,
  /** Applies of the policy to stored answers, oldest first; one without an end was interrupted. */
  applies: z
    .array(z.object({ id: z.string(), begunAtMs: epochMs, endedAtMs: epochMs.optional() }))
    .max(MAX_APPLIES),
});
export type ArchivedPolicy = DeepReadonly<z.infer<typeof archivedPolicySchema>>;
