import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { FORMAT } from '#shared/store';

const objectType = z.enum(OBJECT_TYPES);

/** `state.json` of a data folder. It contains the state that a restart needs in addition to the tables. */
export const savedStateSchema = z.object({
  format: z.literal(FORMAT),
  /** Records from before this time are not touched. Epoch milliseconds. */
  installedAtMs: z.number(),
  installationSecret: z.string().min(1),
  tables: z.string().min(1),
  /** The records of the demonstration. Absent with real services. */
  demos: z.array(z.object({ objectType, id: z.string(), shows: z.string() })).optional(),
  /** Deliveries with a wrong signature since the last accepted delivery. Absent if there were none. */
  refusedDeliveries: z
    .object({ count: z.int().positive(), reason: z.string(), sinceMs: z.number(), lastMs: z.number() })
    .optional(),
  ports: z
    .object({ system: z.int(), hubSpot: z.int().optional(), dataService: z.int().optional() })
    .optional(),
  /** The stand-ins' own state. Absent with real services. */
  hubSpot: z.unknown().optional(),
  dataService: z.unknown().optional(),
});

export type SavedState = DeepReadonly<z.infer<typeof savedStateSchema>>;

/** A request for the names of the records of one page. */
export const recordKeysSchema = z.array(z.string().regex(/^(?:contacts|companies)#\d{1,20}$/)).max(100);

/** `running.json`: the process that uses the folder, and its addresses after the start. */
export const holderSchema = z.looseObject({
  pid: z.int().positive(),
  /** The folder's real path. A copy of the folder has a copy of this file. */
  folder: z.string(),
});
