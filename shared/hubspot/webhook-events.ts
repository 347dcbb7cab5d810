import { type HubSpotObjectType, OBJECT_TYPE_NAMES } from './types.ts';

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
