import { describe, expect, it } from 'vitest';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { sortEvents } from '../../../../functions/receive-webhook/handler.ts';
import { event, OWN_APP_ID } from './deliveries.ts';

const sort = (...events: unknown[]) => sortEvents(events, { ownAppId: OWN_APP_ID });
const change = (propertyName: string, more = {}) =>
  event({ subscriptionType: 'object.propertyChange', propertyName, propertyValue: 'x', ...more });

describe('sortEvents', () => {
  it('keeps what two portals tell of one id apart, and says whose it is', () => {
    const theirs = { portalId: 7, subscriptionType: 'contact.privacyDeletion' };
    const { messages, counts } = sort(event(), event(theirs), change('email'));
    expect(messages).toMatchObject([
      { id: '101', portalId: '62515', eventKeys: { length: 2 } },
      { id: '101', portalId: '7', gone: 'forgotten' },
    ]);
    expect(messages[0]?.gone).toBeUndefined();
    expect(counts).toEqual({ queued: 2, coalesced: 1 });
  });

  it.each([...new Set([...Object.values(WATCHED_PROPERTIES).flat(), 'enrichment_requested'])])(
    'queues a change of %s',
    (propertyName) => {
      expect(sort(change(propertyName)).counts).toEqual({ queued: 1 });
    },
  );

  it.each(['jobtitle', 'enrichment_status', 'hs_lastmodifieddate', 'constructor'])(
    'ignores a change of %s',
    (propertyName) => {
      expect(sort(change(propertyName))).toEqual({ messages: [], counts: { 'ignored-property': 1 } });
    },
  );

  it.each([
    [{ changeSource: 'INTEGRATION', sourceId: OWN_APP_ID }, 'ignored-own-write'],
    [{ changeSource: 'INTEGRATION', sourceId: Number(OWN_APP_ID) }, 'ignored-own-write'],
    [{ changeSource: 'INTEGRATION', sourceId: '7002' }, 'queued'],
    [{ changeSource: 'CRM_UI', sourceId: OWN_APP_ID }, 'queued'],
  ])('%j is %s', (source, fate) => {
    expect(sort(change('email', source)).counts).toEqual({ [fate]: 1 });
  });

  it('takes up what the own app created, and not whom it associated', () => {
    const own = { changeSource: 'INTEGRATION', sourceId: OWN_APP_ID };
    const created = { ...change('email', own), subscriptionType: 'company.creation' };
    const ends = { associationType: 'COMPANY_TO_CONTACT', fromObjectId: 5, toObjectId: 6 };
    const associated = { ...change('email', own), subscriptionType: 'contact.associationChange', ...ends };
    expect(sort(created).counts).toEqual({ queued: 1 });
    expect(sort(associated).counts).toEqual({ 'ignored-own-write': 1 });
    expect(sort({ ...associated, changeSource: 'CRM_UI' }).messages).toMatchObject([
      { objectType: 'contacts', id: '6' },
    ]);
  });

  it.each([
    ['object.creation', undefined],
    ['object.restore', undefined],
    ['object.deletion', 'deleted'],
    ['contact.deletion', 'deleted'],
    ['contact.privacyDeletion', 'forgotten'],
  ])('%s makes a message, gone: %s', (subscriptionType, gone) => {
    const { messages, counts } = sort(event({ subscriptionType }));
    expect(counts).toEqual({ queued: 1 });
    expect(messages.map((message) => message.gone)).toEqual([gone]);
  });

  it.each(['object.deletion', 'contact.privacyDeletion', 'object.merge'])(
    'drops no %s, also when the own app caused it',
    (subscriptionType) => {
      const own = { changeSource: 'INTEGRATION', sourceId: OWN_APP_ID };
      const ids = { primaryObjectId: 101, mergedObjectIds: [102], newObjectId: 103 };
      expect(sort(event({ subscriptionType, ...own, ...ids })).counts).toEqual({ queued: 1 });
    },
  );

  it.each([
    [{ changeSource: 'CRM_UI', sourceId: 'userId:42' }, 'user:42'],
    [{ changeSource: 'CRM_UI', sourceId: 42 }, 'user:42'],
    [{ changeSource: 'FORM', sourceId: 'x' }, 'source:FORM'],
    [{ changeSource: 'INTEGRATION', sourceId: '7002' }, 'source:INTEGRATION'],
    [{ changeSource: 'INTEGRATION', sourceId: OWN_APP_ID }, 'app'],
    [{ changeSource: 'FORM', sourceId: OWN_APP_ID }, 'source:FORM'],
    [{ changeSource: undefined, sourceId: undefined }, 'source'],
  ])('names the asker of %j: %s', (of, askedBy) => {
    expect(sort(event(of)).messages).toMatchObject([{ askedBy }]);
  });

  it('names the asker of the most urgent event of a record, and of equals the first', () => {
    const by = (changeSource: string, sourceId = 'x') => ({ changeSource, sourceId });
    const requested = change('enrichment_requested', by('CRM_UI', 'userId:42'));
    expect(sort(event(by('IMPORT')), requested).messages).toMatchObject([
      { purpose: 'manual', askedBy: 'user:42' },
    ]);
    const both = sort(event(by('FORM')), change('email', by('CRM_UI', 'userId:42')));
    expect(both.messages).toMatchObject([{ purpose: 'live', askedBy: 'source:FORM' }]);
  });
});
