import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';
import {
  outcomeKind,
  pinnedPortalSchema,
  sweepCursorSchema,
  WAITS_FOR,
  writeBreakerSchema,
} from './schemas.ts';

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

/** State of the audit of runs, which reads every record. */
const runAuditSchema = passPositionSchema.extend({ sum: runSumSchema });
export type RunAuditPass = DeepReadonly<z.infer<typeof runAuditSchema>>;

const waitingSumSchema = z.object({
  /** Number of records in each partition of the index. */
  records: z.record(z.string(), count),
  /** Number of records that wait until a due time, by reason. */
  reasons: z.record(z.string(), count),
  /** Start of the longest wait for each service that records wait for. */
  sinceMs: z.partialRecord(z.enum(WAITS_FOR), epochMs),
});
export type WaitingSum = DeepReadonly<z.infer<typeof waitingSumSchema>>;

/** State of the count of waiting records. `last` is the result of the last complete pass. */
const waitingCountSchema = passPositionSchema.extend({
  sum: waitingSumSchema,
  last: z.object({ ...waitingSumSchema.shape, atMs: epochMs }).optional(),
});
export type WaitingCount = DeepReadonly<z.infer<typeof waitingCountSchema>>;

/** State of the audit for contacts that are missing in HubSpot. It holds ids only. */
const deletionAuditSchema = passPositionSchema.extend({
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

/** State that all sweeps of an installation share, so that overlapping sweeps respect the same bounds. */
const sweepMinuteSchema = z.object({
  /** Minutes since 1970. */
  minute: z.int(),
  /** Messages that sweeps were allowed to send in this minute, by cause and lane: `admitted-live`. */
  counts: z.record(z.string(), count),
  /** The sweep that runs now. The lease ends at the latest with the sweep's invocation. */
  lease: z.object({ sweepId: z.string(), untilMs: epochMs }).optional(),
});
export type SweepMinute = DeepReadonly<z.infer<typeof sweepMinuteSchema>>;

/** Alerts that were sent. An alert is repeated only after its fact has ended or expired. */
const sentAlertsSchema = z.object({
  facts: z.array(z.object({ key: z.string(), untilMs: epochMs.optional(), stopped: z.string().optional() })),
});
export type SentAlerts = DeepReadonly<z.infer<typeof sentAlertsSchema>>;

/** Progress of the spend's sums. The months hold every charge up to and including entry `lastSeq`. */
const spendHeadSchema = z.object({
  lastSeq: count,
  /** Booking time of the vendor's last answer, match or not, in epoch milliseconds. */
  answeredAtMs: z.number().optional(),
  /** Lookups without a match since the last match, their cost, and the booking time of the first one. */
  misses: z.object({ count: z.int().positive(), credits: count, sinceMs: z.number() }).optional(),
});
export type SpendHead = DeepReadonly<z.infer<typeof spendHeadSchema>>;

/** The installation's account, and the progress of its regular work. Each item holds one of these parts, and only its owner writes it. */
export const statusSchema = z.object({
  portal: pinnedPortalSchema.optional(),
  runs: runAuditSchema.optional(),
  deletions: deletionAuditSchema.optional(),
  waiting: waitingCountSchema.optional(),
  /** Position of the search for waiting records that can continue. Its results are not stored. */
  resume: passPositionSchema.optional(),
  /** Position of the search for records whose values have expired. */
  retention: passPositionSchema.optional(),
  /** One item for each object type. */
  created: sweepCursorSchema.optional(),
  /** One item for each object type. */
  writeBreaker: writeBreakerSchema.optional(),
  /** A marker that is written to the table and read from its index, to measure the index lag. */
  marker: z
    .object({
      atMs: epochMs,
      /** How long the index has certainly not shown this marker, and the one before. */
      missingMs: z.number(),
      lagBeforeMs: z.number(),
    })
    .optional(),
  sweep: sweepMinuteSchema.optional(),
  alerts: sentAlertsSchema.optional(),
  spend: spendHeadSchema.optional(),
});
export type StoredStatus = DeepReadonly<z.infer<typeof statusSchema>>;
