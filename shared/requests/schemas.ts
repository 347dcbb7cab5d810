import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';

/** Maximum number of records that one decision starts. */
export const MAX_ADMITTED = 100;

const objectType = z.enum(OBJECT_TYPES);

const count = z.int().nonnegative();

const epochMs = z.number();

/** Cost of looking up a record, in credits. */
const quoteSchema = z.object({
  /**
   * In the order in which they may be asked. The next question is asked only after "no match". The cost is 0 if the
   * answer is stored.
   */
  questions: z.array(z.object({ operation: z.enum(QUESTION_OPERATIONS), credits: count })),
  /** Highest cost of all questions together. */
  credits: count,
  /** Labels of blank properties that the answers may fill. */
  fills: z.array(z.string()).optional(),
  /** Name of the policy's rule that decides now; absent if the record was not read. */
  rule: z.string().optional(),
  /** Set if this rule allows no next check. */
  isNeverDue: z.boolean().optional(),
  /** Reason why no question is asked, as a code and as a text. */
  code: z.string().optional(),
  reason: z.string().optional(),
  /** What a person should know before the purchase, as a code and as a text. */
  warns: z.string().optional(),
  warning: z.string().optional(),
  /** Present if a request that costs credits would wait now: the cause as a code, and a text that says what ends it. */
  waitsFor: z.string().optional(),
  waits: z.string().optional(),
});

export type Quote = DeepReadonly<z.infer<typeof quoteSchema>>;

/** The code of `REPLY_TEXTS` and its parameters, for scripts. Absent in a reply of an older version. */
const coded = {
  code: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};

/** A property that keeps its value, with the reason. */
const keptProperty = z.object({ property: z.string(), code: z.string().optional(), reason: z.string() });

/** The result of a request. It holds names of properties but no values, so no personal data. */
const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('quoted'), quote: quoteSchema }),
  z.object({
    kind: z.literal('undone'),
    restored: z.array(z.string()),
    kept: z.array(keptProperty),
    /** After a wrong match: the price of the next question. */
    next: quoteSchema.optional(),
  }),
  /** The values are stored separately, for some minutes (`previewKind`). */
  z.object({ kind: z.literal('previewed') }),
  z.object({
    ...coded,
    kind: z.literal('decided'),
    /** The result, for a person. */
    what: z.string(),
    kept: z.array(keptProperty).optional(),
  }),
  z.object({ ...coded, kind: z.literal('refused'), reason: z.string() }),
]);

export type Reply = DeepReadonly<z.infer<typeof replySchema>>;

const id = z.string();

const credits = count.max(1_000_000);

/** A word from our own items, such as a key. */
const word = z.string().min(1).max(200);

/** The request for the price of a record. */
export const quoteWish = z.object({ kind: z.literal('quote') });

/** What a person can decide about the installation. */
export const HOME_WISHES = {
  /** Wants figures of now. */
  refresh: z.object({ kind: z.literal('refresh-figures') }),
  stop: z.object({ kind: z.literal('stop-spending') }),
  resume: z.object({ kind: z.literal('resume-spending') }),
  /** Marks a past stop as seen, as the page showed it: all of its kind on this day, up to `toMs`. */
  see: z.object({
    kind: z.literal('see-stop'),
    code: word,
    day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
    toMs: count,
  }),
  resolve: z.object({
    kind: z.literal('resolve-doubt'),
    questionKey: word,
    /** The doubt that the page showed. A newer doubt of the same question stays unresolved. */
    reservationId: word,
    charged: z.boolean(),
  }),
  admit: z.object({
    kind: z.literal('admit'),
    purpose: z.enum(PURPOSES),
    /** The highest price that the person saw. */
    maxCredits: credits,
  }),
};

const asked = {
  /** The page makes the id. A repeated request has the same id. */
  id,
  askedAtMs: epochMs,
  /** The user's id in HubSpot: `user:12345`. */
  askedBy: z.string().optional(),
  /** A worker carries it out until then: a second delivery of the message waits. */
  claimedUntilMs: epochMs.optional(),
  reply: replySchema.optional(),
};

const ofRecord = { ...asked, objectType, recordId: z.string() };

const home = HOME_WISHES;

/** What an extension does. The extension checks it by its own schema. */
const wish = z.looseObject({ kind: z.string() });

/** A person's request in HubSpot, other than the request to enrich a record. */
const personRequestSchema = z.discriminatedUnion('kind', [
  quoteWish.extend(ofRecord),
  z.object({ ...ofRecord, kind: z.literal('record-wish'), wish }),
  z.object({ ...asked, kind: z.literal('home-wish'), wish }),
  home.refresh.extend(asked),
  home.stop.extend(asked),
  home.resume.extend(asked),
  home.see.extend(asked),
  home.resolve.extend(asked),
  home.admit.extend({
    ...asked,
    /**
     * The records that the decision starts. They are stored before the first one starts, so that a repetition after a
     * crash starts no others.
     */
    chosen: z.array(z.object({ objectType, id })).max(MAX_ADMITTED).optional(),
  }),
]);

export type PersonRequest = DeepReadonly<z.infer<typeof personRequestSchema>>;

export type RecordRequest = Extract<PersonRequest, { readonly recordId: string }>;

export type InstallationRequest = Exclude<PersonRequest, RecordRequest>;

/** A paid answer that a person reported as a wrong match. Holds no personal data. */
const wrongMatchSchema = z.object({
  objectType,
  id: z.string(),
  questionKey: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  askedAtMs: epochMs,
  /** Cost of the answer, or of the one result of a search. If the answer is no longer stored, the charge of its run. */
  credits: count,
  /** The vendor's own id of the request, if the vendor gave one. */
  requestId: z.string().optional(),
  /** Time of the person's report. */
  atMs: epochMs,
});

export type WrongMatch = DeepReadonly<z.infer<typeof wrongMatchSchema>>;

/** An execution of the workflow action. HubSpot holds it until we report how the record's run ended. */
const actionExecutionSchema = z.object({
  callbackId: z.string(),
  objectType,
  recordId: z.string(),
  askedAtMs: epochMs,
  /** Time when we reported the result, or learned that HubSpot no longer has the execution. */
  doneAtMs: epochMs.optional(),
});

export type ActionExecution = DeepReadonly<z.infer<typeof actionExecutionSchema>>;

/** One item for each request of a person, each execution of a workflow's action, and each reported wrong match. */
export const storedRequestSchema = z.object({
  request: personRequestSchema.optional(),
  execution: actionExecutionSchema.optional(),
  wrongMatch: wrongMatchSchema.optional(),
});

export type StoredRequest = DeepReadonly<z.infer<typeof storedRequestSchema>>;
