import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const findingSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('holds'), seen: z.string().optional() }),
  z.object({ verdict: z.literal('differs'), seen: z.string() }),
  z.object({ verdict: z.literal('not seen'), seen: z.string() }),
]);

/** What an interrupted rehearsal needs to go on, and to remove what it made. It stays on this machine. */
export const journalSchema = z.object({
  format: z.literal(1),
  accountId: z.string(),
  /** Part of every address that this rehearsal makes up. */
  run: z.string(),
  startedAtMs: z.number(),
  /** A creation was sent whose answer may be lost: then a search has to find its records. */
  isCreating: z.boolean(),
  records: z.array(z.object({ objectType: z.enum(['contacts', 'companies']), id: z.string() })),
  /** Finished steps, by name. */
  steps: z.record(
    z.string(),
    z.object({ tookMs: z.number(), observations: z.record(z.string(), findingSchema) }),
  ),
});

export type RehearsalJournal = DeepReadonly<z.infer<typeof journalSchema>>;
