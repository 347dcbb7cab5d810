import * as z from 'zod';
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
const BODY_MOST = 3_000;
/** Properties that a free-text search reads. */
const SEARCHED: Readonly<Record<ObjectTypeId, readonly string[]>> = {
  '0-1': ['firstname', 'lastname', 'email', 'phone', 'company', 'hs_object_id'],
  '0-2': ['name', 'domain', 'website', 'phone', 'hs_object_id'],
};

export const SEARCH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/crm/objects/2026-09/{objectType}/search',
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

const GROUPS = listOf(z.object({ filters: listOf(FILTER) }));
/** Our clients read pages by the last id, so the order is always that of the ids. */
const BY_ID = z.object({ propertyName: z.literal('hs_object_id'), direction: z.literal('ASCENDING') });

const QUERY = z.strictObject({
  filterGroups: GROUPS,
  properties: texts,
  limit: z.int().min(0).max(LIMIT_MOST).default(10),
  sorts: z.array(BY_ID).max(1).optional(),
});

function search(call: Call): Reply {
  const { portal } = call;
  const typeId = typeParam(call);
  if (call.bodyLength > BODY_MOST) refuse(`the body is longer than ${BODY_MOST} characters`);
  const { filterGroups, properties, limit } = inForm(QUERY, call.body ?? {});
  const found = matches(portal, typeId, { filterGroups }).sort((a, b) => Number(a.id) - Number(b.id));
  const results = found.slice(0, limit).map((record) => viewRecord(portal, { record, properties }));
  const paging = { next: { after: String(results.length) } };
  const body = { total: found.length, results, ...(results.length < found.length && { paging }) };
  return { status: 200, body };
}

const PAGE_QUERY = z.object({
  objectType,
  filterGroups: GROUPS,
  properties: texts,
  pageLength: z.number().default(10),
});

/** Serves the hook `useCrmSearch` of a page, with the answer of its worker API. Only its first page of results. */
export function searchForPage(portal: Portal, body: unknown): object {
  const { objectType: typeId, filterGroups, properties, pageLength } = inForm(PAGE_QUERY, body);
  const found = matches(portal, typeId, { filterGroups });
  const results = found.slice(0, pageLength).map((record) => ({
    objectId: Number(record.id),
    properties: Object.fromEntries(
      properties.map((name) => [name, readValue(portal, { record, name }) || null]),
    ),
  }));
  return { data: { results, total: found.length, hasMore: found.length > pageLength } };
}

interface Wanted {
  readonly filterGroups?: z.output<typeof GROUPS>;
  /** Words that the record must have. */
  readonly words?: string;
}

/** Records that a search finds, in the order of their creation. */
export function matches(
  portal: Portal,
  typeId: ObjectTypeId,
  { filterGroups = [], words = '' }: Wanted,
): StoredRecord[] {
  const indexedAt = portal.clock.now() - portal.state.settings.searchDelayMs;
  const fits = filterPredicate(filterGroups, (name) => liveProperty(portal, { typeId, name }));
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return liveRecords(portal, typeId).filter((record) => {
    const read = (name: string) => indexedValue(portal, record, { name, indexedAt });
    const wholeText = () => SEARCHED[typeId].map(read).join(' ').toLowerCase();
    return record.createdAt <= indexedAt && fits(read) && wanted.every((word) => wholeText().includes(word));
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
  filterGroups: z.output<typeof GROUPS>,
  definitionOf: (name: string) => PropertyDefinition | undefined,
): Predicate {
  const groups = filterGroups.map((group) => group.filters);
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
