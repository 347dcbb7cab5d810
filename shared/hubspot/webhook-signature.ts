import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string | undefined>>;

export interface SignedRequest {
  /** Method of the request: `POST`. */
  readonly method: string;
  /**
   * The target URL as configured in HubSpot, with the query. Not the URL that the function receives, because gateways change
   * host and path.
   */
  readonly publicUrl: string;
  /** The received bytes, after the gateway's base64 is decoded. Never parsed and serialised again. */
  readonly rawBody: Uint8Array | string;
  /** The app's client secret (not its access token). */
  readonly clientSecret: string;
}

export type RefusalReason =
  | 'missing-header'
  /** Signed with version 1 only, as in legacy private apps, without the setting that allows it. */
  | 'v1-not-allowed'
  | 'bad-timestamp'
  | 'too-old'
  | 'from-the-future'
  | 'wrong-signature';

export type SignatureVerdict =
  | { readonly kind: 'valid'; readonly version: 'v3' | 'v2' | 'v1' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

/** HubSpot: "reject the request if the timestamp is older than 5 minutes". */
const TOLERANCE_MS = 300_000;

/**
 * Checks a delivery's signature, version 3: base64 HMAC-SHA256 over method + URL + body + timestamp.
 *
 * The tolerance applies in both directions. For the past, HubSpot specifies five minutes; for the future, nothing. The same
 * span limits the replay of a captured request to ten minutes, and no clock with NTP is that wrong.
 *
 * Version 1 is SHA-256 of secret + body, without a timestamp, so a captured request can be replayed. It is accepted only
 * with `allowV1`, and only without a version 3 header. A request with that header is checked by it alone.
 *
 * Source: HubSpot developer docs, "Validating requests".
 */
export function verifyWebhookSignature(
  request: SignedRequest & {
    readonly headers: HeaderRecord;
    /** Epoch milliseconds. */
    readonly nowMs: number;
    readonly allowV1?: boolean;
  },
): SignatureVerdict {
  const signature = request.headers['x-hubspot-signature-v3'];
  const timestamp = request.headers['x-hubspot-request-timestamp'];
  if (!signature && !timestamp && isV1(request)) return verifyV1(request);
  if (!signature || !timestamp) return refused('missing-header');
  // HubSpot sends epoch milliseconds in 13 digits. Number() would let '', ' 1e12' and '0x…' through.
  if (!/^\d{10,15}$/.test(timestamp)) return refused('bad-timestamp');
  const ageMs = request.nowMs - Number(timestamp);
  if (ageMs > TOLERANCE_MS) return refused('too-old');
  if (ageMs < -TOLERANCE_MS) return refused('from-the-future');
  return equalInConstantTime(signature, signatureV3({ ...request, timestamp }))
    ? { kind: 'valid', version: 'v3' }
    : refused('wrong-signature');
}

/** Signs a request like HubSpot; for stand-ins and tests. */
export function signWebhook(
  request: SignedRequest & { readonly timestampMs: number },
): Record<'x-hubspot-signature-v3' | 'x-hubspot-request-timestamp', string> {
  const timestamp = String(request.timestampMs);
  return {
    'x-hubspot-signature-v3': signatureV3({ ...request, timestamp }),
    'x-hubspot-request-timestamp': timestamp,
  };
}

function signatureV3(request: SignedRequest & { readonly timestamp: string }): string {
  return createHmac('sha256', request.clientSecret)
    .update(request.method + decodeUrl(request.publicUrl), 'utf8')
    .update(request.rawBody)
    .update(request.timestamp, 'utf8')
    .digest('base64');
}

function isV1({ headers }: { readonly headers: HeaderRecord }): boolean {
  return Boolean(headers['x-hubspot-signature']) && headers['x-hubspot-signature-version'] === 'v1';
}

function verifyV1(
  request: SignedRequest & { readonly headers: HeaderRecord; readonly allowV1?: boolean },
): SignatureVerdict {
  if (!request.allowV1) return refused('v1-not-allowed');
  const expected = createHash('sha256').update(request.clientSecret).update(request.rawBody).digest('hex');
  return equalInConstantTime(request.headers['x-hubspot-signature'] ?? '', expected)
    ? { kind: 'valid', version: 'v1' }
    : refused('wrong-signature');
}

/**
 * Checks the request of a workflow action, version 2: SHA-256 over secret + method + URL + body, in hex. It has no
 * timestamp, so a captured request can be replayed at any time. The receiver must accept repeated deliveries.
 *
 * Source: HubSpot developer docs, "Validating requests" and "Custom workflow actions".
 */
export function verifyActionSignature(
  request: SignedRequest & { readonly headers: HeaderRecord },
): SignatureVerdict {
  const { headers } = request;
  const signature = headers['x-hubspot-signature'];
  if (!signature || headers['x-hubspot-signature-version'] !== 'v2') return refused('missing-header');
  return equalInConstantTime(signature, signatureV2(request))
    ? { kind: 'valid', version: 'v2' }
    : refused('wrong-signature');
}

function signatureV2({ clientSecret, method, publicUrl, rawBody }: SignedRequest): string {
  return createHash('sha256')
    .update(clientSecret + method + publicUrl, 'utf8')
    .update(rawBody)
    .digest('hex');
}

/** HubSpot decodes exactly these twelve escapes before it signs. */
const DECODED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

function decodeUrl(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (escaped) => DECODED[escaped.toUpperCase()] ?? escaped);
}

/** Hashes both sides first, so that the duration depends neither on length nor on content. */
function equalInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refused(reason: RefusalReason): SignatureVerdict {
  return { kind: 'refused', reason };
}
