import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';
import { outcomeKind, WAITS_FOR } from '../schemas.ts';

const count = z.int().nonnegative();
const epochMs = z.number();

/** How far a round through the records has come; without a place it has ended. */
const roundStandSchema = z.object({
  begunMs: epochMs,
  /** The place that is gone through, by its number, and where in it the next part begins. */
  at: z.object({ place: count, after: z.string().optional() }).optional(),
});
export type RoundStand = DeepReadonly<z.infer<typeof roundStandSchema>>;

/** Runs of all records that were met, added up. */
const runSumSchema = z.object({
  records: count,
  opened: count,
  ended: count,
  waiting: count,
  running: count,
  /** Records' own differences of opened to ended, waiting and running: 0 unless something was lost. */
  lost: count,
  outcomes: z.record(outcomeKind, count),
  /** The first few records whose own sum is not 0: `contacts#123`. */
  guilty: z.array(z.string()),
});
export type RunSum = DeepReadonly<z.infer<typeof runSumSchema>>;

/** The audit of runs, which goes through every record. */
export const runAuditSchema = roundStandSchema.extend({ sum: runSumSchema });
export type RunAuditRound = DeepReadonly<z.infer<typeof runAuditSchema>>;

/** Cursor of the search for waiting records that may continue. Its results are not stored. */
export const waitingPassSchema = roundStandSchema;
export type WaitingPass = RoundStand;

const waitingSumSchema = z.object({
  /** By place in the index. */
  records: z.record(z.string(), count),
  /** Those that wait for a time, by reason. */
  reasons: z.record(z.string(), count),
  /** Since when the one waits that waits longest, by whom it waits for. */
  sinceMs: z.partialRecord(z.enum(WAITS_FOR), epochMs),
});
export type WaitingSum = DeepReadonly<z.infer<typeof waitingSumSchema>>;

/** The count of waiting records; `last` is what the last round that ended has found. */
export const waitingCountSchema = roundStandSchema.extend({
  sum: waitingSumSchema,
  last: z.object({ ...waitingSumSchema.shape, atMs: epochMs }).optional(),
});
export type WaitingCount = DeepReadonly<z.infer<typeof waitingCountSchema>>;

/** State of the audit for contacts that are missing in HubSpot. Ids only. */
export const deletionAuditSchema = roundStandSchema.extend({
  /** When the last part began. */
  partAtMs: epochMs,
  /** A contact that HubSpot returned: read again with others, it shows that the access token still sees contacts. */
  witness: z.string().optional(),
  /** Contacts missing in HubSpot: since when, and when they are looked up again. */
  suspects: z.array(z.object({ id: z.string(), seenAtMs: epochMs, lookAtMs: epochMs })),
});
export type Suspect = DeletionAudit['suspects'][number];
export type DeletionAudit = DeepReadonly<z.infer<typeof deletionAuditSchema>>;

/** How far the sweep has looked for records whose values have expired. */
export const retentionPassSchema = roundStandSchema;
export type RetentionPass = RoundStand;

/** A marker that is written to the table and read from its index, to measure the index lag. */
export const indexMarkerSchema = z.object({ atMs: epochMs });
export type IndexMarker = DeepReadonly<z.infer<typeof indexMarkerSchema>>;
