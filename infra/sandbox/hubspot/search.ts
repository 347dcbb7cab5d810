import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  type JsonObject,
  listIn,
  optionalText,
  type Reply,
  type Route,
  requiredText,
  textsIn,
  typeParam,
} from './http.ts';
import type { PropertyDefinition } from './properties.ts';
import { liveProperty, liveRecords, readValue, viewRecord } from './records.ts';
import type { ObjectTypeId, Portal, StoredRecord } from './state.ts';

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

/** Whether a record matches. The reader returns the record's values, or an empty string for no value. */
type Predicate = (readValue: (name: string) => string) => boolean;

const GROUPS_MOST = 5;
const FILTERS_A_GROUP_MOST = 6;
const FILTERS_MOST = 18;

/**
 * Reads the filters. One of the groups must match. In a group, all filters must match. Without groups, every record
 * matches.
 */
function filterPredicate(
  body: JsonObject,
  definitionOf: (name: string) => PropertyDefinition | undefined,
): Predicate {
  const groups = listIn(body, 'filterGroups').map((group) =>
    listIn(asObject(group, 'a filter group'), 'filters'),
  );
  const filters = listIn(body, 'filters');
  if (filters.length > 0) groups.push(filters);
  if (groups.length > GROUPS_MOST) refuse(`at most ${GROUPS_MOST} filterGroups are allowed`);
  if (groups.some((group) => group.length > FILTERS_A_GROUP_MOST)) {
    refuse(`at most ${FILTERS_A_GROUP_MOST} filters are allowed in one group`);
  }
  if (groups.flat().length > FILTERS_MOST) refuse(`at most ${FILTERS_MOST} filters are allowed`);
  const predicates = groups.map((group) => group.map((filter) => filterOf(filter, definitionOf)));
  return (readValue) =>
    predicates.length === 0 || predicates.some((group) => group.every((fits) => fits(readValue)));
}

/** Converts a value so that `<` compares by its type. */
function comparable(definition: PropertyDefinition, value: string): number | string {
  switch (definition.type) {
    case 'number':
      return Number(value);
    case 'date':
    case 'datetime':
      return /^-?\d+$/.test(value) ? Number(value) : Date.parse(value);
    case 'enumeration':
    case 'bool':
      return value;
    default:
      return value.toLowerCase();
  }
}

function filterOf(given: unknown, definitionOf: (name: string) => PropertyDefinition | undefined): Predicate {
  const filter = asObject(given, 'a filter');
  const name = requiredText(filter, 'propertyName');
  const definition = definitionOf(name);
  if (!definition) return refuse(`there is no property ${name}`);
  const test = testOf(filter, definition);
  const operator = requiredText(filter, 'operator');
  if (operator === 'NOT_HAS_PROPERTY') return (readValue) => readValue(name) === '';
  return (readValue) => readValue(name) !== '' && test(readValue(name));
}

/** Builds the test of a value that is not empty. */
function testOf(filter: JsonObject, definition: PropertyDefinition): (value: string) => boolean {
  const as = (value: string) => comparable(definition, value);
  const value = () => as(requiredText(filter, 'value'));
  switch (requiredText(filter, 'operator')) {
    case 'EQ':
      return equals(as, value());
    case 'NEQ':
      return not(equals(as, value()));
    case 'LT':
      return not(atLeast(as, value()));
    case 'LTE':
      return atMost(as, value());
    case 'GT':
      return not(atMost(as, value()));
    case 'GTE':
      return atLeast(as, value());
    case 'BETWEEN':
      return both(atLeast(as, value()), atMost(as, as(requiredText(filter, 'highValue'))));
    case 'IN':
      return oneOf(filter, definition);
    case 'NOT_IN':
      return not(oneOf(filter, definition));
    case 'CONTAINS_TOKEN':
      return containsToken(requiredText(filter, 'value'));
    case 'NOT_CONTAINS_TOKEN':
      return not(containsToken(requiredText(filter, 'value')));
    case 'HAS_PROPERTY':
    case 'NOT_HAS_PROPERTY':
      return () => true;
    default:
      return refuse(`unknown operator ${optionalText(filter, 'operator')}`);
  }
}

type As = (value: string) => number | string;

function equals(as: As, wanted: number | string) {
  return (value: string) => as(value) === wanted;
}

function atLeast(as: As, wanted: number | string) {
  return (value: string) => as(value) >= wanted;
}

function atMost(as: As, wanted: number | string) {
  return (value: string) => as(value) <= wanted;
}

function both(first: (value: string) => boolean, second: (value: string) => boolean) {
  return (value: string) => first(value) && second(value);
}

/** Tests for a listed value. For text properties the list must be in lower case, as HubSpot's index requires. */
function oneOf(filter: JsonObject, definition: PropertyDefinition) {
  const wanted = listIn(filter, 'values').map(String);
  if (wanted.length === 0) refuse('a filter with IN or NOT_IN needs values');
  if (definition.type === 'string') return (value: string) => wanted.includes(value.toLowerCase());
  const set = new Set(wanted.map((value) => comparable(definition, value)));
  return (value: string) => set.has(comparable(definition, value));
}

/** Tests for words, in any case, with `*` for any letters. */
function containsToken(wanted: string) {
  const tokens = tokensOf(wanted, /[^\p{L}\p{N}*]+/u).map(
    (token) => new RegExp(`^${token.replaceAll('*', '.*')}$`, 'u'),
  );
  return (value: string) => {
    const words = [value.toLowerCase(), ...tokensOf(value, /[^\p{L}\p{N}]+/u)];
    return tokens.every((token) => words.some((word) => token.test(word)));
  };
}

function tokensOf(text: string, gap: RegExp): string[] {
  return text
    .toLowerCase()
    .split(gap)
    .filter((token) => token !== '');
}

function not(test: (value: string) => boolean) {
  return (value: string) => !test(value);
}
