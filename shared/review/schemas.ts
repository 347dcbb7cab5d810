import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { explanationSchema } from '#shared/ownership';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { recordStateSchema } from '#shared/records';

/** Kinds of findings that a person must decide, the most serious first. */
export const FINDING_KINDS = ['contradiction', 'job-change', 'duplicate', 'association', 'proposal'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** `transitions.ts` shows the order of these states. */
const FINDING_STATES = ['open', 'accepted', 'done', 'rejected', 'gone'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

const { answeredAtMs, employer } = recordStateSchema.shape;

/**
 * Maximum number of other records in the list. Further records appear after these are merged and the record is read
 * again.
 */
export const MAX_OTHERS = 50;

const findingSchema = z.object({
  kind: z.enum(FINDING_KINDS),
  state: z.enum(FINDING_STATES),
  /** It holds no value of the record or the answer. */
  reason: explanationSchema,
  /** The stored answer that the finding is about. */
  answer: z
    .object({
      questionKey: z.string(),
      operation: z.enum(QUESTION_OPERATIONS),
      /** Time of the answer. It distinguishes the answer from a later answer to the same question. */
      askedAtMs: z.number(),
      /** The company domain in the question. */
      askedDomain: z.string().optional(),
    })
    .optional(),
  /** Names of the properties that would be written. */
  properties: z.array(z.string()).optional(),
  /** Ids of the other records of the same person. */
  others: z.array(z.string()).max(MAX_OTHERS).optional(),
  /** Purpose of the run that made the finding. */
  purpose: z.enum(PURPOSES),
  /** Facts of the last answer that HubSpot has. When the finding's answer is written, it is compared with them. */
  before: z.object({ answeredAtMs, employer }).optional(),
  foundAtMs: z.number(),
  decidedAtMs: z.number().optional(),
  /** The person who decided: `user:12345`, or `operator` for the command line. Absent if it ended by itself. */
  decidedBy: z.string().optional(),
  /** Set while a rejection is not carried out. Until then it can be repeated. */
  isPending: z.literal(true).optional(),
});
export type Finding = DeepReadonly<z.infer<typeof findingSchema>>;

/** All findings of one record. It holds no values. The values are in the stored answer. */
export const reviewSchema = z.object({
  objectType: z.enum(OBJECT_TYPES),
  id: z.string(),
  /** At most one finding of each kind. */
  findings: z.array(findingSchema),
  changedAtMs: z.number(),
  /** Set if the person's data were erased. No finding is added any more. */
  forgotten: z.boolean().optional(),
});
export type Review = DeepReadonly<z.infer<typeof reviewSchema>>;

/** Maximum number of requests for the values of one record whose values are kept besides the newest. */
export const MAX_EARLIER_PREVIEWS = 9;

/** Values as HubSpot shows them, for the page that requested them. */
const shownValues = {
  /** Id of the page's request. */
  requestId: z.string(),
  atMs: z.number(),
  /** The record beside the answer, in a sentence. */
  says: z.string().optional(),
  /** Set if the answer of a contradiction fits the record's email, page or domain. */
  fitsIdentifier: z.literal(true).optional(),
  changes: z.array(
    z.object({
      property: z.string(),
      /** HubSpot's name of the property. */
      label: z.string(),
      /** The value in HubSpot. `null` means blank. */
      now: z.string().nullable(),
      proposed: z.string(),
      /** Set if accepting does not write the value. It shows whom the answer is about. */
      isKept: z.boolean().optional(),
      /** Set if the value says whom the record is about, and the answer is about another person or company. */
      isIdentity: z.boolean().optional(),
    }),
  ),
};

/** The values that accepting a finding would write, and whom its answer is about. Kept for some minutes. */
export const previewSchema = z.object({
  ...shownValues,
  objectType: z.enum(OBJECT_TYPES),
  recordId: z.string(),
  /** Values for earlier requests, newest first, so that two users can look at one record. */
  earlier: z.array(z.object(shownValues)).max(MAX_EARLIER_PREVIEWS).optional(),
});
export type Preview = DeepReadonly<z.infer<typeof previewSchema>>;
export type ShownPreview = Pick<Preview, 'says' | 'fitsIdentifier' | 'changes'>;
