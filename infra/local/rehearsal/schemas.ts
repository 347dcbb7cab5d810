import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

const findingSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('holds'), seen: z.string().optional() }),
  z.object({ verdict: z.literal('differs'), seen: z.string() }),
  z.object({ verdict: z.literal('not seen'), seen: z.string() }),
]);

/** Fields that every interrupted rehearsal needs to continue. The journal stays on this machine. */
const journalFields = {
  format: z.literal(1),
  accountId: z.string(),
  /** Text that is part of all names that this rehearsal makes up. */
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
  /** A creation was sent and its answer can be lost. A search must then find the created records. */
  isCreating: z.boolean(),
  records: z.array(z.object({ objectType: z.enum(['contacts', 'companies']), id: z.string() })),
});

export const awsJournalSchema = z.object({
  ...journalFields,
  region: z.string(),
  /** A deployment can have begun, and its removal has not ended. */
  isThere: z.boolean(),
});

export type RehearsalJournal = DeepReadonly<z.infer<typeof journalSchema>>;
export type AwsJournal = DeepReadonly<z.infer<typeof awsJournalSchema>>;
