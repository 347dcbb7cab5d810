import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS, QUESTION_OPTIONS } from './question.ts';

const options = z.array(z.enum(QUESTION_OPTIONS));
const count = z.int().nonnegative();
const epochMs = z.number();

/** One attempt to have a question answered; `transitions.ts` shows its states. */
const attemptSchema = z.object({
  /** Rises with every attempt: a stale holder fails by it. Reservation ids are made of it. */
  fencingToken: count,
  state: z.enum(['in-flight', 'completed', 'in-doubt']),
  purpose: z.enum(PURPOSES),
  /** Key of the HubSpot record that it was for, and the policy's rule that admitted it. */
  record: z.string().optional(),
  rule: z.string().optional(),
  /** Who or what asked. */
  askedBy: z.string().optional(),
  options,
  reservationId: z.string(),
  /** The reservation's entry in the ledger, so that a ledger that lost its end is found out. */
  entry: z.object({ seq: count, hash: z.string() }).optional(),
  worstCaseCredits: count,
  sentAtMs: epochMs,
  /** After this no answer to the request can come any more. */
  deadlineAtMs: epochMs,
  /** The companies of a batch. */
  domains: z.array(z.string()).optional(),
  /** What the vendor charged, and why, once it is known. Booked in the ledger after it stands here. */
  charge: z.object({ credits: count, reason: z.string() }).optional(),
  /** It was in doubt, and the ledger may lack the result. No list of the ledger has old doubts. */
  unbooked: z.literal(true).optional(),
});
export type Attempt = DeepReadonly<z.infer<typeof attemptSchema>>;

const storedAnswerSchema = z.object({
  /** `forgotten`: it was about a forgotten person; it keeps the question from being paid for again. */
  kind: z.enum(['found', 'no-match', 'forgotten']),
  options,
  askedAtMs: epochMs,
  expiresAtMs: epochMs,
  /** What the attempt that brought it was charged. */
  credits: count,
  /** The vendor's own id of the request, where it gave one. */
  requestId: z.string().optional(),
  /** How often in a row there was no match; the negative answer keeps longer after each. */
  misses: count,
  /** It came by a search among others: the key of that batch. It tells less than a profile, and its miss nothing of one. */
  batch: z.string().optional(),
  /** The record, packed; absent where there is none, and where it lies in parts. */
  packed: z.string().optional(),
  /** The packed record was too large for this item: the items that hold it, in order. */
  parts: z.array(z.string()).optional(),
});
export type StoredAnswer = DeepReadonly<z.infer<typeof storedAnswerSchema>>;

/** A company is or was part of a batch: the batch's own item shows how far that came. */
const noteSchema = z.object({
  batch: z.string(),
  reservationId: z.string(),
  /** If it is not sent by then, a worker that wants to ask about the company may stop the batch. */
  untilMs: epochMs,
});
export type Note = DeepReadonly<z.infer<typeof noteSchema>>;

/** A doubt that was booked as charged for its age. A person or a late answer settles it. */
const bookedChargeSchema = z.object({
  reservationId: z.string(),
  purpose: z.enum(PURPOSES),
  credits: count,
  sentAtMs: epochMs,
  bookedAtMs: epochMs,
});
export type BookedCharge = DeepReadonly<z.infer<typeof bookedChargeSchema>>;

/** When the list is full, the oldest can no longer be corrected. Its charge stays in the ledger. */
export const MAX_BOOKED_DOUBTS = 100;

/** Everything known of one question. There is one such item per question key. */
export const questionItemSchema = z.object({
  key: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  /** The highest token ever given; never less than the moment in which it was, epoch milliseconds. */
  fencingToken: count,
  attempt: attemptSchema.optional(),
  /** The newest one, fresh or not. */
  answer: storedAnswerSchema.optional(),
  /** Newest first: older ones that include what the newer ones do not. */
  olderAnswers: z.array(storedAnswerSchema).optional(),
  /** Of a company's: the last batch that it was taken into and has not been answered by. */
  note: noteSchema.optional(),
  /** Oldest first. They stay when the question is asked again. */
  bookedDoubts: z.array(bookedChargeSchema).max(MAX_BOOKED_DOUBTS).optional(),
});
export type QuestionItem = DeepReadonly<z.infer<typeof questionItemSchema>>;

/** What keeps questions from being asked at all. One item for all questions of an account. */
export const breakerStateSchema = z.object({
  /**
   * The vendor refuses this key, or is not at this address: nothing is asked until the free key check is answered
   * again. Both are named by one keyed hash; another key or address has nothing to do with it.
   */
  keyRefused: z
    .object({
      probeAtMs: epochMs,
      sinceMs: epochMs,
      keyHash: z.string(),
      why: z.literal('wrong-address').optional(),
      /** Another key was answered since. */
      isReplaced: z.literal(true).optional(),
    })
    .optional(),
  /** The lowest price that the vendor's balance did not pay for: nothing at it or above is asked before `untilMs`. */
  outOfCredits: z.object({ priceCredits: count, untilMs: epochMs, sinceMs: epochMs }).optional(),
  /** The data service charged more than its price list. */
  overcharged: z.object({ sinceMs: epochMs }).optional(),
  /** Requests in a row with an unknown outcome. */
  doubtsInRow: count,
  /** Too many of them. */
  doubtful: z.object({ sinceMs: epochMs }).optional(),
  /** While one of the two above is open: from `atMs` on a question may be the probe; `grantedAtMs` is when one was. */
  probe: z.object({ atMs: epochMs, grantedAtMs: epochMs.optional() }).optional(),
  /** A person stopped spending. `by` is a role or a team, if they gave one; no personal data. */
  stopped: z.object({ sinceMs: epochMs, reason: z.string(), by: z.string().optional() }).optional(),
});
export type BreakerState = DeepReadonly<z.infer<typeof breakerStateSchema>>;

const linkSchema = z.object({
  /** Key of a question, or of a record. */
  to: z.string(),
  /** When what it leads to is gone by itself; absent where it stays. */
  untilMs: epochMs.optional(),
});
export type Link = DeepReadonly<z.infer<typeof linkSchema>>;

/** Links in one item. The next one goes into a further item with a number, which a forgetting reads too. */
export const MAX_LINKS = 500;

const forgetSchema = z.object({ identifiers: z.array(z.string()), atMs: epochMs });
export type Forget = DeepReadonly<z.infer<typeof forgetSchema>>;

const searchFactsSchema = z.object({
  kind: z.literal('company search'),
  /** Domains that the next batch may name. */
  size: count,
  /** Domains that were once too many for the vendor: fewer are named since. */
  tooMany: count.optional(),
  /** Results that came, and those that belonged to no requested company, since the last start. */
  results: count,
  unusable: count,
  /** Batches in a row with an unknown outcome. */
  lost: count.optional(),
  /** Too many results were unusable, or batches lost: no batch is asked until then. */
  stoppedUntilMs: epochMs.optional(),
});
export type SearchFacts = DeepReadonly<z.infer<typeof searchFactsSchema>>;

/** What lies beside the questions in their table. None of it is a person's data but `part`. */
export const sideItemSchema = z.discriminatedUnion('kind', [
  /** A piece of an answer that is too large for the question's own item. */
  z.object({ kind: z.literal('part'), text: z.string(), untilMs: epochMs }),
  /** Where something about the person with one identifier is held. */
  z.object({
    kind: z.literal('links'),
    links: z.array(linkSchema).max(MAX_LINKS),
    /** There is a further item, and when the last link in further items is gone; absent where one stays. */
    more: linkSchema.pick({ untilMs: true }).optional(),
  }),
  /** Deletions to repeat once every worker that began before them has ended. */
  z.object({ kind: z.literal('forgets'), due: z.array(forgetSchema) }),
  /** What was learned of the vendor's company search. */
  searchFactsSchema,
]);
export type SideItem = DeepReadonly<z.infer<typeof sideItemSchema>>;

/** What the suppression list is made of. It lies in a table of its own, which outlives the answers. */
export const suppressionItemSchema = z.discriminatedUnion('kind', [
  /** Identifiers of people who are forgotten, in short form. */
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

/** Later ones are not added. */
export const MAX_DISCLOSED_IDENTIFIERS = 100;
/** The oldest are summed up in `earlierRequests`. */
export const MAX_DISCLOSED_REQUESTS = 40;
/** The oldest are dropped, and counted in `earlierRecords`. */
export const MAX_DISCLOSED_RECORDS = 30;
/** The longest answer about a person has fewer fields; further names are left out. */
export const MAX_DISCLOSED_FIELDS = 100;

/** What every request of one kind says. */
const requestFacts = z.object({
  source: z.enum(DATA_SOURCES),
  operation: z.enum(QUESTION_OPERATIONS),
  /** Kinds of identifiers that were sent to the source. */
  sent: z.array(z.enum(SENT_IDENTIFIERS)).max(SENT_IDENTIFIERS.length),
  /** Fields of the answer, by the source's names; none where the source knew nobody. */
  fields: z.array(z.string()).max(MAX_DISCLOSED_FIELDS),
});

const disclosedRequestSchema = requestFacts.extend({
  question: z.string(),
  atMs: epochMs,
  purpose: z.enum(PURPOSES),
  rule: z.string().optional(),
  /** Key of the HubSpot record that it was for. */
  record: z.string().optional(),
  /** When the stored answer is gone by itself. */
  answerUntilMs: epochMs,
});
export type DisclosedRequest = DeepReadonly<z.infer<typeof disclosedRequestSchema>>;

const disclosedRecordSchema = timeSpan.extend({
  /** Key of the HubSpot record that values went to. */
  record: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  /** Names of the properties that were written. */
  properties: z.array(z.string()),
});
export type DisclosedRecord = DeepReadonly<z.infer<typeof disclosedRecordSchema>>;

/** Proof of what was obtained about one person, from where, and where it went. It holds no value. */
export const disclosureSchema = z.object({
  /** Keyed hash of the person: the key of the item. */
  person: z.string(),
  /** Keyed hashes of the person's addresses and profiles. */
  identifiers: z.array(z.string()).max(MAX_DISCLOSED_IDENTIFIERS),
  sources: z.array(z.enum(DATA_SOURCES)).max(DATA_SOURCES.length),
  /** When a source was asked for the person, with or without an answer. */
  asked: timeSpan,
  /** When data were obtained. After `endedAtMs` a new answer starts it again. */
  obtained: timeSpan.optional(),
  /** Oldest first. */
  requests: z.array(disclosedRequestSchema).max(MAX_DISCLOSED_REQUESTS),
  /** Sums of older requests, by operation. */
  earlierRequests: z
    .array(requestFacts.extend({ ...timeSpan.shape, times: count }))
    .max(QUESTION_OPERATIONS.length)
    .optional(),
  records: z.array(disclosedRecordSchema).max(MAX_DISCLOSED_RECORDS),
  /** How many more there were. */
  earlierRecords: count.optional(),
  /** The values were removed when their time was over, or because their source was recalled. */
  endedAtMs: epochMs.optional(),
  /** The person asked to be forgotten. Only hashes, dates and sources remain. */
  forgottenAtMs: epochMs.optional(),
});
export type Disclosure = DeepReadonly<z.infer<typeof disclosureSchema>>;

/** Misses in unpublished words. */
export const unknownMissesSchema = z.object({
  /** At least so many. */
  count,
  sinceMs: epochMs,
  lastAtMs: epochMs,
  /** Plain words of them, the newest first; no personal data. */
  words: z.array(z.string()),
});
export type UnknownMisses = DeepReadonly<z.infer<typeof unknownMissesSchema>>;

/** What a probe has learned of the data service that its documents leave open. No personal data. */
export const vendorFindingsSchema = z.object({
  probedAtMs: epochMs,
  /** A question about a person who does not exist. `chargedCredits` is what a person read in the usage list. */
  miss: z.object({ words: z.string().optional(), chargedCredits: count.optional() }).optional(),
  /** A search that finds nothing. */
  emptySearch: z.object({ results: count, chargedCredits: count.optional() }).optional(),
  /** Whether a search by a domain found companies of that domain only. */
  domainMatch: z.enum(['exact', 'other-domain', 'wider', 'nothing']).optional(),
  /** Whether the second page of a search brought the first one's records again. */
  secondPage: z.enum(['other', 'repeated', 'empty']).optional(),
  /** `x-ratelimit-*` and `retry-after`, as they came. */
  rateHeaders: z.record(z.string(), z.string()),
});
export type VendorFindings = DeepReadonly<z.infer<typeof vendorFindingsSchema>>;
