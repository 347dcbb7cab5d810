import { ApiError, badRequest } from '../door/api-error.ts';
import { asObject, type JsonObject, listIn, optionalText, textsIn } from '../door/json.ts';
import { type Call, type Reply, type Route, typeParam } from '../door/route.ts';
import type { Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import type { ObjectTypeId } from './object-types.ts';
import { liveProperty, readValue, viewRecord } from './record-view.ts';
import { liveRecords } from './records.ts';
import { comparable, filterPredicate } from './search-filters.ts';

const LIMIT_MOST = 200;
const RESULTS_MOST = 10_000;
const BODY_MOST = 3_000;
/** Properties that a free-text `query` searches. */
const QUERIED: Readonly<Record<ObjectTypeId, readonly string[]>> = {
  '0-1': ['firstname', 'lastname', 'email', 'phone', 'company', 'hs_object_id'],
  '0-2': ['name', 'domain', 'website', 'phone', 'hs_object_id'],
};

export const SEARCH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/crm/objects/{version}/{objectType}/search',
    needs: 'read',
    bucket: 'search',
    run: search,
  },
];

function search(call: Call): Reply {
  const { portal } = call;
  const typeId = typeParam(call);
  if (call.bodyLength > BODY_MOST) refuse(`the body is longer than ${BODY_MOST} characters`);
  const body = asObject(call.body ?? {});
  const { limit, offset } = pageOf(body);
  const found = matchingRecords(portal, { typeId, body }).sort(orderOf(portal, { typeId, body }));
  const page = found.slice(offset, offset + limit);
  const end = offset + page.length;
  const properties = textsIn(body, 'properties');
  return {
    status: 200,
    body: {
      total: found.length,
      results: page.map((record) => viewRecord(portal, { record, properties })),
      ...(end < found.length && { paging: { next: { after: String(end) } } }),
    },
  };
}

function pageOf(body: JsonObject): { limit: number; offset: number } {
  const limit = Number(optionalText(body, 'limit') ?? 10);
  const offset = Number(optionalText(body, 'after') || 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMIT_MOST)
    refuse(`the limit is at most ${LIMIT_MOST}`);
  if (!Number.isInteger(offset) || offset < 0) refuse('after must be a whole number');
  if (offset + limit > RESULTS_MOST) refuse(`paging beyond ${RESULTS_MOST} results is not supported`);
  return { limit, offset };
}

/** Matching records in the order of their ids. */
export function matchingRecords(
  portal: Portal,
  { typeId, body }: { typeId: ObjectTypeId; body: JsonObject },
): StoredRecord[] {
  const indexedAt = portal.clock.now() - portal.state.settings.searchDelayMs;
  const fits = filterPredicate(body, (name) => liveProperty(portal, { typeId, name }));
  const words = (optionalText(body, 'query') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return liveRecords(portal, typeId).filter((record) => {
    const read = (name: string) => indexedValue(portal, record, { name, indexedAt });
    const text = () => QUERIED[typeId].map(read).join(' ').toLowerCase();
    return record.createdAt <= indexedAt && fits(read) && words.every((word) => text().includes(word));
  });
}

/** The value in the search index, which can be older than the record's value. */
function indexedValue(
  portal: Portal,
  record: StoredRecord,
  { name, indexedAt }: { name: string; indexedAt: number },
): string {
  const history = record.history[name];
  if (!history || record.updatedAt <= indexedAt) return readValue(portal, { record, name });
  return history.find((entry) => entry.timestamp <= indexedAt)?.value ?? '';
}

interface Sort {
  readonly name: string;
  readonly descending: boolean;
}

/**
 * Reads the sort order: at most one name, `-name`, or object, which can also be JSON text. By default, the oldest
 * records come first.
 */
function sortOf(body: JsonObject): Sort {
  const [sort, ...more] = listIn(body, 'sorts');
  if (more.length > 0) refuse('only one sort is allowed');
  if (sort === undefined) return { name: 'createdate', descending: false };
  const given = typeof sort === 'string' && sort.startsWith('{') ? parsedSort(sort) : sort;
  if (typeof given === 'string') return { name: given.replace(/^-/, ''), descending: given.startsWith('-') };
  const { propertyName, direction = 'ASCENDING' } = asObject(given, 'a sort');
  if (typeof propertyName !== 'string') return refuse('a sort needs a propertyName');
  if (direction !== 'ASCENDING' && direction !== 'DESCENDING')
    return refuse(`${String(direction)} is not a direction`);
  return { name: propertyName, descending: direction === 'DESCENDING' };
}

function parsedSort(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('a sort could not be read');
  }
}

function orderOf(portal: Portal, { typeId, body }: { typeId: ObjectTypeId; body: JsonObject }) {
  const { name, descending } = sortOf(body);
  const definition = liveProperty(portal, { typeId, name });
  if (!definition) return refuse(`there is no property ${name}`);
  const sign = descending ? -1 : 1;
  return (left: StoredRecord, right: StoredRecord) => {
    const [a, b] = [left, right].map((record) => readValue(portal, { record, name }));
    if (!a || !b) return a === b ? Number(left.id) - Number(right.id) : a ? -1 : 1;
    const [x, y] = [comparable(definition, a), comparable(definition, b)];
    return x === y ? Number(left.id) - Number(right.id) : x < y ? -sign : sign;
  };
}

function refuse(reason: string): never {
  throw new ApiError(badRequest(`There was a problem with the request: ${reason}.`));
}
