import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { recordStateSchema } from '#shared/records';

/** What a person is to decide, the gravest first. */
export const FINDING_KINDS = ['contradiction', 'job-change', 'duplicate', 'association', 'proposal'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** `transitions.ts` shows how they follow each other. */
const FINDING_STATES = ['open', 'accepted', 'done', 'rejected', 'gone'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

const { answeredAtMs, employer, changeRate } = recordStateSchema.shape;

/** Number of other records in the list. The rest appear after these are merged and the record is read again. */
export const MAX_OTHERS = 50;

const findingSchema = z.object({
  kind: z.enum(FINDING_KINDS),
  state: z.enum(FINDING_STATES),
  /** For a person; no value of record or answer. */
  reason: z.string(),
  /** The stored answer that it is about. */
  answer: z
    .object({
      questionKey: z.string(),
      operation: z.enum(QUESTION_OPERATIONS),
      /** Tells the answer from a later one to the same question. */
      askedAtMs: z.number(),
      /** The company domain that the question named. */
      askedDomain: z.string().optional(),
    })
    .optional(),
  /** Names of the properties that would be written. */
  properties: z.array(z.string()).optional(),
  /** Ids of the other records of the same person. */
  others: z.array(z.string()).max(MAX_OTHERS).optional(),
  /** What the record was looked at for. */
  purpose: z.enum(PURPOSES),
  /** What HubSpot has last heard of the record: the answer is held against it when it is written. */
  before: z.object({ answeredAtMs, employer, changeRate }).optional(),
  foundAtMs: z.number(),
  decidedAtMs: z.number().optional(),
});
export type Finding = DeepReadonly<z.infer<typeof findingSchema>>;

/** All findings of one record. Holds no values: they are in the stored answer. */
export const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  /** One of a kind at most. */
  findings: z.array(findingSchema),
  changedAtMs: z.number(),
  /** Its person was forgotten: nothing is put up any more. */
  forgotten: z.boolean().optional(),
});
export type Review = DeepReadonly<z.infer<typeof reviewSchema>>;

/** The values that accepting a finding would write, for the page that asked. Kept for some minutes. */
export const previewSchema = z.object({
  /** The request that asked for them. */
  requestId: z.string(),
  objectType: z.enum(OBJECT_TYPES),
  recordId: z.string(),
  atMs: z.number(),
  changes: z.array(
    z.object({
      property: z.string(),
      /** HubSpot's name of the property. */
      label: z.string(),
      /** The value in HubSpot; `null` is blank. */
      now: z.string().nullable(),
      proposed: z.string(),
    }),
  ),
});
export type Preview = DeepReadonly<z.infer<typeof previewSchema>>;
