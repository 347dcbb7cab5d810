import { describe, expect, it } from 'vitest';
import { parseWebhookEvent, type WebhookEvent } from '#shared/hubspot';

const generic = {
  eventId: 1_765_889_350,
  subscriptionId: 7_662_269,
  portalId: 1,
  appId: 51_879_189,
  occurredAt: 1_788_597_072_520,
  subscriptionType: 'object.creation',
  attemptNumber: 0,
  objectId: 546_500_061_938,
  objectTypeId: '0-1',
  changeSource: 'CRM_UI',
  sourceId: 'userId:98499705',
};

const association = {
  ...generic,
  objectId: undefined,
  objectTypeId: undefined,
  subscriptionType: 'object.associationChange',
  associationType: 'CONTACT_TO_COMPANY',
  fromObjectId: 11,
  toObjectId: 22,
  associationRemoved: false,
  isPrimaryAssociation: true,
};

function event(value: unknown): WebhookEvent {
  const parsed = parseWebhookEvent(value);
  if (parsed.kind !== 'event') throw new Error(`ignored: ${parsed.reason}`);
  return parsed.event;
}

describe('types', () => {
  it('reads a generic creation', () => {
    expect(event(generic)).toEqual({
      kind: 'creation',
      objectType: 'contacts',
      objectId: '546500061938',
      portalId: '1',
      occurredAtMs: 1_788_597_072_520,
      eventKey: '1:object.creation@contacts:546500061938:1765889350:1788597072520',
      changeSource: 'CRM_UI',
      sourceId: 'userId:98499705',
    });
  });

  it.each([
    ['contact.creation', 'creation', 'contacts'],
    ['company.creation', 'creation', 'companies'],
    ['company.deletion', 'deletion', 'companies'],
    ['contact.restore', 'restore', 'contacts'],
    ['contact.privacyDeletion', 'privacyDeletion', 'contacts'],
  ])('reads a classic %s', (subscriptionType, kind, objectType) => {
    const { objectTypeId: _, ...classic } = generic;
    expect(event({ ...classic, subscriptionType })).toMatchObject({ kind, objectType });
  });

  it('reads the type from eventType where subscriptionType is absent', () => {
    const { subscriptionType, ...rest } = generic;
    expect(event({ ...rest, eventType: subscriptionType }).kind).toBe('creation');
  });

  it('reads a property change without keeping the value', () => {
    const change = {
      ...generic,
      subscriptionType: 'object.propertyChange',
      objectTypeId: '0-2',
      propertyName: 'domain',
      propertyValue: 'kiln-and-oak.example',
    };
    expect(event(change)).toMatchObject({
      kind: 'propertyChange',
      objectType: 'companies',
      propertyName: 'domain',
    });
    expect(JSON.stringify(event(change))).not.toContain('kiln-and-oak');
  });
});

describe('merges', () => {
  const merged = {
    ...generic,
    subscriptionType: 'object.merge',
    primaryObjectId: 10,
    mergedObjectIds: [11, 12],
  };

  it('name a new winner and all losers, the primary among them', () => {
    expect(event({ ...merged, newObjectId: 99 })).toMatchObject({
      kind: 'merge',
      objectId: '99',
      newObjectId: '99',
      mergedObjectIds: ['10', '11', '12'],
    });
  });

  it('keep the primary out of the losers where its id is preserved', () => {
    expect(event({ ...merged, newObjectId: 10 })).toMatchObject({
      objectId: '10',
      mergedObjectIds: ['11', '12'],
    });
  });
});

describe('an association', () => {
  it.each([
    ['contact.associationChange', 'CONTACT_TO_COMPANY', 11, 22],
    ['company.associationChange', 'COMPANY_TO_CONTACT', 22, 11],
    ['object.associationChange', 'CONTACT_TO_COMPANY', 11, 22],
  ])('of %s, %s, is an event of the contact', (subscriptionType, associationType, from, to) => {
    const ends = { subscriptionType, associationType, fromObjectId: from, toObjectId: to };
    expect(event({ ...association, ...ends })).toMatchObject({
      kind: 'associationChange',
      objectType: 'contacts',
      objectId: '11',
    });
  });
});

it.each([
  { eventId: 2 },
  { objectId: 2 },
  { portalId: 2 },
  { occurredAt: 2_000_000_000_000 },
  { objectTypeId: '0-2' },
  { subscriptionType: 'object.deletion' },
  { propertyName: 'email' },
])('the event key differs with %j', (difference) => {
  expect(event({ ...generic, ...difference }).eventKey).not.toBe(event(generic).eventKey);
});

it.each([
  [null, 'not-an-object'],
  ['object.creation', 'not-an-object'],
  [[generic], 'not-an-object'],
  [{}, 'unknown-type'],
  [{ ...association, associationType: 'CONTACT_TO_DEAL' }, 'other-association'],
  [{ ...association, associationType: undefined }, 'other-association'],
  [{ ...association, fromObjectId: 'abc' }, 'bad-object-id'],
  [{ ...association, toObjectId: undefined }, 'bad-object-id'],
  [{ ...generic, subscriptionType: 'object.creation.more' }, 'unknown-type'],
  [{ ...generic, subscriptionType: 7 }, 'unknown-type'],
  [{ ...generic, subscriptionType: 'deal.creation' }, 'unknown-object-type'],
  [{ ...generic, subscriptionType: 'toString.creation' }, 'unknown-object-type'],
  [{ ...generic, objectTypeId: '0-3' }, 'unknown-object-type'],
  [{ ...generic, objectTypeId: undefined }, 'unknown-object-type'],
  [{ ...generic, objectId: 'abc' }, 'bad-object-id'],
  [{ ...generic, objectId: 1.5 }, 'bad-object-id'],
  [{ ...generic, objectId: undefined }, 'bad-object-id'],
  [{ ...generic, portalId: -1 }, 'bad-portal-id'],
  [{ ...generic, occurredAt: 'noon' }, 'bad-time'],
  [{ ...generic, subscriptionType: 'object.propertyChange' }, 'no-property-name'],
  [{ ...generic, subscriptionType: 'object.merge' }, 'no-merged-ids'],
])('what is ignored, with its reason %j', (value, reason) => {
  expect(parseWebhookEvent(value)).toEqual({ kind: 'ignored', reason });
});
