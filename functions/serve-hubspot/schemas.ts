import * as z from 'zod';
import type { ObjectType } from '#shared/crm';

/** Made by the card: the same for each repetition. */
const id = z.string().regex(/^[A-Za-z0-9-]{8,64}$/);
const portalId = z.string().regex(/^\d{1,20}$/);
const run = z.object({
  recordId: z.string().regex(/^\d{1,20}$/),
  number: z.int().positive().max(1_000_000),
});

/**
 * Who asks, as HubSpot says, and the request that the card waits for. HubSpot adds other parameters, such as the user's
 * email, which is never read. A user id in another form counts as none: the request is signed, and is not lost for it.
 */
export const cardQuerySchema = z.object({
  portalId: portalId.optional(),
  userId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .catch(undefined),
  request: id.optional(),
});

/** What the card asks for at a record. */
export const cardRequestSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('quote') }),
  /** `maxCredits`: the price that the person saw. */
  z.object({ id, kind: z.literal('enrich'), maxCredits: z.int().nonnegative().max(1_000_000) }),
  z.object({
    id,
    kind: z.literal('undo'),
    property: z.string().min(1).max(100).optional(),
    run: run.optional(),
  }),
  z.object({ id, kind: z.literal('wrong-match'), run }),
]);
export type CardRequest = z.infer<typeof cardRequestSchema>;

/** HubSpot names types in these ways, by the client that asks. */
const OBJECT_TYPES: Readonly<Record<string, ObjectType>> = {
  CONTACT: 'contacts',
  COMPANY: 'companies',
  '0-1': 'contacts',
  '0-2': 'companies',
};

/** An execution of the workflow's action ("Custom workflow actions", the request that HubSpot sends). */
export const actionRequestSchema = z.object({
  callbackId: z.string().min(1).max(512),
  /** Of the workflow that the action is part of, where HubSpot names it. */
  context: z
    .object({ workflowId: z.union([z.string(), z.int()]).transform(String) })
    .optional()
    .catch(undefined),
  origin: z.object({ portalId: z.union([z.string(), z.int()]).transform(String).pipe(portalId) }),
  object: z.object({
    objectType: z.string().transform((name, context) => {
      const known = Object.hasOwn(OBJECT_TYPES, name) && OBJECT_TYPES[name];
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
