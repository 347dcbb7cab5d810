import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';
import { outcomeKind, WAITS_FOR } from '../schemas.ts';

const count = z.int().nonnegative();
const epochMs = z.number();

/** Position of a pass through the records. Without `at`, the pass has ended. */
const passPositionSchema = z.object({
  begunMs: epochMs,
  /** Number of the current index partition, and the position in it where the next part begins. */
  at: z.object({ place: count, after: z.string().optional() }).optional(),
});
export type PassPosition = DeepReadonly<z.infer<typeof passPositionSchema>>;

/** Sums over the runs of all records that were read. */
const runSumSchema = z.object({
  records: count,
  opened: count,
  ended: count,
  waiting: count,
  running: count,
  /** Sum over the records of opened runs minus ended, waiting and running ones. It is 0 unless a run was lost. */
  lost: count,
  outcomes: z.record(outcomeKind, count),
  /** The first few records whose difference is not 0, such as `contacts#123`. */
  guilty: z.array(z.string()),
});
export type RunSum = DeepReadonly<z.infer<typeof runSumSchema>>;

/** Stored state of the audit of runs, which reads every record. */
export const runAuditSchema = passPositionSchema.extend({ sum: runSumSchema });
export type RunAuditPass = DeepReadonly<z.infer<typeof runAuditSchema>>;

/** Position of the search for waiting records that can continue. Its results are not stored. */
export const waitingPassSchema = passPositionSchema;
export type WaitingPass = PassPosition;

const waitingSumSchema = z.object({
  /** Number of records in each partition of the index. */
  records: z.record(z.string(), count),
  /** Number of records that wait until a due time, by reason. */
  reasons: z.record(z.string(), count),
  /** Start of the longest wait for each service that records wait for. */
  sinceMs: z.partialRecord(z.enum(WAITS_FOR), epochMs),
});
export type WaitingSum = DeepReadonly<z.infer<typeof waitingSumSchema>>;

/** Stored state of the count of waiting records. `last` is the result of the last complete pass. */
export const waitingCountSchema = passPositionSchema.extend({
  sum: waitingSumSchema,
  last: z.object({ ...waitingSumSchema.shape, atMs: epochMs }).optional(),
});
export type WaitingCount = DeepReadonly<z.infer<typeof waitingCountSchema>>;

/** State of the audit for contacts that are missing in HubSpot. It holds ids only. */
export const deletionAuditSchema = passPositionSchema.extend({
  /** Start of the last part. */
  partAtMs: epochMs,
  /**
   * A contact that HubSpot returned. It is read again together with others. If HubSpot returns it, the access token
   * still has access to contacts.
   */
  witness: z.string().optional(),
  /** Contacts that are missing in HubSpot, with the time of the first missing read and of the next check. */
  suspects: z.array(z.object({ id: z.string(), seenAtMs: epochMs, lookAtMs: epochMs })),
});
export type Suspect = DeletionAudit['suspects'][number];
export type DeletionAudit = DeepReadonly<z.infer<typeof deletionAuditSchema>>;

/** Position of the search for records whose values have expired. */
export const retentionPassSchema = passPositionSchema;
export type RetentionPass = PassPosition;

/** A marker that is written to the table and read from its index, to measure the index lag. */
export const indexMarkerSchema = z.object({
  atMs: epochMs,
  /** How long the index has certainly not shown this marker, and the one before. */
  missingMs: z.number(),
  lagBeforeMs: z.number(),
});
export type IndexMarker = DeepReadonly<z.infer<typeof indexMarkerSchema>>;
