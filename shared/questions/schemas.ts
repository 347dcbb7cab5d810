import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS, QUESTION_OPTIONS } from './question.ts';

const options = z.array(z.enum(QUESTION_OPTIONS));
const count = z.int().nonnegative();
const epochMs = z.number();

/** One attempt to answer a question; `transitions.ts` shows its states. */
const attemptSchema = z.object({
  /** Rises with every attempt, so that a write with an old token fails. It is part of the reservation id. */
  fencingToken: count,
  state: z.enum(['in-flight', 'completed', 'in-doubt']),
  purpose: z.enum(PURPOSES),
  /** Key of the requesting HubSpot record, and the policy rule that admitted it. */
  record: z.string().optional(),
  rule: z.string().optional(),
  /** Who or what asked. */
  askedBy: z.string().optional(),
  options,
  reservationId: z.string(),
  /** The reservation's entry in the ledger. It reveals a ledger that lost its newest entries. */
  entry: z.object({ seq: count, hash: z.string() }).optional(),
  worstCaseCredits: count,
  sentAtMs: epochMs,
  /** No answer can arrive after this. */
  deadlineAtMs: epochMs,
  /** The companies of a batch. */
  domains: z.array(z.string()).optional(),
  /** The vendor's charge and its reason, once known. It is stored here first, then booked in the ledger. */
  charge: z.object({ credits: count, reason: z.string() }).optional(),
  /** The attempt was in doubt, and the ledger may lack the result. The ledger does not list old doubts. */
  unbooked: z.literal(true).optional(),
});
export type Attempt = DeepReadonly<z.infer<typeof attemptSchema>>;

const storedAnswerSchema = z.object({
  /** `forgotten`: it was about a forgotten person. It prevents another payment for the question. */
  kind: z.enum(['found', 'no-match', 'forgotten']),
  options,
  askedAtMs: epochMs,
  expiresAtMs: epochMs,
  /** Charge of the attempt that yielded the answer. */
  credits: count,
  /** The vendor's id of the request, if it gave one. */
  requestId: z.string().optional(),
  /** Misses in a row. Each one lengthens the time until the next attempt. */
  misses: count,
  /** Key of the batch that yielded it. A search result has less data than a profile, and a miss of a search proves no miss of a profile. */
  batch: z.string().optional(),
  /** The packed record; absent if there is none or if it is stored in parts. */
  packed: z.string().optional(),
  /** Names of the items with the packed record, in order, if it was too large for this item. */
  parts: z.array(z.string()).optional(),
});
export type StoredAnswer = DeepReadonly<z.infer<typeof storedAnswerSchema>>;

/** A company is or was part of a batch. The batch's own item shows the batch's state. */
const noteSchema = z.object({
  batch: z.string(),
  reservationId: z.string(),
  /** If the batch is not sent by then, a worker that looks up the company may stop it. */
  untilMs: epochMs,
});
export type Note = DeepReadonly<z.infer<typeof noteSchema>>;

/** A doubt that was booked as charged because it was old. A person or a late answer settles it. */
const bookedChargeSchema = z.object({
  reservationId: z.string(),
  purpose: z.enum(PURPOSES),
  credits: count,
  sentAtMs: epochMs,
  bookedAtMs: epochMs,
});
export type BookedCharge = DeepReadonly<z.infer<typeof bookedChargeSchema>>;

/** While the list is full, further doubts stay open and are not booked as charged. */
export const MAX_BOOKED_DOUBTS = 100;

/** All data about one question. Each question key has one item. */
export const questionItemSchema = z.object({
  key: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  /** The highest token so far. It is at least the time at which it was given, epoch milliseconds. */
  fencingToken: count,
  attempt: attemptSchema.optional(),
  /** The newest answer, fresh or stale. */
  answer: storedAnswerSchema.optional(),
  /** Newest first. Older answers with options that no newer answer includes. */
  olderAnswers: z.array(storedAnswerSchema).optional(),
  /** For a company's question: the last batch that includes it and has not yielded its answer. */
  note: noteSchema.optional(),
  /** Oldest first. They stay when the question is sent again. */
  bookedDoubts: z.array(bookedChargeSchema).max(MAX_BOOKED_DOUBTS).optional(),
});
export type QuestionItem = DeepReadonly<z.infer<typeof questionItemSchema>>;

/** The breakers, which stop all questions. One item for each account. */
export const breakerStateSchema = z.object({
  /**
   * The vendor refuses this key, or is not at this address. No question is sent until the free key check succeeds. One
   * keyed hash identifies key and address; the refusal does not apply to others.
   */
  keyRefused: z
    .object({
      probeAtMs: epochMs,
      sinceMs: epochMs,
      keyHash: z.string(),
      why: z.literal('wrong-address').optional(),
      /** The vendor has answered a request with another key since. */
      isReplaced: z.literal(true).optional(),
    })
    .optional(),
  /** The lowest price that the vendor's balance did not cover. No question at this price or above is sent before `untilMs`. */
  outOfCredits: z.object({ priceCredits: count, untilMs: epochMs, sinceMs: epochMs }).optional(),
  /** The data service charged more than its price list. */
  overcharged: z.object({ sinceMs: epochMs }).optional(),
  /** Requests in a row with an unknown outcome. */
  doubtsInRow: count,
  /** Too many requests in a row had an unknown outcome. */
  doubtful: z.object({ sinceMs: epochMs }).optional(),
  /** While `overcharged` or `doubtful` is open: the next probe is due at `atMs`; the last one was granted at `grantedAtMs`. */
  probe: z.object({ atMs: epochMs, grantedAtMs: epochMs.optional() }).optional(),
  /** A person stopped spending. `by` is a role or a team, if they gave one; no personal data. */
  stopped: z.object({ sinceMs: epochMs, reason: z.string(), by: z.string().optional() }).optional(),
});
export type BreakerState = DeepReadonly<z.infer<typeof breakerStateSchema>>;

const linkSchema = z.object({
  /** Key of a question, or of a record. */
  to: z.string(),
  /** When the target expires; absent if it does not. */
  untilMs: epochMs.optional(),
});
export type Link = DeepReadonly<z.infer<typeof linkSchema>>;

/** Links in one item. Further links go into numbered further items, which a forgetting also reads. */
export const MAX_LINKS = 500;

const forgetSchema = z.object({ identifiers: z.array(z.string()), atMs: epochMs });
export type Forget = DeepReadonly<z.infer<typeof forgetSchema>>;

const searchFactsSchema = z.object({
  kind: z.literal('company search'),
  /** Largest number of domains in the next batch. */
  size: count,
  /** The smallest number of domains that the vendor refused. Batches are smaller since. */
  tooMany: count.optional(),
  /** All results, and results that belonged to no requested company, since the last start. */
  results: count,
  unusable: count,
  /** Batches in a row with an unknown outcome. */
  lost: count.optional(),
  /** Too many results were unusable, or too many batches lost. No batch is sent until then. */
  stoppedUntilMs: epochMs.optional(),
});
export type SearchFacts = DeepReadonly<z.infer<typeof searchFactsSchema>>;

/** Other items in the table of questions. Only `part` holds personal data. */
export const sideItemSchema = z.discriminatedUnion('kind', [
  /** A piece of an answer that is too large for the question's own item. */
  z.object({ kind: z.literal('part'), text: z.string(), untilMs: epochMs }),
  /** Index from one identifier of a person to items about them. */
  z.object({
    kind: z.literal('links'),
    links: z.array(linkSchema).max(MAX_LINKS),
    /** There is a further item. `untilMs` is the expiry of the last link in further items; absent if one does not expire. */
    more: linkSchema.pick({ untilMs: true }).optional(),
  }),
  /** Forgettings to repeat after every worker that started before them has ended. */
  z.object({ kind: z.literal('forgets'), due: z.array(forgetSchema) }),
  /** Observed facts about the vendor's company search. */
  searchFactsSchema,
]);
export type SideItem = DeepReadonly<z.infer<typeof sideItemSchema>>;

/** Items of the suppression list, in a table of their own, which outlives the answers. */
export const suppressionItemSchema = z.discriminatedUnion('kind', [
  /** Shortened keyed hashes of forgotten people's identifiers. */
  z.object({ kind: z.literal('hashes'), hashes: z.array(z.string()) }),
  /** Rises with every change of the list. */
  z.object({ kind: z.literal('epoch'), count }),
]);
export type SuppressionItem = DeepReadonly<z.infer<typeof suppressionItemSchema>>;

/** Vendors of data; there is one. */
const DATA_SOURCES = ['data-service'] as const;
/** Kinds of identifiers of a person that may go to a vendor. */
const SENT_IDENTIFIERS = ['email', 'profile', 'phone', 'name', 'domain'] as const;
export type SentIdentifier = (typeof SENT_IDENTIFIERS)[number];

const timeSpan = z.object({ firstAtMs: epochMs, lastAtMs: epochMs });
export type TimeSpan = DeepReadonly<z.infer<typeof timeSpan>>;

/** Later identifiers are not added. */
export const MAX_DISCLOSED_IDENTIFIERS = 100;
/** The oldest are summed up in `earlierRequests`. */
export const MAX_DISCLOSED_REQUESTS = 40;
/** The oldest are dropped, and counted in `earlierRecords`. */
export const MAX_DISCLOSED_RECORDS = 30;
/** The longest answer about a person has fewer fields; further names are left out. */
export const MAX_DISCLOSED_FIELDS = 100;

/** Facts that are the same for all requests of one kind. */
const requestFacts = z.object({
  source: z.enum(DATA_SOURCES),
  operation: z.enum(QUESTION_OPERATIONS),
  /** Kinds of identifiers that were sent to the source. */
  sent: z.array(z.enum(SENT_IDENTIFIERS)).max(SENT_IDENTIFIERS.length),
  /** Fields of the answer, by the source's names; none if the source had no match. */
  fields: z.array(z.string()).max(MAX_DISCLOSED_FIELDS),
});

const disclosedRequestSchema = requestFacts.extend({
  question: z.string(),
  atMs: epochMs,
  purpose: z.enum(PURPOSES),
  rule: z.string().optional(),
  /** Key of the requesting HubSpot record. */
  record: z.string().optional(),
  /** When the stored answer expires. */
  answerUntilMs: epochMs,
});
export type DisclosedRequest = DeepReadonly<z.infer<typeof disclosedRequestSchema>>;

const disclosedRecordSchema = timeSpan.extend({
  /** Key of the HubSpot record that received values. */
  record: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  /** Names of the properties that were written. */
  properties: z.array(z.string()),
});
export type DisclosedRecord = DeepReadonly<z.infer<typeof disclosedRecordSchema>>;

/** Proof of data about one person: the obtained fields, their source and the records that received them. It holds no value. */
export const disclosureSchema = z.object({
  /** Keyed hash of the person: the key of the item. */
  person: z.string(),
  /** Keyed hashes of the person's addresses and profiles. */
  identifiers: z.array(z.string()).max(MAX_DISCLOSED_IDENTIFIERS),
  sources: z.array(z.enum(DATA_SOURCES)).max(DATA_SOURCES.length),
  /** When a source looked up the person, with or without an answer. */
  asked: timeSpan,
  /** When data were obtained. A new answer after `endedAtMs` starts a new span. */
  obtained: timeSpan.optional(),
  /** Oldest first. */
  requests: z.array(disclosedRequestSchema).max(MAX_DISCLOSED_REQUESTS),
  /** Sums of older requests, by operation. */
  earlierRequests: z
    .array(requestFacts.extend({ ...timeSpan.shape, times: count }))
    .max(QUESTION_OPERATIONS.length)
    .optional(),
  records: z.array(disclosedRecordSchema).max(MAX_DISCLOSED_RECORDS),
  /** Number of dropped records. */
  earlierRecords: count.optional(),
  /** When the values were removed, because they expired or their source was recalled. */
  endedAtMs: epochMs.optional(),
  /** When the person was forgotten. Only hashes, dates and sources remain. */
  forgottenAtMs: epochMs.optional(),
});
export type Disclosure = DeepReadonly<z.infer<typeof disclosureSchema>>;

/** Misses with a wording that the vendor does not publish. */
export const unknownMissesSchema = z.object({
  /** A lower bound. */
  count,
  sinceMs: epochMs,
  lastAtMs: epochMs,
  /** Their wordings, newest first; no personal data. */
  words: z.array(z.string()),
});
export type UnknownMisses = DeepReadonly<z.infer<typeof unknownMissesSchema>>;

/** Results of a probe: facts about the data service that its documents leave open. No personal data. */
export const vendorFindingsSchema = z.object({
  probedAtMs: epochMs,
  /** A question about a person who does not exist. `chargedCredits` was read by a person in the usage list. */
  miss: z.object({ words: z.string().optional(), chargedCredits: count.optional() }).optional(),
  /** A search that finds nothing. */
  emptySearch: z.object({ results: count, chargedCredits: count.optional() }).optional(),
  /** Whether a search by a domain found only companies of that domain. */
  domainMatch: z.enum(['exact', 'other-domain', 'wider', 'nothing']).optional(),
  /** Whether the second page of a search repeats the records of the first. */
  secondPage: z.enum(['other', 'repeated', 'empty']).optional(),
  /** `x-ratelimit-*` and `retry-after`, as received. */
  rateHeaders: z.record(z.string(), z.string()),
});
export type VendorFindings = DeepReadonly<z.infer<typeof vendorFindingsSchema>>;
