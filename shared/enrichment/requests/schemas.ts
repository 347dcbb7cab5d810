import * as z from 'zod';
import { OBJECT_TYPES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';

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
    /** What stays, and why. */
    kept: z.array(z.object({ property: z.string(), reason: z.string() })),
    /** After a wrong match: what could be asked instead. */
    next: quoteSchema.optional(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);
export type Reply = DeepReadonly<z.infer<typeof replySchema>>;

const REQUEST_KINDS = ['quote', 'undo', 'wrong-match'] as const;

/** What a person asked for at a record in HubSpot, beside enriching it. Its id is made where it is asked. */
export const personRequestSchema = z.object({
  id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  objectType,
  recordId: z.string(),
  /** Of an undo: this property only. */
  property: z.string().optional(),
  /** Of an undo and a wrong match: this run of the record, or of one that was merged into it. */
  run: z.object({ recordId: z.string(), number: count }).optional(),
  askedAtMs: epochMs,
  /** The user's id in HubSpot: `user:12345`. */
  askedBy: z.string().optional(),
  reply: replySchema.optional(),
});
export type PersonRequest = DeepReadonly<z.infer<typeof personRequestSchema>>;

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
