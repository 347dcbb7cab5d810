import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { ENRICHMENT_STATUSES, WEIGHTS } from '#shared/field-policy';
import type { DeepReadonly } from '#shared/kernel';
import { explanationSchema, ownershipSchema, verdictsSchema } from '#shared/ownership';
import { QUESTION_OPERATIONS } from '#shared/questions';

const OUTCOME_KINDS = ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'] as const;

export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

const outcomeKind = z.enum(OUTCOME_KINDS);

const objectType = z.enum(OBJECT_TYPES);

const purpose = z.enum(PURPOSES);

const count = z.int().nonnegative();

const epochMs = z.number();

/** The last wait of a run for a stop, such as a used-up budget. Without `untilMs`, it goes on. */
const stopWaitSchema = z.object({
  reason: z.string(),
  detail: z.string().optional(),
  sinceMs: epochMs,
  untilMs: epochMs.optional(),
});

export type StopWait = DeepReadonly<z.infer<typeof stopWaitSchema>>;

/** End of a run. */
const outcomeSchema = z.object({
  kind: outcomeKind,
  /**
   * `enrichment_status` in HubSpot, if it differs from `kind`. For example, an answer that needs review counts as
   * unmatched.
   */
  status: z.enum(ENRICHMENT_STATUSES).optional(),
  reason: explanationSchema,
  atMs: epochMs,
  /** Credits charged for this run. */
  credits: count,
  /** The person or source that requested the run. */
  askedBy: z.string().optional(),
  stopWait: stopWaitSchema.optional(),
});

export type Outcome = DeepReadonly<z.infer<typeof outcomeSchema>>;

/** The service that a postponed run waits for. `refusal` means that HubSpot refuses this write and accepts others. */
const WAITS_FOR = ['hubspot', 'refusal', 'data-service', 'ourselves'] as const;

export type WaitsFor = (typeof WAITS_FOR)[number];

/** The asker, as `readAsker` reads it. It holds no email and no name. */
const askedBy = z.string().optional();

/**
 * Request of a person or a workflow for this record. `byWorkflow` is set if no person requested the run. Then properties
 * that people emptied stay empty.
 */
const asked = z.object({ byWorkflow: z.literal(true).optional() });

/** An attempt of a question whose charge counts against the run's price. It is stored before the request is sent. */
const commitment = z.object({
  questionKey: z.string(),
  reservationId: z.string(),
  /** Highest cost of the attempt. */
  credits: count,
});

/** One attempt to bring a record up to date. It ends in exactly one outcome, however often it is resumed. */
const runSchema = z.object({
  id: z.string(),
  purpose,
  openedAtMs: epochMs,
  /** Credits charged so far. A postponed run keeps them. */
  credits: count,
  /** Highest price in credits: the price that a person agreed to, or the limit of a refresh or a backfill. */
  maxCredits: count.optional(),
  /** Possible charges beyond `credits`. Each attempt is stored before its request. Their sum is within an agreed price. */
  commitments: z.array(commitment).optional(),
  /**
   * Key of the question that was answered in this run. A resumed run asks it again and finds the stored answer.
   * Otherwise our own write could lead it to another question.
   */
  answeredQuestion: z.string().optional(),
  /** Keys of the first few events behind the run, to explain it to a person. */
  eventKeys: z.array(z.string()).optional(),
  asked: asked.optional(),
  askedBy,
  /** Set if a person admitted the run in spite of the reserve for leads. */
  overrulesReserve: z.literal(true).optional(),
  /** Set if the run follows the decision on a doubt. It uses stored answers and buys nothing. */
  afterDoubt: z.literal(true).optional(),
  /** The person who decided that doubt; absent if the policy or a late answer did. */
  doubtDecidedBy: z.string().optional(),
  /** Number of workers that stopped without an outcome while they held the run. */
  lapses: count.optional(),
  /** The service that the run waits for, and the start of the wait. Retries do not reset the start. */
  waitsFor: z.object({ whom: z.enum(WAITS_FOR), sinceMs: epochMs }).optional(),
  stopWait: stopWaitSchema.optional(),
});

export type Run = DeepReadonly<z.infer<typeof runSchema>>;

/** A removal of our values: of all values, or of the values obtained in a period. */
const removalSchema = z.object({
  by: z.enum(['retention', 'recall']),
  /** The policy's rule, for retention. */
  rule: z.string().optional(),
  /** The recalled period, both ends inclusive; absent for retention. */
  obtained: z.object({ fromMs: epochMs, toMs: epochMs }).optional(),
  /** Start of the removal. */
  atMs: epochMs,
  /** Set when every value is removed. Until then the removal is repeated. */
  isDone: z.literal(true).optional(),
});

export type Removal = DeepReadonly<z.infer<typeof removalSchema>>;

/** Backfills that can run over one record at the same time. Each counts the end of its own run. */
export const MAX_BACKFILLS = 10;

const backfillRunSchema = z.object({
  /** The backfill. */
  id: z.string(),
  runId: z.string(),
  end: z
    .object({
      kind: outcomeKind,
      credits: count,
      isDamage: z.boolean(),
      /** Why the record was not looked up. */
      reason: explanationSchema.optional(),
      /** Set if the backfill was stopped or paused before the lookup. A resumed backfill opens the run again. */
      isWithdrawn: z.boolean().optional(),
    })
    .optional(),
});

export type BackfillRun = DeepReadonly<z.infer<typeof backfillRunSchema>>;

/** Our knowledge of a HubSpot record. Each record has one item. The item never holds the record's property values. */
export const recordStateSchema = z.object({
  objectType,
  id: z.string(),
  /** Handled events, newest last. They serve to detect duplicates. */
  recentEvents: z.array(
    z.object({
      key: z.string(),
      atMs: epochMs,
      /** Id of the run that serves a wish, whose result is read by this key. */
      run: z.string().optional(),
      /** End of that run. */
      end: outcomeSchema.optional(),
    }),
  ),
  /** The open run. A worker holds it (`claim`), or it waits (`waiting`). */
  run: runSchema.optional(),
  claim: z.object({ owner: z.string(), untilMs: epochMs }).optional(),
  /** `detail` is for a person, such as the properties that HubSpot refuses. It holds no personal data. */
  waiting: z
    .object({
      reason: z.string(),
      detail: z.string().optional(),
      /** Figures and names behind `detail`, for scripts. */
      params: explanationSchema.shape.params,
      untilMs: epochMs,
      /** The price is above the limit of the refusing budget. Only a larger budget ends this wait. */
      isAboveLimit: z.literal(true).optional(),
    })
    .optional(),
  /** Runs that open after the open run. They serve the reasons that it cannot serve. */
  later: z.array(runSchema).optional(),
  outcome: outcomeSchema.optional(),
  /**
   * Doubts of ended runs. When one is decided, a run that buys nothing counts its charge, and has the purpose and the
   * asker of the run that met it.
   */
  doubts: z
    .array(
      runSchema.pick({ purpose: true, asked: true, askedBy: true }).extend({
        questionKey: z.string(),
        /** The record's own attempt; absent if the attempt was made for another record. */
        attempt: commitment.optional(),
      }),
    )
    .optional(),
  runsOpened: count,
  outcomes: z.record(outcomeKind, count),
  /** Credits charged for this record in its ended runs. `totalCredits` adds the others. */
  creditsSpent: count,
  /** HMAC of the identifying values and the policy version after the last outcome. */
  fingerprint: z.string().optional(),
  /** Owner of each property's value. */
  ownership: ownershipSchema,
  /** Verdicts of people and evidence on each answer. */
  verdicts: verdictsSchema,
  /** Time of the last new answer. */
  answeredAtMs: epochMs.optional(),
  /** Time of the first answer whose values the record may still hold. */
  obtainedAtMs: epochMs.optional(),
  /**
   * Set if values expired or were recalled. Then nothing is bought for the record unless a rule of the policy allows
   * it.
   */
  removal: removalSchema.optional(),
  /**
   * Key of the question that the last answer answered. While the record does not change, another question would yield
   * nothing new.
   */
  answeredQuestion: z.string().optional(),
  /** Keyed hash of the employer in the last answer. A different employer in a new answer is a job change. */
  employer: z.string().optional(),
  /** Time from which the record counts as stale. */
  staleAtMs: epochMs.optional(),
  /** Refresh weight of the record in the policy at the last read. Absent: the policy names no weight, so it is 1. */
  weight: z.literal(WEIGHTS).optional(),
  /** Name of the policy's rule that decided about the record at the last read; absent if the policy has no rules. */
  rule: z.string().optional(),
  /**
   * Keyed hashes of every value that has identified the person since the first read. A privacy deletion contains only
   * an id, so we find our data about the person by these hashes.
   */
  identifiers: z.array(z.string()).optional(),
  /**
   * Set while the record is deleted: its outcome before the deletion. A restored record gets this outcome back. A
   * deleted record is never stale.
   */
  beforeDeletion: outcomeKind.optional(),
  /** Time when the deletion audit saw the record in HubSpot's archive. This record was deleted, but not for privacy. */
  archivedSeenMs: epochMs.optional(),
  /** Set if the record has or had findings. They are then read again whenever they may have changed. */
  hasReview: z.boolean().optional(),
  /** Set if the record is older than the installation. Its changes then start no run. */
  isOld: z.boolean().optional(),
  /**
   * Set if the contact has or had a company. If a person removes the company, no company is set again until a person
   * requests the record.
   */
  hadCompany: z.boolean().optional(),
  /** Winner of the merge that ended this record, and the records that were merged into this one. */
  mergedInto: z.string().optional(),
  mergedFrom: z.array(z.string()).optional(),
  /** The record's run for each of the last backfills, newest last, and its end. */
  backfills: z.array(backfillRunSchema).max(MAX_BACKFILLS).optional(),
  /** Time when the person's data were erased after a privacy deletion. Nothing about the person is kept. */
  forgottenAtMs: epochMs.optional(),
});

export type RecordState = DeepReadonly<z.infer<typeof recordStateSchema>>;

/** Position of the sweep through the records that were created after the installation. */
const sweepCursorSchema = z.object({
  /** All records created before this time are checked. */
  fromMs: epochMs,
  /** The window that the sweep reads page by page, by record id. */
  window: z.object({ toMs: epochMs, afterId: z.string() }).optional(),
  /** Number of consecutive new records that the sweep found and no webhook has reported. */
  unreported: count.optional(),
});

export type SweepCursor = DeepReadonly<z.infer<typeof sweepCursorSchema>>;

/**
 * A worker's claim to create a domain's company. No other worker creates the company until `untilMs`. The key is a
 * hash, so it does not reveal the domain.
 */
export const companyClaimSchema = z.object({ untilMs: epochMs, companyId: z.string().optional() });

export type CompanyClaim = DeepReadonly<z.infer<typeof companyClaimSchema>>;

/** HubSpot account of this installation. The access token showed it at the first start. */
const pinnedPortalSchema = z.object({ portalId: z.string() });

export type PinnedPortal = DeepReadonly<z.infer<typeof pinnedPortalSchema>>;

/** HubSpot's refusals of paid values since the last write. While `open`, one lookup an hour is bought. */
const writeBreakerSchema = z.object({
  /** Number of refusals by the property that HubSpot names; `''` if it names none. */
  refusals: z.record(z.string(), count),
  open: z.object({ reason: z.string(), sinceMs: epochMs, probeAtMs: epochMs }).optional(),
});

export type WriteBreaker = DeepReadonly<z.infer<typeof writeBreakerSchema>>;

/** Write of one property. */
const changeSchema = z.object({
  property: z.string(),
  /** `null` if the property was empty. */
  before: z.string().nullable(),
  /** The sent value; after the write, the value that HubSpot returned. */
  after: z.string(),
  /** `planned` until the result of the write is known. A run that continues after a crash checks the result. */
  state: z.enum(['planned', 'written', 'refused']),
  /** Values that were too long to store whole. Their end is missing. */
  cut: z.array(z.enum(['before', 'after'])).optional(),
  /** Set if an undo restored the value, although the entry belongs to a run that continued and enriched the record. */
  undone: z.boolean().optional(),
  /** Time of the record's last change before the write, by HubSpot's clock. */
  seenAtMs: epochMs.optional(),
  /** Time of the last attempt that included this change, if the newest attempt does not include it. */
  sentAtMs: epochMs.optional(),
});

export type Change = DeepReadonly<z.infer<typeof changeSchema>>;

/**
 * All values that one run wrote to HubSpot, with the reason. The entry holds values, so it is purged with its person,
 * and expires as the policy says.
 */
export const journalEntrySchema = z.object({
  objectType,
  id: z.string(),
  /** Number of the record's run, from 1. */
  run: count,
  /** `removal` means that values were removed permanently. Its changes name the properties, and hold no values. */
  kind: z.enum(['enrichment', 'undo', 'removal']),
  purpose,
  eventKeys: z.array(z.string()),
  policyVersion: z.string(),
  outcome: outcomeKind,
  reason: explanationSchema,
  /** The question whose answer contained the values. Absent if no question was answered. */
  question: z
    .object({ key: z.string(), operation: z.enum(QUESTION_OPERATIONS), askedAtMs: epochMs })
    .optional(),
  /** Charge of the run. */
  credits: count,
  /** The asker of the run. */
  askedBy,
  /** The backfill that opened the run. */
  backfillId: z.string().optional(),
  changes: z.array(changeSchema),
  /** Result of the association with a company, or why there is none. */
  association: explanationSchema.optional(),
  /** Values of the answer that were not sent, with the reason. */
  dropped: z
    .array(z.object({ property: z.string(), code: z.string().optional(), reason: z.string() }))
    .optional(),
  /** Time of the first write. */
  atMs: epochMs,
  /** Time of the newest attempt to write. */
  sentAtMs: epochMs,
  /** Until this time an earlier attempt with an unknown result may still arrive. */
  openUntilMs: epochMs.optional(),
  /** Set if the person's data were erased. Every value is deleted, and none is written again. */
  purged: z.boolean().optional(),
});

export type JournalEntry = DeepReadonly<z.infer<typeof journalEntrySchema>>;

/** Yield of a run. For example, the answer filled a field, confirmed the values, matched nothing or needs review. */
const YIELD_KINDS = ['filled', 'confirmed', 'unmatched', 'review', 'gone', 'skipped', 'failed'] as const;

export type YieldKind = (typeof YIELD_KINDS)[number];

/** Number of runs with the same purpose, rule, source and yield, and number of fields that they filled. */
const yieldCountSchema = z.object({
  purpose: z.enum(PURPOSES),
  kind: z.enum(YIELD_KINDS),
  /** The policy's rule that decided about the records, such as `contacts: customers`; absent if the policy had none. */
  rule: z.string().optional(),
  /** Only without a rule, because a rule's name begins with it. Rows of earlier versions have none. */
  objectType: objectType.optional(),
  /** The asker without the id of a user, workflow or backfill: `user` or `source:IMPORT`. */
  source: z.string().optional(),
  runs: count,
  fields: count,
});

export type YieldCount = DeepReadonly<z.infer<typeof yieldCountSchema>>;

/** Maximum number of leads that a stop lists. `leads` counts all. */
export const MAX_WAITED = 25;

/** A stop of spending on one day, as the sweeps saw it. No personal data. */
const dayStopSchema = z.object({
  kind: z.string(),
  /** The budget that causes the stop, such as `total/day`. */
  budget: z.string().optional(),
  objectType: z.enum(OBJECT_TYPES).optional(),
  /** A sentence for people. */
  what: z.string(),
  /** Begin of the stop, perhaps on an earlier day. All times are in epoch milliseconds. */
  sinceMs: z.number().optional(),
  /** Begin of the stop on this day, or the day's first sweep that saw it. */
  fromMs: z.number(),
  /** The day's last sweep that saw the stop. */
  toMs: z.number(),
  /** Highest number of leads that a sweep saw waiting because of the stop. */
  leads: count.optional(),
  /** Leads that waited because of the stop: `contacts#123`, with the begin and the last sight of their wait. */
  waited: z
    .array(z.object({ record: z.string(), fromMs: z.number(), toMs: z.number() }))
    .max(MAX_WAITED)
    .optional(),
  /** Limit of the budget, in credits, that would have been enough for the leads. */
  enoughCredits: count.optional(),
  /** The person who marked the stop as seen. */
  seen: z.object({ by: z.string(), atMs: z.number() }).optional(),
});

export type DayStop = DeepReadonly<z.infer<typeof dayStopSchema>>;

export const daySchema = z.object({
  /** Yields of the runs that ended on this day. Each combination has one row. */
  yields: z.array(yieldCountSchema),
  stops: z.array(dayStopSchema),
});

export type Day = DeepReadonly<z.infer<typeof daySchema>>;

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
  /** The part of `unmatched` whose records need review now. */
  inReview: count.optional(),
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
  /** Hash of entry `lastSeq`, as a witness if it is lost. Absent before the first entry, and from earlier versions. */
  lastHash: z.string().optional(),
  /** Booking time of the vendor's last answer, match or not, in epoch milliseconds. */
  answeredAtMs: z.number().optional(),
  /** Lookups without a match since the last match, their cost, and the booking time of the first one. */
  misses: z.object({ count: z.int().positive(), credits: count, sinceMs: z.number() }).optional(),
});

export type SpendHead = DeepReadonly<z.infer<typeof spendHeadSchema>>;

/**
 * The installation's account, and the progress of its regular work. Each item holds one of these parts, and only its
 * owner writes it.
 */
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
