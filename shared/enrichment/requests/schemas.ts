import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { FINDING_KINDS } from '#shared/review';

/** Records that one decision starts. */
export const MAX_ADMITTED = 100;

const objectType = z.enum(OBJECT_TYPES);
const count = z.int().nonnegative();
const epochMs = z.number();

/** What asking about a record would cost, credits. */
const quoteSchema = z.object({
  /** In the order in which they may be asked, each after "no match" only; 0 where the answer is stored. */
  questions: z.array(z.object({ operation: z.enum(QUESTION_OPERATIONS), credits: count })),
  /** At most, for all of them. */
  credits: count,
  /** Why there is nothing to ask. */
  reason: z.string().optional(),
});
export type Quote = DeepReadonly<z.infer<typeof quoteSchema>>;

/** The result of a request. Names of properties, never a value, so it holds no personal data. */
const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('quoted'), quote: quoteSchema }),
  z.object({
    kind: z.literal('undone'),
    restored: z.array(z.string()),
    /** Properties that keep their value, and why. */
    kept: z.array(z.object({ property: z.string(), reason: z.string() })),
    /** After a wrong match: the price of the next question. */
    next: quoteSchema.optional(),
  }),
  /** The values are stored apart, for some minutes (`previewKind`). */
  z.object({ kind: z.literal('previewed') }),
  z.object({
    kind: z.literal('decided'),
    /** The result, for a person. */
    what: z.string(),
    /** Properties that keep their value, and why. */
    kept: z.array(z.object({ property: z.string(), reason: z.string() })).optional(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);
export type Reply = DeepReadonly<z.infer<typeof replySchema>>;

export const BACKFILL_MOVES = ['start', 'approve', 'pause', 'resume', 'stop'] as const;

const asked = {
  /** Made by the page: the same for each repetition. */
  id: z.string(),
  askedAtMs: epochMs,
  /** The user's id in HubSpot: `user:12345`. */
  askedBy: z.string().optional(),
  reply: replySchema.optional(),
};
const ofRecord = { ...asked, objectType, recordId: z.string() };
const run = z.object({ recordId: z.string(), number: count });
/** The finding as the page showed it: a newer one of the same kind is not decided with it. */
const finding = { finding: z.enum(FINDING_KINDS), foundAtMs: epochMs };

/** A person's request in HubSpot, beside enriching a record. */
export const personRequestSchema = z.discriminatedUnion('kind', [
  z.object({ ...ofRecord, kind: z.literal('quote') }),
  z.object({
    ...ofRecord,
    kind: z.literal('undo'),
    /** Only this property. */
    property: z.string().optional(),
    /** Only this run of the record, or of one that was merged into it. */
    run: run.optional(),
  }),
  /** `run`: of the record, or of one that was merged into it. */
  z.object({ ...ofRecord, kind: z.literal('wrong-match'), run: run.optional() }),
  z.object({ ...ofRecord, kind: z.literal('preview'), ...finding }),
  /** `properties`: only these are written, and the others are declined; all without it. */
  z.object({
    ...ofRecord,
    kind: z.literal('accept'),
    ...finding,
    properties: z.array(z.string()).optional(),
  }),
  z.object({ ...ofRecord, kind: z.literal('reject'), ...finding }),
  z.object({ ...asked, kind: z.literal('stop-spending') }),
  z.object({ ...asked, kind: z.literal('resume-spending') }),
  z.object({
    ...asked,
    kind: z.literal('resolve-doubt'),
    questionKey: z.string(),
    /** The doubt as the page showed it: a newer one of the same question is not resolved with it. */
    reservationId: z.string(),
    charged: z.boolean(),
  }),
  z.object({
    ...asked,
    kind: z.literal('backfill'),
    backfillId: z.string(),
    move: z.enum(BACKFILL_MOVES),
    /** The highest price that the person saw; a start or an approval at a higher price is refused. */
    maxCredits: count.optional(),
  }),
  z.object({
    ...asked,
    kind: z.literal('admit'),
    purpose: z.enum(PURPOSES),
    /** The highest price that the person saw. */
    maxCredits: count,
    /** The records that it starts, stored before it starts any: a repetition after a crash starts no others. */
    chosen: z
      .array(z.object({ objectType, id: z.string() }))
      .max(MAX_ADMITTED)
      .optional(),
  }),
]);
export type PersonRequest = DeepReadonly<z.infer<typeof personRequestSchema>>;
export type RecordRequest = Extract<PersonRequest, { readonly recordId: string }>;
export type InstallationRequest = Exclude<PersonRequest, RecordRequest>;

/** A paid answer about another person, as a person reported; no personal data. */
export const wrongMatchSchema = z.object({
  objectType,
  id: z.string(),
  questionKey: z.string(),
  operation: z.enum(QUESTION_OPERATIONS),
  askedAtMs: epochMs,
  /** What the answer cost, of a search the one result; what its run was charged, where the answer is gone. */
  credits: count,
  /** The vendor's own id of the request, where it gave one. */
  requestId: z.string().optional(),
  /** When the person said so. */
  atMs: epochMs,
});
export type WrongMatch = DeepReadonly<z.infer<typeof wrongMatchSchema>>;

/** An execution of a workflow's action that HubSpot holds until it is told how the record's run ended. */
export const actionExecutionSchema = z.object({
  callbackId: z.string(),
  objectType,
  recordId: z.string(),
  askedAtMs: epochMs,
  /** It is told, or HubSpot knows it no more. */
  doneAtMs: epochMs.optional(),
});
export type ActionExecution = DeepReadonly<z.infer<typeof actionExecutionSchema>>;
