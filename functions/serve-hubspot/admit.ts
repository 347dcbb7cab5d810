import { type SignedRequest, verifyActionSignature, verifyWebhookSignature } from '#shared/hubspot';
import { errorCode, type QueryValues, readQuery } from '#shared/kernel';
import type { GatewayEvent } from '#shared/lambda';
import type { ServeServices } from './services.ts';

/** A request with a valid signature of HubSpot. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly text: string;
  readonly query: QueryValues;
}

export interface RefusedRequest {
  readonly kind: 'refused';
  readonly status: number;
  /** A word from a fixed list. */
  readonly reason: string;
}

/** HubSpot's own limit for requests and responses. */
const MAX_BODY_CHARACTERS = 1_400_000;

/**
 * Checks the signature before anything else is read. Requests of extensions have a version 3 signature, which contains
 * a time. A workflow's action has a version 2 signature, without a time, and version 2 is accepted only for this
 * action.
 */
export async function admit(
  services: ServeServices,
  event: GatewayEvent,
  { isAction, path }: { readonly isAction: boolean; readonly path: string },
): Promise<Admitted | RefusedRequest> {
  const { body = '', isBase64Encoded, headers, rawQueryString } = event;
  if (body.length > MAX_BODY_CHARACTERS) return refused(413, 'body-too-large');
  const clientSecret = await readSecret(services);
  if (clientSecret === undefined) return refused(503, 'not-ready');
  const raw = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const request: SignedRequest = {
    method: event.requestContext.http.method,
    publicUrl: `${services.publicUrl}${path}${rawQueryString === '' ? '' : `?${rawQueryString}`}`,
    rawBody: raw,
    clientSecret,
  };
  const verdict = isAction
    ? verifyActionSignature({ ...request, headers })
    : verifyWebhookSignature({ ...request, headers, nowMs: services.clock.now() });
  if (verdict.kind === 'refused') return refused(401, verdict.reason);
  const query = readQuery(rawQueryString);
  if (!query) return refused(400, 'repeated-parameter');
  return { kind: 'admitted', text: raw.toString('utf8'), query };
}

/**
 * Whether the request is for the account of this installation. While this account is unknown, no request is admitted.
 */
export async function isOwnPortal(
  { portal }: Pick<ServeServices, 'portal'>,
  portalId: string | undefined,
): Promise<boolean> {
  return portalId !== undefined && (await portal.known())?.portalId === portalId;
}

async function readSecret({ clientSecret, logger }: ServeServices): Promise<string | undefined> {
  try {
    return await clientSecret();
  } catch (error) {
    logger.error('secret-unreadable', { code: errorCode(error) });
    return undefined;
  }
}

function refused(status: number, reason: string): RefusedRequest {
  return { kind: 'refused', status, reason };
}
