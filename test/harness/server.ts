import type { App } from '#shared/app';
import type { Policy } from '#shared/field-policy';
import type { Clock, Logger } from '#shared/kernel';
import { createHandler } from '../../functions/serve-hubspot/handler.ts';
import { CLIENT_SECRET, WEBHOOK_URL } from './hubspot-portal.ts';
import type { MemoryQueue } from './memory-queue.ts';

export interface ServerWish {
  readonly services: App;
  readonly policy: Policy;
  readonly queues: { readonly urgent: MemoryQueue; readonly bulk: MemoryQueue };
  readonly clock: Clock;
  readonly logger: Logger;
  /** The webhook's target URL; the portal's by default. */
  readonly publicUrl?: string;
}

/** Runs `serve-hubspot` behind API Gateway, for HubSpot's cards and actions. */
export function createServer({ services, ...wish }: ServerWish) {
  const clientSecret = async () => CLIENT_SECRET;
  const handle = createHandler({
    publicUrl: WEBHOOK_URL,
    ...services,
    breakers: services.storedBreakers,
    ...wish,
    clientSecret,
  });
  return async (request: Request): Promise<Response> => {
    const { pathname: rawPath, search } = new URL(request.url);
    const routeKey = `${request.method} /hubspot/{proxy+}`;
    const path = { routeKey, rawPath, rawQueryString: search.slice(1) };
    const result = await handle({ ...(await gatewayEvent(request)), ...path });
    return new Response(result.body, { status: result.statusCode, headers: result.headers });
  };
}

/** Converts a request as API Gateway does. */
export async function gatewayEvent(request: Request) {
  const { method, headers } = request;
  const body = Buffer.from(await request.arrayBuffer()).toString('base64');
  const sent = { headers: Object.fromEntries(headers), body, isBase64Encoded: true };
  return { requestContext: { http: { method }, requestId: 'Qx1=' }, ...sent };
}
