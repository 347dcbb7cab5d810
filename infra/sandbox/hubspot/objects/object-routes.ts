import { ApiError, badRequest, notFound } from '../door/api-error.ts';
import { asObject, requiredText } from '../door/json.ts';
import { type Call, queryLimit, queryList, type Reply, type Route, typeParam } from '../door/route.ts';
import type { StoredRecord } from '../state.ts';
import { associationsView } from './associations.ts';
import { holderOf } from './holders.ts';
import { type ObjectTypeId, pluralName } from './object-types.ts';
import { liveProperty, viewRecord } from './record-view.ts';
import { findRecord, isExpired } from './records.ts';

const ALL = '/crm/objects/{version}/{objectType}';
const LIST_MOST = 100;
const LIST_MOST_WITH_HISTORY = 50;

/** The list of records, one page a call. */
export const OBJECT_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, needs: 'read', run: listRecords },
];

function listRecords(call: Call): Reply {
  const { portal } = call;
  const typeId = typeParam(call);
  const withHistory = queryList(call, 'propertiesWithHistory');
  const most = withHistory.length > 0 ? LIST_MOST_WITH_HISTORY : LIST_MOST;
  const limit = queryLimit(call, { byDefault: 10, most });
  const after = Number(call.query.get('after') ?? 0);
  if (Number.isNaN(after)) throw new ApiError(badRequest('The after parameter must be a record id.'));
  const archived = call.query.get('archived') === 'true';
  const rows = Object.values(portal.state.records[typeId]).filter(
    (record) =>
      (record.archivedAt !== null) === archived && !isExpired(portal, record) && Number(record.id) >= after,
  );
  const next = rows[limit];
  return {
    status: 200,
    body: {
      results: rows.slice(0, limit).map((record) => viewOf(call, record)),
      ...(next && { paging: { next: { after: next.id, link: nextLink(call, next.id) } } }),
    },
  };
}

interface Identity {
  readonly typeId: ObjectTypeId;
  /** Unique property to search by. The record id by default. */
  readonly idProperty?: string | null | undefined;
  readonly value: string;
}

/** @throws ApiError 400 if the property is not unique. */
export function recordBy(
  { portal }: Call,
  { typeId, idProperty, value }: Identity,
): StoredRecord | undefined {
  if (!idProperty || idProperty === 'hs_object_id') return findRecord(portal, { typeId, id: value });
  if (!liveProperty(portal, { typeId, name: idProperty })?.hasUniqueValue) {
    throw new ApiError(badRequest(`${idProperty} is not a unique property of ${pluralName(typeId)}.`));
  }
  return holderOf(portal, { typeId, name: idProperty, value });
}

function viewOf(call: Call, record: StoredRecord): Record<string, unknown> {
  const view = viewRecord(call.portal, {
    record,
    properties: queryList(call, 'properties'),
    withHistory: queryList(call, 'propertiesWithHistory'),
  });
  const types = queryList(call, 'associations');
  return types.length === 0
    ? view
    : { ...view, associations: associationsView(call.portal, { record, types }) };
}

interface Written {
  readonly record: StoredRecord;
  readonly values: Record<string, string>;
  readonly warnings: readonly object[];
}

/** Answer to a write: the written properties and the default ones. */
export function writtenView(
  { portal }: Call,
  { record, values, warnings }: Written,
): Record<string, unknown> {
  const view = viewRecord(portal, { record, properties: Object.keys(values) });
  return warnings.length === 0 ? view : { ...view, warnings };
}

function nextLink(call: Call, after: string): string {
  const query = new URLSearchParams(call.query);
  query.set('after', after);
  return `https://api.hubapi.com${call.path}?${query}`;
}

/** Finds the contact of a privacy deletion, by id or unique property. */
export function gdprDeleteTarget(call: Call): StoredRecord {
  const body = asObject(call.body);
  const value = requiredText(body, 'objectId');
  const idProperty = typeof body['idProperty'] === 'string' ? body['idProperty'] : undefined;
  const record = recordBy(call, { typeId: typeParam(call), idProperty, value });
  if (!record)
    throw new ApiError(notFound('No record with this id or value.', { context: { ids: [value] } }));
  return record;
}
