import { ApiError, badRequest } from '../door/api-error.ts';
import { asObject, type JsonObject, listIn, optionalText, requiredText } from '../door/json.ts';
import type { PropertyDefinition } from '../properties/property-definition.ts';

/** Whether a record matches. The reader returns the record's values, or an empty string for no value. */
export type Predicate = (readValue: (name: string) => string) => boolean;

const GROUPS_MOST = 5;
const FILTERS_A_GROUP_MOST = 6;
const FILTERS_MOST = 18;

/**
 * Reads the filters. One of the groups must match. In a group, all filters must match. Without groups, every record
 * matches.
 */
export function filterPredicate(
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
export function comparable(definition: PropertyDefinition, value: string): number | string {
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

function refuse(reason: string): never {
  throw new ApiError(badRequest(`There was a problem with the request: ${reason}.`));
}
