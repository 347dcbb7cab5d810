import type { GatewayResult } from '#shared/lambda';
import { type PersonRequest, type Reply, refusedReply, requestKind, type WishSchema } from '#shared/requests';
import type { ShownPreview } from '#shared/review';
import { change } from '#shared/store';
import { NO_RECORD } from '#shared/work-queue';
import { json, refusal } from './answers.ts';
import { wishRequestSchema } from './schemas.ts';
import type { ServeServices } from './services.ts';

/** The reply to a request, with the values of a preview. */
export type ShownReply =
  | Exclude<Reply, { readonly kind: 'previewed' }>
  | ({ readonly kind: 'previewed' } & ShownPreview);

/**
 * Stores a person's request before its message is sent, so that the worker finds it. A request that is repeated with
 * the same id is carried out a single time.
 */
export async function queueRequest(services: ServeServices, wanted: PersonRequest): Promise<GatewayResult> {
  const { requests, clock, queues } = services;
  const item = { key: requestKind.key({ request: wanted.id }), kind: 'request', clock };
  const { stored } = await change(requests, item, (known) => ({
    stored: known?.request ?? wanted,
    value: known ? undefined : { request: wanted },
  }));
  if (!isSameRequest(stored, wanted)) return refusal(409, 'id-in-use');
  if (!stored.reply) {
    const name = 'recordId' in stored ? { objectType: stored.objectType, id: stored.recordId } : NO_RECORD;
    await queues.urgent.send([{ ...name, purpose: 'manual', eventKeys: [], request: stored.id }]);
  }
  return json(202, { id: wanted.id });
}

/** Reads a request that an extension carries out; `undefined` if no extension knows it, or if it is unreadable. */
export function readWished(schemas: readonly WishSchema[], body: unknown) {
  const { data } = wishRequestSchema.safeParse(body);
  const [wish] = schemas.flatMap((schema) => schema.safeParse(body).data ?? []);
  return data && wish && { ...data, wish };
}

/** Fields that the worker fills. */
const WORKERS_OWN = { reply: undefined, chosen: undefined, claimedUntilMs: undefined } as const;

/** Whether two requests have the same content. The time and the worker's fields may differ. */
function isSameRequest(stored: PersonRequest, wanted: PersonRequest): boolean {
  return contentOf(stored) === contentOf(wanted);
}

function contentOf(request: PersonRequest): string {
  const fields = Object.entries({ ...request, askedAtMs: 0, ...WORKERS_OWN });
  return JSON.stringify(fields.filter(([, value]) => value !== undefined).sort());
}

/**
 * @returns `undefined` while no reply exists. Also `undefined` if another user requested the values, because only this
 * user may see them.
 */
export async function replyTo(
  { reviews }: Pick<ServeServices, 'reviews'>,
  request: PersonRequest,
  askedBy: string | undefined,
): Promise<ShownReply | undefined> {
  const { reply } = request;
  if (reply?.kind !== 'previewed') return reply;
  // Without an id, one user cannot be told from another.
  const isSameUser = request.askedBy === askedBy && askedBy?.includes(':');
  if (!('recordId' in request) || !isSameUser) return undefined;
  const { id, objectType, recordId } = request;
  const shown = await reviews.readPreview({ objectType, id: recordId }, id);
  if (!shown) return refusedReply('preview-expired', {});
  const { says, changes, fitsIdentifier } = shown;
  return { kind: 'previewed', says, changes, fitsIdentifier };
}
