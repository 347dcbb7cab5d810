import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const findingSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('holds'), seen: z.string().optional() }),
  z.object({ verdict: z.literal('differs'), seen: z.string() }),
  z.object({
    verdict: z.literal('not seen'),
    code: z.string(),
    params: z.record(z.string(), z.unknown()),
    seen: z.string(),
  }),
]);

/** State that an interrupted rehearsal needs to continue. The journal stays on this machine. */
export const journalSchema = z.object({
  format: z.literal(1),
  accountId: z.string(),
  /** Text that is part of all names that this rehearsal makes up. */
  run: z.string(),
  startedAtMs: z.number(),
  steps: z.record(
    z.string(),
    z.object({ tookMs: z.number(), observations: z.record(z.string(), findingSchema) }),
  ),
  /** A creation was sent and its answer can be lost. A search must then find the created records. */
  isCreating: z.boolean(),
  records: z.array(z.object({ objectType: z.enum(OBJECT_TYPES), id: z.string() })),
});

export type RehearsalJournal = DeepReadonly<z.infer<typeof journalSchema>>;
