import { homeKind, withStopInForce } from '#shared/home';
import { parseJson } from '#shared/kernel';
import type { GatewayResult } from '#shared/lambda';
import { requestKind } from '#shared/requests';
import { json, refusal } from './answers.ts';
import { queueRequest, readWished, replyTo } from './kept-requests.ts';
import { homeRequestSchema, type Viewer } from './schemas.ts';
import type { ServeServices } from './services.ts';

/**
 * Returns the home page as it was stored, with the stop in force now; no view before the first sweep. If the query
 * names a request, also returns the request's reply, if it exists. Changes nothing.
 */
export async function showHome(
  services: Pick<ServeServices, 'homes' | 'requests' | 'reviews' | 'breakers'>,
  { request: requestId, askedBy }: Viewer,
): Promise<GatewayResult> {
  const stored = (await services.homes.read(homeKind.key()))?.value;
  const view = stored && withStopInForce(stored, await services.breakers.read());
  if (requestId === undefined) return json(200, { view });
  const request = (await services.requests.read(requestKind.key({ request: requestId })))?.value.request;
  const reply = request && (await replyTo(services, request, askedBy));
  return json(200, { view, reply });
}

/** Queues a person's decision about the installation. */
export async function takeDecision(
  services: ServeServices,
  { text, askedBy }: Viewer & { readonly text: string },
): Promise<GatewayResult> {
  const body = parseJson(text);
  const asked = { askedAtMs: services.clock.now(), askedBy };
  const { data } = homeRequestSchema.safeParse(body);
  if (data) return queueRequest(services, { ...data, ...asked });
  const wished = readWished(services.wishSchemas.home, body);
  if (!wished) return refusal(400, 'unreadable-request');
  return queueRequest(services, { ...wished, ...asked, kind: 'home-wish' });
}
