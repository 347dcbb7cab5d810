import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const findingSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('holds'), seen: z.string().optional() }),
  z.object({ verdict: z.literal('differs'), seen: z.string() }),
  z.object({ verdict: z.literal('not seen'), seen: z.string() }),
]);

/** What every interrupted rehearsal needs to continue. It stays on this machine. */
const journalFields = {
  format: z.literal(1),
  accountId: z.string(),
  /** Part of every name that this rehearsal makes up. */
  run: z.string(),
  startedAtMs: z.number(),
  /** Finished steps, by name. */
  steps: z.record(
    z.string(),
    z.object({ tookMs: z.number(), observations: z.record(z.string(), findingSchema) }),
  ),
};

export const journalSchema = z.object({
  ...journalFields,
  /** A creation was sent whose answer may be lost: then a search has to find its records. */
  isCreating: z.boolean(),
  records: z.array(z.object({ objectType: z.enum(['contacts', 'companies']), id: z.string() })),
});

export const awsJournalSchema = z.object({
  ...journalFields,
  region: z.string(),
  /** A deployment may have begun, and its removal has not ended. */
  isThere: z.boolean(),
});

export type RehearsalJournal = DeepReadonly<z.infer<typeof journalSchema>>;
export type AwsJournal = DeepReadonly<z.infer<typeof awsJournalSchema>>;
