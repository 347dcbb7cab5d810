import * as z from 'zod';
import { LANES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const objectType = z.enum(['contacts', 'companies']);

/** `state.json` of a data folder: what outlives a restart, beside the tables. */
export const savedStateSchema = z.object({
  /** Of the file, raised when an older version could not read it. */
  format: z.literal(1),
  /** Records that existed before this are not touched. Epoch milliseconds. */
  installedAtMs: z.number(),
  installationSecret: z.string().min(1),
  /** Name of the folder of the tables that belong to it. */
  tables: z.string().min(1),
  /** Messages that no worker had finished. */
  queued: z.array(z.object({ queue: z.enum(LANES), body: z.string() })),
  /** The records of the demonstration; absent with real services. */
  demos: z.array(z.object({ objectType, id: z.string(), shows: z.string() })).optional(),
  /** Deliveries with a wrong signature since the last one that was taken; absent while there is none. */
  refusedDeliveries: z
    .object({ count: z.int().positive(), reason: z.string(), sinceMs: z.number(), lastMs: z.number() })
    .optional(),
  /** The stand-ins' own state; absent with real services. */
  hubSpot: z.unknown().optional(),
  dataService: z.unknown().optional(),
});

export type SavedState = DeepReadonly<z.infer<typeof savedStateSchema>>;

/** `running.json`: who has the folder open. Where it is reached stands beside it, once it serves. */
export const holderSchema = z.looseObject({
  pid: z.int().positive(),
});
