import * as z from 'zod';
import { parseJson } from '../../../shared/kernel/index.ts';
import {
  ApiError,
  badRequest,
  type Call,
  filledText,
  inForm,
  listOf,
  objectType,
  type Reply,
  type Route,
  text,
  texts,
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

const FILTER = z.object({
  propertyName: filledText,
  operator: filledText,
  value: text.nullish(),
  highValue: text.nullish(),
  values: texts,
});
type Filter = z.output<typeof FILTER>;

const QUERY = z.object({
  query: text.nullish(),
  limit: text.nullish(),
  after: text.nullish(),
  properties: texts,
  sorts: listOf(z.unknown()),
  filterGroups: listOf(z.object({ filters: listOf(FILTER) })),
  filters: listOf(FILTER),
});
type Query = z.output<typeof QUERY>;

function search(call: Call): Reply {
  const { portal } = call;
  const typeId = typeParam(call);
  if (call.bodyLength > BODY_MOST) refuse(`the body is longer than ${BODY_MOST} characters`);
  const query = inForm(QUERY, call.body ?? {});
  const { limit, offset } = pageOf(query);
  const found = matches(portal, typeId, query).sort(orderOf(portal, typeId, query));
  const page = found.slice(offset, offset + limit);
  const end = offset + page.length;
  return {
    status: 200,
    body: {
      total: found.length,
      results: page.map((record) => viewRecord(portal, { record, properties: query.properties })),
      ...(end < found.length && { paging: { next: { after: String(end) } } }),
    },
  };
}

function pageOf(query: Query): { limit: number; offset: number } {
  const limit = Number(query.limit ?? 10);
  const offset = Number(query.after || 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMIT_MOST)
    refuse(`the limit is at most ${LIMIT_MOST}`);
  if (!Number.isInteger(offset) || offset < 0) refuse('after must be a whole number');
  if (offset + limit > RESULTS_MOST) refuse(`paging beyond ${RESULTS_MOST} results is not supported`);
  return { limit, offset };
}

const PAGE_QUERY = QUERY.extend({ objectType, pageLength: z.number().default(10) });

/** Serves the hook `useCrmSearch` of a page, with the answer of its worker API. Only its first page of results. */
export function searchForPage(portal: Portal, body: unknown): object {
  const { objectType: typeId, pageLength, ...query } = inForm(PAGE_QUERY, body);
  const found = matches(portal, typeId, query);
  const results = found.slice(0, pageLength).map((record) => ({
    objectId: Number(record.id),
    properties: Object.fromEntries(
      query.properties.map((name) => [name, readValue(portal, { record, name }) || null]),
    ),
  }));
  return { data: { results, total: found.length, hasMore: found.length > pageLength } };
}

/** Records that a free-text query finds, in the order of their ids. */
export function recordsNamed(portal: Portal, typeId: ObjectTypeId, words: string): StoredRecord[] {
  return matches(portal, typeId, inForm(QUERY, { query: words }));
}

function matches(portal: Portal, typeId: ObjectTypeId, query: Query): StoredRecord[] {
  const indexedAt = portal.clock.now() - portal.state.settings.searchDelayMs;
  const fits = filterPredicate(query, (name) => liveProperty(portal, { typeId, name }));
  const words = (query.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return liveRecords(portal, typeId).filter((record) => {
    const read = (name: string) => indexedValue(portal, record, { name, indexedAt });
    const wholeText = () => QUERIED[typeId].map(read).join(' ').toLowerCase();
    return record.createdAt <= indexedAt && fits(read) && words.every((word) => wholeText().includes(word));
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

const SORT = z.object({
  propertyName: z.string(),
  direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
});

/** Reads the sort order: at most one object, which can also be JSON text. By default, the oldest records come first. */
function sortOf({ sorts: [sort, ...more] }: Query): z.output<typeof SORT> {
  if (more.length > 0) refuse('only one sort is allowed');
  if (sort === undefined) return { propertyName: 'createdate', direction: 'ASCENDING' };
  const given = typeof sort === 'string' ? parseJson(sort) : sort;
  return SORT.safeParse(given).data ?? refuse('a sort could not be read');
}

function orderOf(portal: Portal, typeId: ObjectTypeId, query: Query) {
  const { propertyName: name, direction } = sortOf(query);
  const definition = liveProperty(portal, { typeId, name });
  if (!definition) return refuse(`there is no property ${name}`);
  const sign = direction === 'DESCENDING' ? -1 : 1;
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
  { filterGroups, filters }: Query,
  definitionOf: (name: string) => PropertyDefinition | undefined,
): Predicate {
  const groups = filterGroups.map((group) => group.filters);
  if (filters.length > 0) groups.push(filters);
  if (groups.length > GROUPS_MOST) refuse(`at most ${GROUPS_MOST} filterGroups are allowed`);
  if (groups.some((group) => group.length > FILTERS_A_GROUP_MOST))
    refuse(`at most ${FILTERS_A_GROUP_MOST} filters are allowed in one group`);
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

function filterOf(filter: Filter, definitionOf: (name: string) => PropertyDefinition | undefined): Predicate {
  const { propertyName: name, operator } = filter;
  const definition = definitionOf(name);
  if (!definition) return refuse(`there is no property ${name}`);
  const build = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!build) return refuse(`unknown operator ${operator}`);
  const test = build({ ...filter, definition, as: (value) => comparable(definition, value) });
  if (operator === 'NOT_HAS_PROPERTY') return (readValue) => readValue(name) === '';
  return (readValue) => readValue(name) !== '' && test(readValue(name));
}

type Test = (value: string) => boolean;
type Operator = (
  filter: Filter & {
    readonly definition: PropertyDefinition;
    /** Converts a value so that `<` compares by the property's type. */
    readonly as: (value: string) => number | string;
  },
) => Test;

/** The operators that our clients use, as tests of a value that is not empty. Others are refused. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  EQ: comparing((value, wanted) => value === wanted),
  LTE: comparing((value, wanted) => value <= wanted),
  GT: comparing((value, wanted) => !(value <= wanted)),
  BETWEEN: ({ as, value, highValue }) => {
    const [low, high] = [as(required(value, 'value')), as(required(highValue, 'highValue'))];
    return (given) => as(given) >= low && as(given) <= high;
  },
  IN: oneOf,
  HAS_PROPERTY: () => () => true,
  NOT_HAS_PROPERTY: () => () => true,
};

function comparing(holds: (value: number | string, wanted: number | string) => boolean): Operator {
  return ({ as, value }) => {
    const wanted = as(required(value, 'value'));
    return (given) => holds(as(given), wanted);
  };
}

function required(value: string | null | undefined, key: string): string {
  return value || refuse(`a filter needs its ${key}`);
}

/** Tests for a listed value. For text properties the list must be in lower case, as HubSpot's index requires. */
function oneOf({ values, definition, as }: Parameters<Operator>[0]): Test {
  if (values.length === 0) refuse('a filter with IN needs values');
  if (definition.type === 'string') return (value) => values.includes(value.toLowerCase());
  const wanted = new Set(values.map(as));
  return (value) => wanted.has(as(value));
}
