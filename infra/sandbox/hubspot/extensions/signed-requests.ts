import { createHash } from 'node:crypto';
import type { SandboxSettings } from '../settings.ts';
import { signV3 } from '../webhooks/webhook-signature.ts';

export interface Asked {
  readonly url: string;
  readonly method: string;
  /** JSON text, or an empty text. */
  readonly body: string;
}

/** The person at the screen. */
export interface Viewer {
  readonly userId: number;
  readonly userEmail: string;
}

/**
 * Builds a request of `hubspot.fetch` as HubSpot's servers send it. They add the person to the query, and sign the
 * request by version 3.
 */
export function extensionRequest(
  { clientSecret, portalId, appId }: SandboxSettings,
  { asked, viewer, nowMs }: { readonly asked: Asked; readonly viewer: Viewer; readonly nowMs: number },
): Request {
  const url = new URL(asked.url);
  const { userId, userEmail } = viewer;
  for (const [name, value] of Object.entries({ userId, portalId, userEmail, appId }))
    url.searchParams.set(name, String(value));
  const signed = { secret: clientSecret, method: asked.method, url: url.href, body: asked.body };
  return requestOf(
    { ...asked, url: url.href },
    {
      'x-hubspot-signature-v3': signV3({ ...signed, timestamp: nowMs }),
      'x-hubspot-request-timestamp': String(nowMs),
    },
  );
}

/** Builds a request of a workflow's action. HubSpot signs it by version 2, which contains no time. */
export function actionRequest({ clientSecret }: SandboxSettings, asked: Asked): Request {
  const signature = createHash('sha256')
    .update(`${clientSecret}${asked.method}${asked.url}${asked.body}`, 'utf8')
    .digest('hex');
  return requestOf(asked, { 'x-hubspot-signature': signature, 'x-hubspot-signature-version': 'v2' });
}

function requestOf({ url, method, body }: Asked, headers: Readonly<Record<string, string>>): Request {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...headers, ...type } };
  return new Request(url, body === '' ? init : { ...init, body });
}
