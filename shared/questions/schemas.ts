import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { IDENTIFIERS, QUESTION_OPTIONS, VENDORS } from '#shared/vendor';
import { QUESTION_OPERATIONS } from './question.ts';

const options = z.array(z.enum(QUESTION_OPTIONS));
const count = z.int().nonnegative();
const epochMs = z.number();

/** One attempt to answer a question; `transitions.ts` shows its states. */
const attemptSchema = z.object({
  /** Rises with every attempt, so that a write with an old token fails. The reservation id contains the token. */
  fencingToken: count,
  state: z.enum(['in-flight', 'completed', 'in-doubt']),
  purpose: z.enum(PURPOSES),
  /** Name of the requesting HubSpot record, and the policy rule that admitted it. */
  record: z.string().optional(),
  rule: z.string().optional(),
  options,
  reservationId: z.string(),
  /** The reservation's entry in the ledger. With it, a check detects a ledger that lost its newest entries. */
  entry: z.object({ seq: count, hash: z.string() }).optional(),
  worstCaseCredits: count,
  sentAtMs: epochMs,
  /** No answer can arrive after this time. */
  deadlineAtMs: epochMs,
  /** The vendor's charge and its reason; absent while unknown. It is stored here first, then booked in the ledger. */
  charge: z.object({ credits: count, reason: z.string() }).optional(),
});
export type Attempt = DeepReadonly<z.infer<typeof attemptSchema>>;

const storedAnswerSchema = z.object({
  /** `forgotten`: the answer was about a forgotten person. This entry prevents another charge for the question. */
  kind: z.enum(['found', 'no-match', 'forgotten']),
  options,
  askedAtMs: epochMs,
  expiresAtMs: epochMs,
  /** Charge of the attempt that yielded the answer. */
  credits: count,
  /** The vendor's id of the request, if it gave one. */
  requestId: z.string().optional(),
  /** Consecutive misses. Each miss lengthens the time until the next attempt. */
  misses: count,
  /** The packed record. Absent if the answer has no record. */
  packed: z.string().optional(),
  /** The record was too large to store whole. Only the first entries of its longest lists are stored. */
  isCut: z.literal(true).optional(),
});
export type StoredAnswer = DeepReadonly<z.infer<typeof storedAnswerSchema>>;

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
  /** The highest token so far. A token is at least the time when it was given, epoch milliseconds. */
  fencingToken: count,
  attempt: attemptSchema.optional(),
  /** The newest answer, fresh or stale. */
  answer: storedAnswerSchema.optional(),
  /** Older answers with options that no newer answer includes, newest first. */
  olderAnswers: z.array(storedAnswerSchema).optional(),
  /** Doubts booked as charged, oldest first. They stay when the question is sent again. */
  bookedDoubts: z.array(bookedChargeSchema).max(MAX_BOOKED_DOUBTS).optional(),
});
export type QuestionItem = DeepReadonly<z.infer<typeof questionItemSchema>>;

/** The breakers. An open breaker stops questions. One item for each account. */
export const breakerStateSchema = z.object({
  /**
   * The vendor refuses this key, or the address is not the vendor's. No question is sent until the free key check
   * succeeds. One keyed hash identifies key and address. The refusal does not apply to another key or address.
   */
  keyRefused: z
    .object({
      probeAtMs: epochMs,
      sinceMs: epochMs,
      keyHash: z.string(),
      why: z.literal('wrong-address').optional(),
      /** Since the refusal, the vendor has answered a request with another key. */
      isReplaced: z.literal(true).optional(),
    })
    .optional(),
  /**
   * The lowest price that the vendor's balance did not cover. No question at this price or above is sent before
   * `untilMs`.
   */
  outOfCredits: z.object({ priceCredits: count, untilMs: epochMs, sinceMs: epochMs }).optional(),
  /** The data service charged more than its price list. */
  overcharged: z.object({ sinceMs: epochMs }).optional(),
  /** Consecutive requests with an unknown outcome. */
  doubtsInRow: count,
  /** Too many consecutive requests had an unknown outcome. */
  doubtful: z.object({ sinceMs: epochMs }).optional(),
  /**
   * While `overcharged` or `doubtful` is open: the next probe is due at `atMs`; the last one was granted at
   * `grantedAtMs`.
   */
  probe: z.object({ atMs: epochMs, grantedAtMs: epochMs.optional() }).optional(),
  /** A person stopped spending. `by` is a role or a team, if they gave one; no personal data. */
  stopped: z.object({ sinceMs: epochMs, reason: z.string(), by: z.string().optional() }).optional(),
});
export type BreakerState = DeepReadonly<z.infer<typeof breakerStateSchema>>;

const linkSchema = z.object({
  /** Key of a question, or name of a record. */
  to: z.string(),
  /** When the target expires. Absent if the target does not expire. */
  untilMs: epochMs.optional(),
});
export type Link = DeepReadonly<z.infer<typeof linkSchema>>;

/**
 * Maximum number of links in one item. Further links are stored in further, numbered items, which a privacy deletion
 * also reads.
 */
export const MAX_LINKS = 500;

const forgetSchema = z.object({ identifiers: z.array(z.string()), atMs: epochMs });
export type Forget = DeepReadonly<z.infer<typeof forgetSchema>>;

/** Other items in the table of questions. None holds personal data. */
export const sideItemSchema = z.discriminatedUnion('kind', [
  /** Index from one identifier of a person to items about them. */
  z.object({
    kind: z.literal('links'),
    links: z.array(linkSchema).max(MAX_LINKS),
    /**
     * Present if a further item exists. `untilMs` is the expiry of the last link in further items; absent if a link
     * does not expire.
     */
    more: linkSchema.pick({ untilMs: true }).optional(),
  }),
  /** Deletions to repeat after all workers that started before them have ended. */
  z.object({ kind: z.literal('forgets'), due: z.array(forgetSchema) }),
]);
export type SideItem = DeepReadonly<z.infer<typeof sideItemSchema>>;

/** Items of the suppression list. They have their own table, which outlives the answers. */
export const suppressionItemSchema = z.discriminatedUnion('kind', [
  /** Keyed hashes of forgotten people's identifiers. */
  z.object({ kind: z.literal('hashes'), hashes: z.array(z.string()) }),
  /** Rises with every change of the list. */
  z.object({ kind: z.literal('epoch'), count }),
]);
export type SuppressionItem = DeepReadonly<z.infer<typeof suppressionItemSchema>>;

const source = z.enum(VENDORS.map(({ name }) => name));

const timeSpan = z.object({ firstAtMs: epochMs, lastAtMs: epochMs });
export type TimeSpan = DeepReadonly<z.infer<typeof timeSpan>>;

/** Limit of the list. Later identifiers are not added. */
export const MAX_DISCLOSED_IDENTIFIERS = 100;
/** Limit of the list. The oldest requests are summed up in `earlierRequests`. */
export const MAX_DISCLOSED_REQUESTS = 40;
/** Limit of the list. The oldest records are dropped, and counted in `earlierRecords`. */
export const MAX_DISCLOSED_RECORDS = 30;
/** Limit of the list. The longest answer about a person has fewer fields. Further names are left out. */
export const MAX_DISCLOSED_FIELDS = 100;

/** Facts that are the same for all requests of one kind. */
const requestFacts = z.object({
  source,
  operation: z.enum(QUESTION_OPERATIONS),
  /** Kinds of identifiers that were sent to the source. */
  sent: z.array(z.enum(IDENTIFIERS)).max(IDENTIFIERS.length),
  /** Fields of the answer, by the source's names; none if the source had no match. */
  fields: z.array(z.string()).max(MAX_DISCLOSED_FIELDS),
});

const disclosedRequestSchema = requestFacts.extend({
  question: z.string(),
  atMs: epochMs,
  purpose: z.enum(PURPOSES),
  rule: z.string().optional(),
  /** Name of the requesting HubSpot record. */
  record: z.string().optional(),
  /** When the stored answer expires; absent while no answer is known. */
  answerUntilMs: epochMs.optional(),
});
export type DisclosedRequest = DeepReadonly<z.infer<typeof disclosedRequestSchema>>;

const disclosedRecordSchema = timeSpan.extend({
  /** Name of the HubSpot record that received values. */
  record: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  /** Names of the properties that were written. */
  properties: z.array(z.string()),
});
export type DisclosedRecord = DeepReadonly<z.infer<typeof disclosedRecordSchema>>;

/**
 * Proof of data about one person: the obtained fields, their source and the records that received them. It holds no
 * value.
 */
export const disclosureSchema = z.object({
  /** Keyed hash of the person: the key of the item. */
  person: z.string(),
  /** Keyed hashes of the person's addresses and profiles. */
  identifiers: z.array(z.string()).max(MAX_DISCLOSED_IDENTIFIERS),
  sources: z.array(source).max(VENDORS.length),
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

/** Results of a probe: facts about the data service that its documents leave open. No personal data. */
const vendorFindingsSchema = z.object({
  probedAtMs: epochMs,
  /** A question about a person who does not exist. A person read `chargedCredits` in the vendor's usage list. */
  miss: z.object({ words: z.string().optional(), chargedCredits: count.optional() }).optional(),
  /** A search that finds nothing. */
  emptySearch: z.object({ results: count, chargedCredits: count.optional() }).optional(),
  /** Whether a search by a domain found only companies of that domain. */
  domainMatch: z.enum(['exact', 'other-domain', 'wider', 'nothing']).optional(),
  /** Whether the second page of a search repeats the records of the first. */
  secondPage: z.enum(['other', 'repeated', 'empty']).optional(),
  /** A search delivered more results than its page asked for. */
  exceedsPage: z.literal(true).optional(),
  /** `x-ratelimit-*` and `retry-after`, as received. */
  rateHeaders: z.record(z.string(), z.string()),
});
export type VendorFindings = DeepReadonly<z.infer<typeof vendorFindingsSchema>>;

/** What the vendor has shown beyond its documents. */
export const vendorFactsSchema = z.object({
  findings: vendorFindingsSchema.optional(),
  /** Misses whose wording the vendor does not publish. */
  unknownMisses: z
    .object({
      /** A lower bound. */
      count,
      sinceMs: epochMs,
      lastAtMs: epochMs,
      /** The wordings, newest first; no personal data. */
      words: z.array(z.string()),
    })
    .optional(),
});
export type VendorFacts = DeepReadonly<z.infer<typeof vendorFactsSchema>>;
