import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const epochMs = z.number();

/** When the list is full, the oldest entry is dropped. Its values can still be undone by record. */
export const MAX_APPLIES = 1_000;

/** A policy that was in force. One item for each, by its hash; nothing of it is secret or personal. */
export const archivedPolicySchema = z.object({
  hash: z.string(),
  /** As its author calls it: two of one name may differ. */
  version: z.string(),
  /** The whole policy with its defaults, as JSON. */
  json: z.string(),
  /** When it was first seen in force. */
  archivedAtMs: epochMs,
  /** When stored answers were mapped again under it, oldest first; without an end it was broken off. */
  applies: z
    .array(z.object({ id: z.string(), begunAtMs: epochMs, endedAtMs: epochMs.optional() }))
    .max(MAX_APPLIES),
});
export type ArchivedPolicy = DeepReadonly<z.infer<typeof archivedPolicySchema>>;
