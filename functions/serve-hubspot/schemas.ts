import * as z from 'zod';
import { objectTypeNamed } from '#shared/crm';
import { BACKFILL_MOVES, HELD_BACK } from '#shared/extensions/requests';
import { FINDING_KINDS } from '#shared/review';

/** Id of a request. The card creates it, and uses the same id for each repetition. */
const id = z.string().regex(/^[A-Za-z0-9-]{8,64}$/);
const portalId = z.string().regex(/^\d{1,20}$/);
const run = z.object({
  recordId: z.string().regex(/^\d{1,20}$/),
  number: z.int().positive().max(1_000_000),
});

const credits = z.int().nonnegative().max(1_000_000);
const property = z.string().min(1).max(100);
/** Identifies the finding that the page showed. */
const finding = { finding: z.enum(FINDING_KINDS), foundAtMs: z.int().nonnegative() };

/**
 * The user, as HubSpot states it, and the request for whose reply the page waits. HubSpot adds other parameters, such as
 * the user's email, which is never read. A user id in another form counts as absent, so that a signed request is not
 * lost.
 */
export const viewerQuerySchema = z.object({
  portalId: portalId.optional(),
  userId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .catch(undefined),
  request: id.optional(),
});

/** The user of a page, and the request whose reply the page waits for. */
export interface Viewer {
  readonly request: string | undefined;
  /** `user:12345`; `user` where HubSpot names none. */
  readonly askedBy: string | undefined;
}

/** Requests about a record. */
export const cardRequestSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('quote') }),
  /** `maxCredits`: the price that the person saw. */
  z.object({ id, kind: z.literal('enrich'), maxCredits: credits }),
  z.object({ id, kind: z.literal('undo'), property: property.optional(), run: run.optional() }),
  z.object({ id, kind: z.literal('wrong-match'), run }),
  z.object({ id, kind: z.literal('preview'), ...finding }),
  /** `properties`: only these are written. */
  z.object({
    id,
    kind: z.literal('accept'),
    ...finding,
    properties: z.array(property).min(1).max(200).optional(),
    /** The person agreed a second time, after seeing the identity of the answer. */
    confirmsIdentity: z.literal(true).optional(),
  }),
  /** `isOtherPerson`: the answer is about another person or company. */
  z.object({ id, kind: z.literal('reject'), ...finding, isOtherPerson: z.literal(true).optional() }),
]);
export type CardRequest = z.infer<typeof cardRequestSchema>;

const word = z.string().min(1).max(200);

/** Requests about the installation. */
export const homeRequestSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('refresh-figures') }),
  z.object({ id, kind: z.literal('stop-spending') }),
  z.object({ id, kind: z.literal('resume-spending') }),
  z.object({
    id,
    kind: z.literal('see-stop'),
    code: word,
    day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
    toMs: z.int().nonnegative(),
  }),
  z.object({
    id,
    kind: z.literal('resolve-doubt'),
    questionKey: word,
    reservationId: word,
    charged: z.boolean(),
  }),
  /** `maxCredits`: the price that the person saw. Only a start and an approval have one. */
  z
    .object({
      id,
      kind: z.literal('backfill'),
      backfillId: word,
      move: z.enum(BACKFILL_MOVES),
      maxCredits: credits.optional(),
    })
    .refine(
      ({ move, maxCredits }) => (move === 'start' || move === 'approve') === (maxCredits !== undefined),
    ),
  z.object({ id, kind: z.literal('admit'), purpose: z.enum(HELD_BACK), maxCredits: credits }),
]);
export type HomeRequest = z.infer<typeof homeRequestSchema>;

/** An execution of the workflow's action ("Custom workflow actions", the request that HubSpot sends). */
export const actionRequestSchema = z.object({
  callbackId: z.string().min(1).max(512),
  /** Names the workflow of the action. HubSpot may leave it out. */
  context: z
    .object({ workflowId: z.union([z.string(), z.int()]).transform(String) })
    .optional()
    .catch(undefined),
  origin: z.object({ portalId: z.union([z.string(), z.int()]).transform(String).pipe(portalId) }),
  object: z.object({
    objectType: z.string().transform((name, context) => {
      const known = objectTypeNamed(name);
      if (known) return known;
      context.addIssue({ code: 'custom', message: 'no contact and no company' });
      return z.NEVER;
    }),
    objectId: z
      .union([z.string(), z.int()])
      .transform(String)
      .check(z.regex(/^\d{1,20}$/)),
  }),
});
