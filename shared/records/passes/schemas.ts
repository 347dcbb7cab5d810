import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';
import { outcomeKind, WAITS_FOR } from '../schemas.ts';

const count = z.int().nonnegative();
const epochMs = z.number();

/** Position of a pass through the records; without `at`, the pass has ended. */
const passPositionSchema = z.object({
  begunMs: epochMs,
  /** Number of the current place, and the position in it where the next part begins. */
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
  /** Sum of the records' own differences (opened - ended - waiting - running): 0 unless a run was lost. */
  lost: count,
  outcomes: z.record(outcomeKind, count),
  /** The first few records whose own difference is not 0: `contacts#123`. */
  guilty: z.array(z.string()),
});
export type RunSum = DeepReadonly<z.infer<typeof runSumSchema>>;

/** Stored state of the audit of runs, which reads every record. */
export const runAuditSchema = passPositionSchema.extend({ sum: runSumSchema });
export type RunAuditPass = DeepReadonly<z.infer<typeof runAuditSchema>>;

/** Position of the search for waiting records that may continue. Its results are not stored. */
export const waitingPassSchema = passPositionSchema;
export type WaitingPass = PassPosition;

const waitingSumSchema = z.object({
  /** Number of records by place in the index. */
  records: z.record(z.string(), count),
  /** Number of records that wait for a time, by reason. */
  reasons: z.record(z.string(), count),
  /** Start of the longest wait, by the awaited service. */
  sinceMs: z.partialRecord(z.enum(WAITS_FOR), epochMs),
});
export type WaitingSum = DeepReadonly<z.infer<typeof waitingSumSchema>>;

/** Stored state of the count of waiting records; `last` is the result of the last complete pass. */
export const waitingCountSchema = passPositionSchema.extend({
  sum: waitingSumSchema,
  last: z.object({ ...waitingSumSchema.shape, atMs: epochMs }).optional(),
});
export type WaitingCount = DeepReadonly<z.infer<typeof waitingCountSchema>>;

/** State of the audit for contacts that are missing in HubSpot. Ids only. */
export const deletionAuditSchema = passPositionSchema.extend({
  /** Start of the last part. */
  partAtMs: epochMs,
  /** A contact that HubSpot returned. Reading it again with others shows that the access token still sees contacts. */
  witness: z.string().optional(),
  /** Contacts missing in HubSpot: the time of the first miss, and of the next check. */
  suspects: z.array(z.object({ id: z.string(), seenAtMs: epochMs, lookAtMs: epochMs })),
});
export type Suspect = DeletionAudit['suspects'][number];
export type DeletionAudit = DeepReadonly<z.infer<typeof deletionAuditSchema>>;

/** Position of the search for records whose values have expired. */
export const retentionPassSchema = passPositionSchema;
export type RetentionPass = PassPosition;

/** A marker that is written to the table and read from its index, to measure the index lag. */
export const indexMarkerSchema = z.object({ atMs: epochMs });
export type IndexMarker = DeepReadonly<z.infer<typeof indexMarkerSchema>>;
