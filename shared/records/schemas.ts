import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { ENRICHMENT_STATUSES } from '#shared/field-policy';
import type { DeepReadonly } from '#shared/kernel';
import { ownershipSchema, verdictsSchema } from '#shared/ownership';
import { QUESTION_OPERATIONS } from '#shared/questions';

const OUTCOME_KINDS = ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export const outcomeKind = z.enum(OUTCOME_KINDS);
const objectType = z.enum(OBJECT_TYPES);
const purpose = z.enum(PURPOSES);
const count = z.int().nonnegative();
const epochMs = z.number();

/** How a run ended. */
const outcomeSchema = z.object({
  kind: outcomeKind,
  /** `enrichment_status` in HubSpot, if it is not `kind`: an answer that needs review counts as unmatched. */
  status: z.enum(ENRICHMENT_STATUSES).optional(),
  /** For a person: why it ended so. No personal data. */
  reason: z.string(),
  atMs: epochMs,
  /** Credits this run was charged. */
  credits: count,
  /** Who or what asked for it. */
  askedBy: z.string().optional(),
});
export type Outcome = DeepReadonly<z.infer<typeof outcomeSchema>>;

/** The service that a postponed run waits for, other than its place in the queue; `refusal`: HubSpot takes others but not this one. */
export const WAITS_FOR = ['hubspot', 'refusal', 'data-service', 'ourselves'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** A workflow's action asks, and no person: what people have emptied stays empty. */
const byWorkflow = z.literal(true).optional();

/** Who or what asks, as `readAsker` takes it; absent in runs from before it was kept. No email, no name. */
const askedBy = z.string().optional();

/** A wish for this record; `maxCredits` is the price that a person agreed to. */
const asked = z.object({
  maxCredits: count.optional(),
  byWorkflow,
  /** Who else wants the record, whatever it costs: where it would cost more, one more run follows. */
  beyond: z.object({ purpose, asked: z.object({ byWorkflow }).optional(), askedBy }).optional(),
});

/** What a run is for. */
const reason = z.object({ purpose, asked: asked.optional(), askedBy });

/** An attempt of a question whose charge counts against the run's price: stored before it is sent. */
const commitment = z.object({
  questionKey: z.string(),
  reservationId: z.string(),
  /** Its worst case. */
  credits: count,
  /** In a batch: the key of the company's own question. */
  companyKey: z.string().optional(),
});

/** One attempt to bring a record up to date; it ends in exactly one outcome, however often it is resumed. */
const runSchema = z.object({
  id: z.string(),
  purpose,
  openedAtMs: epochMs,
  /** Credits charged so far: a run that was deferred after it paid still tells. */
  credits: count,
  /** Only for a refresh, or a run after a backfill's doubt: its highest price, set when the run was opened. */
  maxCredits: count.optional(),
  /** Only with a price limit: charges that are possible beyond `credits`. Their sum is within the price. */
  commitments: z.array(commitment).optional(),
  /**
   * Key of the question that was answered in this run. A resumed run asks it again and finds the stored answer.
   * Otherwise our own write could lead it to another question.
   */
  answeredQuestion: z.string().optional(),
  /** Keys of the events behind it, for people who ask why; the first few. */
  eventKeys: z.array(z.string()).optional(),
  asked: asked.optional(),
  askedBy,
  /** A person has admitted it in spite of the reserve for leads. */
  overrulesReserve: z.literal(true).optional(),
  /** How many workers held it and were gone without an outcome. */
  lapses: count.optional(),
  /** Since when it has waited for the same service, whatever it tried meanwhile. */
  waitsFor: z.object({ whom: z.enum(WAITS_FOR), sinceMs: epochMs }).optional(),
});
export type Run = DeepReadonly<z.infer<typeof runSchema>>;

/** See `change-rate.ts`; `b` in days. */
const changeRateSchema = z.object({ a: z.number().positive(), b: z.number().positive() });
export type ChangeRate = DeepReadonly<z.infer<typeof changeRateSchema>>;

/** Why the values that we obtained for a record are taken back, all of them or those that were obtained in a time. */
const removalSchema = z.object({
  by: z.enum(['retention', 'recall']),
  /** Of retention: the policy's rule. */
  rule: z.string().optional(),
  /** Of recall: only what was obtained in this time, both ends inclusive. */
  obtained: z.object({ fromMs: epochMs, toMs: epochMs }).optional(),
  /** When it began. */
  atMs: epochMs,
  /** Nothing is left to take back. Until then it is repeated. */
  isDone: z.literal(true).optional(),
});
export type Removal = DeepReadonly<z.infer<typeof removalSchema>>;

/** What we know of a HubSpot record. One item per record; never its property values. */
export const recordStateSchema = z.object({
  objectType,
  id: z.string(),
  /** Events that are dealt with, newest last: the dedupe ledger. */
  recentEvents: z.array(
    z.object({
      key: z.string(),
      atMs: epochMs,
      /** For a request whose end is read by its key: the number of the run that serves it. */
      run: count.optional(),
      /** Of a wish: what that run was charged, once it has ended. */
      credits: count.optional(),
    }),
  ),
  /** The open run: a worker holds it, or it waits for `untilMs`. */
  run: runSchema.optional(),
  claim: z.object({ owner: z.string(), untilMs: epochMs }).optional(),
  /** `detail` is for a person, such as what HubSpot refuses; no personal data. */
  waiting: z.object({ reason: z.string(), detail: z.string().optional(), untilMs: epochMs }).optional(),
  /** Something happened to the record while a run was open: one more run is due after it. */
  again: reason.optional(),
  outcome: outcomeSchema.optional(),
  /** The question whose doubt made the last run fail: when it is resolved, the record is due again. */
  doubtfulQuestion: z.string().optional(),
  /** Purpose and remaining price of that run; the next run takes them over. */
  doubtfulRun: reason
    .extend({ maxCredits: count.optional(), commitments: z.array(commitment).optional() })
    .optional(),
  runsOpened: count,
  outcomes: z.record(outcomeKind, count),
  /** Credits charged for this record in all its runs. */
  creditsSpent: count,
  /** HMAC of the identifying values and the policy version after the last outcome. */
  fingerprint: z.string().optional(),
  /** By property: whose its value is. */
  ownership: ownershipSchema,
  /** By answer: what people and evidence say of it. */
  verdicts: verdictsSchema,
  /** When the last new answer came. */
  answeredAtMs: epochMs.optional(),
  /** When the first answer came whose values it may still hold. */
  obtainedAtMs: epochMs.optional(),
  /** Its values expired or were recalled: nothing is bought for it unless a rule of the policy allows that. */
  removal: removalSchema.optional(),
  /** Key of the question that it answered: while nothing changes, another one would tell nothing new. */
  answeredQuestion: z.string().optional(),
  /** Key of the company's own question, where a search for many companies answered it. */
  answeredCompany: z.string().optional(),
  /** Keyed hash of the employer that the last answer named: another one is a job change. */
  employer: z.string().optional(),
  /** From then on the record counts as stale. */
  staleAtMs: epochMs.optional(),
  /** How often its answers change, once there were two to compare. */
  changeRate: changeRateSchema.optional(),
  /** By the policy, when it was last read: what being right is worth a day, learning of a change once, and why. */
  worth: z.object({ w: z.number(), g: z.number(), because: z.string() }).optional(),
  /** Name of the policy's rule that decided about it when it was last read; absent where the policy has no rules. */
  rule: z.string().optional(),
  /**
   * Keyed hashes of everything that has told who the record is about, since it was first read: a privacy deletion
   * brings only an id, and what is held about the person has to be found by these.
   */
  identifiers: z.array(z.string()).optional(),
  /** How its last run had ended before it was found deleted: restored, it is what it was. Until then it is never stale. */
  beforeDeletion: outcomeKind.optional(),
  /** The audit of deletions saw it in HubSpot's archive: it was deleted, but not for privacy. */
  archivedSeenMs: epochMs.optional(),
  /** It has or had findings: it is read again when that may have changed. */
  hasReview: z.boolean().optional(),
  /** From before the installation: changes of it are nothing to us. */
  isOld: z.boolean().optional(),
  /** A contact that has had a company: a person who removes it wants it so, until a person requests the record. */
  hadCompany: z.boolean().optional(),
  /** The record that this one was merged into, and those that were merged into it. */
  mergedInto: z.string().optional(),
  mergedFrom: z.array(z.string()).optional(),
  /** The last backfill's run about it, what that may cost, credits, and how it ended. */
  backfill: z
    .object({
      id: z.string(),
      runId: z.string(),
      maxCredits: count,
      end: z
        .object({
          kind: outcomeKind,
          credits: count,
          isDamage: z.boolean(),
          /** The backfill was stopped or paused before the record was looked up: a resumed one opens the run again. */
          isWithdrawn: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
  /** A mark of a forgetting: its person asked to be forgotten, and nothing of the person is kept. */
  forgottenAtMs: epochMs.optional(),
});
export type RecordState = DeepReadonly<z.infer<typeof recordStateSchema>>;

/** How far the sweep has looked through the records that were created since the installation. */
export const sweepCursorSchema = z.object({
  /** Records created before this are done with. */
  fromMs: epochMs,
  /** A window that is being looked through page by page, by record id. */
  window: z.object({ toMs: epochMs, afterId: z.string() }).optional(),
  /** New records in a row that the sweep found and no webhook has reported. */
  unreported: count.optional(),
});
export type SweepCursor = DeepReadonly<z.infer<typeof sweepCursorSchema>>;

/** The creator of the company of a domain: until `untilMs` no other worker creates it. Its key hides the domain. */
export const companyClaimSchema = z.object({ untilMs: epochMs, companyId: z.string().optional() });
export type CompanyClaim = DeepReadonly<z.infer<typeof companyClaimSchema>>;

/** The HubSpot account whose records are kept here, as it was learned from the access token at the first start. */
export const pinnedPortalSchema = z.object({ portalId: z.string() });
export type PinnedPortal = DeepReadonly<z.infer<typeof pinnedPortalSchema>>;

/** HubSpot's refusals in a row of what was paid for; open, nothing more is bought for records like the refused ones. */
export const writeBreakerSchema = z.object({
  refusals: count,
  /** By property, the values that all refused records have; `''` where HubSpot requires a value. Absent: none refused. */
  shared: z.record(z.string(), z.string()).optional(),
  open: z.object({ reason: z.string(), sinceMs: epochMs, probeAtMs: epochMs }).optional(),
});
export type WriteBreaker = DeepReadonly<z.infer<typeof writeBreakerSchema>>;

/** What was written to one property. */
const changeSchema = z.object({
  property: z.string(),
  /** `null` where there was nothing. */
  before: z.string().nullable(),
  /** As it was sent; once written, as HubSpot returned it. */
  after: z.string(),
  /** `planned` before the write, and until its result is known; a run that continues after a crash finds it out. */
  state: z.enum(['planned', 'written', 'refused']),
  /** Which of the two values were too long to be kept whole: the end is missing. */
  cut: z.array(z.enum(['before', 'after'])).optional(),
  /** An undo brought it back, although the entry is of a run that continued and enriched. */
  undone: z.boolean().optional(),
  /** When the record had last been changed as it was read before the write, by HubSpot's clock. */
  seenAtMs: epochMs.optional(),
  /** When it was last under way, where the newest attempt to write had it no more. */
  sentAtMs: epochMs.optional(),
});
export type Change = DeepReadonly<z.infer<typeof changeSchema>>;

/** Everything that one run wrote to HubSpot, and why. Holds values: purged with its person, and expires by policy. */
export const journalEntrySchema = z.object({
  objectType,
  id: z.string(),
  /** The record's runs are counted from 1. */
  run: count,
  /** `removal`: values were taken back for good. Its changes name the properties, and hold no values. */
  kind: z.enum(['enrichment', 'undo', 'removal']),
  purpose,
  eventKeys: z.array(z.string()),
  policyVersion: z.string(),
  outcome: outcomeKind,
  reason: z.string(),
  /** The question that the values come from; absent where none was answered. */
  question: z
    .object({ key: z.string(), operation: z.enum(QUESTION_OPERATIONS), askedAtMs: epochMs })
    .optional(),
  /** What the run was charged. */
  credits: count,
  /** Who or what asked for the run. */
  askedBy,
  /** The backfill that it was for. */
  backfillId: z.string().optional(),
  changes: z.array(changeSchema),
  /** With which company the contact was associated, or why with none. For a person. */
  association: z.string().optional(),
  /** Values of the answer that were not sent, and why. */
  dropped: z.array(z.object({ property: z.string(), reason: z.string() })).optional(),
  /** Of the first write. */
  atMs: epochMs,
  /** Of the newest attempt to write. */
  sentAtMs: epochMs,
  /** Until then an attempt before the newest may still arrive: its result is unknown. */
  openUntilMs: epochMs.optional(),
  /** Its person was forgotten: every value is gone, and none is written any more. */
  purged: z.boolean().optional(),
});
export type JournalEntry = DeepReadonly<z.infer<typeof journalEntrySchema>>;
