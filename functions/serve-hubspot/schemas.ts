import * as z from 'zod';
import { objectTypeNamed } from '#shared/crm';
import { HELD_BACK, HOME_WISHES, quoteWish } from '#shared/requests';

/** Id of a request. The card creates it, and uses the same id for each repetition. */
const id = z.string().regex(/^[A-Za-z0-9-]{8,64}$/);
const portalId = z.string().regex(/^\d{1,20}$/);

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

const highestPrice = HOME_WISHES.admit.shape.maxCredits;

/** Requests about a record that the core carries out. `maxCredits`: the price that the person saw. */
export const cardRequestSchema = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('enrich'), maxCredits: highestPrice }),
  quoteWish.extend({ id }),
]);
export type CardRequest = z.infer<typeof cardRequestSchema>;

/** The id of a request that an extension carries out. */
export const wishRequestSchema = z.object({ id });

const { refresh, stop, resume, see, resolve, admit } = HOME_WISHES;

/** Requests about the installation that the core carries out. */
export const homeRequestSchema = z.discriminatedUnion('kind', [
  refresh.extend({ id }),
  stop.extend({ id }),
  resume.extend({ id }),
  see.extend({ id }),
  resolve.extend({ id }),
  admit.extend({ id, purpose: z.enum(HELD_BACK) }),
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
