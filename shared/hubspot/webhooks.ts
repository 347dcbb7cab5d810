import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type HubSpotObjectType, OBJECT_TYPE_NAMES } from './types.ts';

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

interface EventFacts {
  readonly objectType: HubSpotObjectType;
  /** Decimal digits. For a merge: the record that remains, which may be a new one. */
  readonly objectId: string;
  readonly portalId: string;
  /** Epoch milliseconds. Events may arrive in any order. */
  readonly occurredAtMs: number;
  /**
   * Identifies the event in all its deliveries. `eventId` alone is not unique, and the attempt number changes with each
   * delivery.
   */
  readonly eventKey: string;
  /** Source of the change: `CRM_UI`, `INTEGRATION`, `IMPORT`; HubSpot may add others. */
  readonly changeSource?: string;
  /** `userId:…` of a person, or the id of the app that wrote. */
  readonly sourceId?: string;
}

export type WebhookEvent =
  | (EventFacts & { readonly kind: 'creation' | 'restore' | 'deletion' | 'privacyDeletion' })
  | (EventFacts & {
      readonly kind: 'propertyChange';
      /** The value is left out, because it may be outdated and messages must not contain personal data. */
      readonly propertyName: string;
    })
  | (EventFacts & {
      readonly kind: 'merge';
      /** The record that remains: a new record, or the primary one if HubSpot keeps its id. */
      readonly newObjectId: string;
      /** Records that no longer exist. With a new record, this includes the primary one. */
      readonly mergedObjectIds: readonly string[];
    })
  /** A contact gained or lost a company. The object is the contact in both directions of the event. */
  | (EventFacts & { readonly kind: 'associationChange' });

export type IgnoredReason =
  | 'not-an-object'
  | 'unknown-type'
  | 'unknown-object-type'
  | 'bad-object-id'
  | 'bad-portal-id'
  | 'bad-time'
  | 'no-property-name'
  | 'no-merged-ids'
  | 'other-association';

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: WebhookEvent }
  | { readonly kind: 'ignored'; readonly reason: IgnoredReason };

/**
 * Reads one element of a delivery's array, classic (`contact.creation`) or generic (`object.creation` with
 * `objectTypeId`). Never throws. An unusable element is `ignored`, so that it does not affect the others.
 * Source: HubSpot developer docs, "Webhooks API guide" and "Configure webhooks".
 */
export function parseWebhookEvent(value: unknown): ParsedEvent {
  if (!isRecord(value)) return ignored('not-an-object');
  const type = text(value['subscriptionType']) ?? text(value['eventType']) ?? '';
  const [subject = ''] = type.split('.');
  const verb = KINDS.find((kind) => type === `${subject}.${kind}`);
  if (verb === undefined) return ignored('unknown-type');
  if (verb === 'associationChange') return association(value, type);
  const objectType = objectTypeOf(subject === 'object' ? text(value['objectTypeId']) : subject);
  if (objectType === undefined) return ignored('unknown-object-type');
  const facts = factsOf({ value, type, objectType });
  if ('reason' in facts) return facts;
  if (verb === 'merge') return merge(value, facts);
  if (verb === 'propertyChange') {
    const propertyName = text(value['propertyName']);
    if (!propertyName) return ignored('no-property-name');
    return { kind: 'event', event: { ...facts, kind: verb, propertyName } };
  }
  return { kind: 'event', event: { ...facts, kind: verb } };
}

const KINDS = [
  'creation',
  'propertyChange',
  'associationChange',
  'merge',
  'restore',
  'deletion',
  'privacyDeletion',
] as const;

function objectTypeOf(name: string | undefined): HubSpotObjectType | undefined {
  const types = Object.keys(OBJECT_TYPE_NAMES) as HubSpotObjectType[];
  return types.find((type) => OBJECT_TYPE_NAMES[type].some((each) => each === name));
}

function factsOf(input: {
  readonly value: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly objectType: HubSpotObjectType;
  /** A further part of the event key. */
  readonly detail?: string | undefined;
}): EventFacts | Extract<ParsedEvent, { kind: 'ignored' }> {
  const { value, type, objectType, detail = text(value['propertyName']) } = input;
  const objectId = id(value['objectId']) ?? id(value['newObjectId']);
  if (objectId === undefined) return ignored('bad-object-id');
  const portalId = id(value['portalId']);
  if (portalId === undefined) return ignored('bad-portal-id');
  const occurredAtMs = Number(id(value['occurredAt']) ?? Number.NaN);
  if (!Number.isSafeInteger(occurredAtMs)) return ignored('bad-time');
  const changeSource = text(value['changeSource']);
  const sourceId = text(value['sourceId']) ?? id(value['sourceId']);
  return {
    objectType,
    objectId,
    portalId,
    occurredAtMs,
    eventKey: [
      portalId,
      // Generic types do not name the object type. Without it a contact and a company with the same id would have the
      // same key.
      type.startsWith('object.') ? `${type}@${objectType}` : type,
      objectId,
      id(value['eventId']) ?? '',
      occurredAtMs,
      ...(detail === undefined ? [] : [detail]),
    ].join(':'),
    ...(changeSource === undefined ? {} : { changeSource }),
    ...(sourceId === undefined ? {} : { sourceId }),
  };
}

const CONTACT_ENDS: Readonly<Record<string, readonly [contact: string, company: string]>> = {
  CONTACT_TO_COMPANY: ['fromObjectId', 'toObjectId'],
  COMPANY_TO_CONTACT: ['toObjectId', 'fromObjectId'],
};

/** Handles both directions of an association between a contact and a company as events of the contact; ignores others. */
function association(value: Readonly<Record<string, unknown>>, type: string): ParsedEvent {
  const [, ends] =
    Object.entries(CONTACT_ENDS).find(([direction]) => direction === value['associationType']) ?? [];
  if (!ends) return ignored('other-association');
  const [objectId, companyId] = ends.map((end) => id(value[end]));
  if (companyId === undefined) return ignored('bad-object-id');
  const ofContact = { ...value, objectId, newObjectId: undefined };
  const facts = factsOf({ value: ofContact, type, objectType: 'contacts', detail: companyId });
  return 'reason' in facts ? facts : { kind: 'event', event: { ...facts, kind: 'associationChange' } };
}

function merge(value: Readonly<Record<string, unknown>>, facts: EventFacts): ParsedEvent {
  const primary = id(value['primaryObjectId']);
  const newObjectId = id(value['newObjectId']) ?? primary ?? facts.objectId;
  const listed = Array.isArray(value['mergedObjectIds']) ? value['mergedObjectIds'].map(id) : [];
  const losers = [primary, ...listed].filter((loser) => loser !== undefined && loser !== newObjectId);
  const mergedObjectIds = [...new Set(losers)].filter((loser) => loser !== undefined);
  if (mergedObjectIds.length === 0) return ignored('no-merged-ids');
  return {
    kind: 'event',
    event: { ...facts, kind: 'merge', objectId: newObjectId, newObjectId, mergedObjectIds },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts an id to a string. Webhooks have numbers, other answers have strings. */
function id(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : undefined;
}

/** HubSpot's names are shorter. A longer text could exceed the size limit of a queue message. */
const MAX_TEXT = 200;

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined;
}

function ignored(reason: IgnoredReason): Extract<ParsedEvent, { kind: 'ignored' }> {
  return { kind: 'ignored', reason };
}
