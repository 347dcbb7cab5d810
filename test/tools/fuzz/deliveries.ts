import { createHash, createHmac } from 'node:crypto';
import type { Random } from '#shared/kernel';
import type { HttpEvent } from '../../../functions/receive-webhook/handler.ts';
import { chance, damagedBytes, damagedFields, junk, oneOf, SECRET_WORD } from './damage.ts';

export const CLIENT_SECRET = 'client-secret-of-the-fuzz';
export const PUBLIC_URL = 'https://hooks.example/hubspot?stage=live&mail=a%40b';
/** As HubSpot decodes it before it signs. */
const SIGNED_URL = 'https://hooks.example/hubspot?stage=live&mail=a@b';
export const NOW_MS = Date.UTC(2026, 10, 21, 12);
const TOLERANCE_MS = 300_000;

const TYPES = [
  'object.creation',
  'object.creation',
  'contact.creation',
  'company.creation',
  'object.propertyChange',
  'contact.propertyChange',
  'object.merge',
  'contact.merge',
  'object.restore',
  'object.deletion',
  'contact.privacyDeletion',
  'object.associationChange',
  'deal.creation',
];
const PROPERTIES = ['email', 'phone', 'enrichment_requested', 'jobtitle', 'constructor'];

export interface FuzzedDelivery {
  readonly event: HttpEvent;
  /** The contacts that undamaged creations in the body are about. */
  readonly wholeContacts: readonly string[];
}

/** A delivery in which anything may be wrong, or nothing. */
export function fuzzedDelivery(random: Random): FuzzedDelivery {
  const { values, wholeContacts } = fuzzedEvents(random);
  const container = chance(random, 0.9)
    ? values
    : oneOf(random, [{ events: values }, values[0] ?? null, junk(random)]);
  let bytes: Buffer = Buffer.from(JSON.stringify(container) ?? '');
  const garbled = chance(random, 0.15);
  if (garbled) bytes = damagedBytes(random, bytes);
  const event = asRequest(random, bytes);
  return { event, wholeContacts: garbled || container !== values ? [] : wholeContacts };
}

function fuzzedEvents(random: Random): { values: unknown[]; wholeContacts: readonly string[] } {
  const count = chance(random, 0.01) ? 100 : Math.floor(random() * 5);
  const wholeContacts: string[] = [];
  const values = Array.from({ length: count }, () => {
    const event = wellFormed(random);
    if (chance(random, 0.1)) return junk(random);
    if (chance(random, 0.4)) return damagedFields(random, event);
    if (event['subscriptionType'] === 'object.creation') wholeContacts.push(String(event['objectId']));
    return event;
  });
  return { values, wholeContacts };
}

function wellFormed(random: Random): Record<string, unknown> {
  const subscriptionType = oneOf(random, TYPES);
  // Merges and deletions have ids of their own, so that what becomes of an undamaged creation is certain.
  const base = subscriptionType.endsWith('.creation') ? 1 : 1_000;
  const objectId = base + Math.floor(random() * 20);
  return {
    eventId: Math.floor(random() * 50),
    subscriptionId: 7_662_001,
    portalId: 62_515,
    appId: 54_321,
    occurredAt: NOW_MS - Math.floor(random() * 1_000),
    subscriptionType,
    attemptNumber: Math.floor(random() * 3),
    objectId,
    objectTypeId: '0-1',
    changeSource: 'CRM_UI',
    sourceId: 'userId:1001',
    propertyName: oneOf(random, PROPERTIES),
    propertyValue: SECRET_WORD,
    primaryObjectId: objectId + 2_000,
    mergedObjectIds: [objectId + 3_000],
    newObjectId: objectId + 4_000,
  };
}

function asRequest(random: Random, bytes: Buffer): HttpEvent {
  const stampMs = chance(random, 0.1) ? NOW_MS + (random() - 0.5) * 10 * TOLERANCE_MS : NOW_MS;
  const headers = chance(random, 0.1) ? signedV1(bytes) : signedV3(bytes, Math.floor(stampMs));
  const method = chance(random, 0.97) ? 'POST' : oneOf(random, ['GET', 'PUT', '']);
  // Text that is no UTF-8 does not survive the way as text, so that the signature decides about what came.
  const isBase64Encoded = chance(random, 0.5);
  const sent = chance(random, 0.1) ? damagedBytes(random, bytes) : bytes;
  const body = chance(random, 0.02) ? undefined : sent.toString(isBase64Encoded ? 'base64' : 'utf8');
  return {
    requestContext: { http: { method } },
    headers: chance(random, 0.15) ? damagedHeaders(random, headers) : headers,
    body,
    isBase64Encoded: chance(random, 0.02) ? !isBase64Encoded : isBase64Encoded,
  };
}

function damagedHeaders(
  random: Random,
  headers: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const name = oneOf(random, Object.keys(headers));
  const value = headers[name] ?? '';
  const texts = [
    '',
    ' ',
    SECRET_WORD,
    value.slice(1),
    `${value} `,
    `${value},${value}`,
    '1e12',
    '0x17',
    'NaN',
  ];
  return { ...headers, [name]: chance(random, 0.3) ? undefined : oneOf(random, texts) };
}

function signedV3(bytes: Buffer, stampMs: number): Record<string, string> {
  return {
    'x-hubspot-signature-v3': hmac('POST', bytes, String(stampMs)),
    'x-hubspot-request-timestamp': String(stampMs),
  };
}

function signedV1(bytes: Buffer): Record<string, string> {
  const signature = createHash('sha256').update(CLIENT_SECRET).update(bytes).digest('hex');
  return { 'x-hubspot-signature': signature, 'x-hubspot-signature-version': 'v1' };
}

function hmac(method: string, bytes: Buffer, stamp: string): string {
  const signed = Buffer.concat([Buffer.from(method + SIGNED_URL), bytes, Buffer.from(stamp)]);
  return createHmac('sha256', CLIENT_SECRET).update(signed).digest('base64');
}

/** Worked out anew, and more simply than the receiver does: whether HubSpot signed this, for us and now. */
export function isGenuine({ event, allowV1 }: { event: HttpEvent; allowV1: boolean }): boolean {
  const bytes = bytesOf(event);
  const stamp = event.headers['x-hubspot-request-timestamp'];
  const v3 = event.headers['x-hubspot-signature-v3'];
  if (v3 && stamp) {
    const inTime = /^\d{10,15}$/.test(stamp) && Math.abs(NOW_MS - Number(stamp)) <= TOLERANCE_MS;
    return inTime && v3 === hmac(event.requestContext.http.method, bytes, stamp);
  }
  const v1 = signedV1(bytes);
  return allowV1 && !v3 && !stamp && Object.entries(v1).every(([name, text]) => event.headers[name] === text);
}

export function bytesOf({ body = '', isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}
