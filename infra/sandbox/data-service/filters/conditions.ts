import { badRequest } from '../errors.ts';
import { isRecord } from '../settings.ts';
import { fold } from '../world/folding.ts';

export type Condition<T> = (subject: T) => boolean;

/**
 * Turns one field's value into a condition. Returns `undefined` if the value filters nothing (an empty list, a range
 * without bounds).
 * @throws ApiError 400 if its form differs from the specification.
 */
export type Filter<T> = (field: string, value: unknown) => Condition<T> | undefined;

/** Matches if the subject has any of the wanted texts. */
export function anyOf<T>(textsOf: (subject: T) => readonly string[], keyOf = fold): Filter<T> {
  return fromTexts((wanted) => {
    const keys = new Set(wanted.map(keyOf));
    return (subject) => textsOf(subject).some((text) => keys.has(keyOf(text)));
  });
}

/** Matches if the subject has all of the wanted texts. */
export function allOf<T>(textsOf: (subject: T) => readonly string[]): Filter<T> {
  return fromTexts((wanted) => {
    const keys = [...new Set(wanted.map(fold))];
    return (subject) => {
      const present = new Set(textsOf(subject).map(fold));
      return keys.every((key) => present.has(key));
    };
  });
}

/** Matches if one of the subject's codes is a wanted code or begins with it: `54` stands for all codes under it. */
export function anyCodeOf<T>(codesOf: (subject: T) => readonly string[]): Filter<T> {
  return fromTexts((wanted) => {
    const codes = new Set(wanted);
    return (subject) => codesOf(subject).some((code) => beginnings(code).some((one) => codes.has(one)));
  });
}

function beginnings(code: string): string[] {
  return Array.from({ length: Math.max(0, code.length - 1) }, (_, place) => code.slice(0, place + 2));
}

/** Negates a filter. */
export function noneOf<T>(filter: Filter<T>): Filter<T> {
  return (field, value) => {
    const condition = filter(field, value);
    return condition === undefined ? undefined : (subject) => !condition(subject);
  };
}

/**
 * Matches numbers within both bounds, inclusive. A missing bound is open. A subject without the number does not
 * match.
 */
export function inRange<T>(numberOf: (subject: T) => number | undefined): Filter<T> {
  return (field, value) => {
    const range = readRange(field, value);
    if (range === undefined) return undefined;
    return (subject) => isWithin(range, numberOf(subject));
  };
}

export function isTrue<T>(flagOf: (subject: T) => boolean): Filter<T> {
  return (field, value) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw badRequest(`${field} must be true or false`);
    return (subject) => flagOf(subject) === value;
  };
}

/**
 * Matches if any of the items `{department, range}` matches.
 * @param countsOf returns counts by department. Names are folded and have underscores.
 */
export function anyRoleCount<T>(countsOf: (subject: T) => Readonly<Record<string, number>>): Filter<T> {
  return (field, value) => {
    const items = readList(field, value, 'objects').map((item) => readRoleItem(field, item));
    if (items.length === 0) return undefined;
    const itemsOfRole = Map.groupBy(items, ({ role }) => role);
    return (subject) =>
      Object.entries(countsOf(subject)).some(([role, count]) =>
        itemsOfRole.get(role)?.some(({ range }) => isWithin(range, count)),
      );
  };
}

export function fromTexts<T>(toCondition: (wanted: readonly string[]) => Condition<T>): Filter<T> {
  return (field, value) => {
    const wanted = readList(field, value, 'strings').map((item) => {
      if (typeof item !== 'string') throw badRequest(`${field} must be an array of strings`);
      return item.trim();
    });
    const given = wanted.filter((text) => text !== '');
    return given.length === 0 ? undefined : toCondition(given);
  };
}

function readList(field: string, value: unknown, items: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badRequest(`${field} must be an array of ${items}`);
  return value;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function readRange(field: string, value: unknown): Range | undefined {
  if (value === undefined || value === null) return undefined;
  const range = isRecord(value) ? value : {};
  const { min, max } = range;
  if (!isRecord(value) || !isBound(min) || !isBound(max)) {
    throw badRequest(`${field} must be a range of numbers: {min, max}`);
  }
  if (typeof min !== 'number' && typeof max !== 'number') return undefined;
  return { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
}

function isBound(value: unknown): value is number | undefined | null {
  return value === undefined || value === null || typeof value === 'number';
}

function isWithin({ min, max }: Range, number: number | undefined): boolean {
  return number !== undefined && number >= min && number <= max;
}

/** Other names of the departments that records count. */
const ROLE_SYNONYMS: Readonly<Record<string, string>> = {
  engineering: 'engineer',
  engineers: 'engineer',
  information_technology: 'it',
};

function readRoleItem(field: string, item: unknown): { readonly role: string; readonly range: Range } {
  const department = isRecord(item) ? item['department'] : undefined;
  const range = isRecord(item) ? readRange(field, item['range']) : undefined;
  if (typeof department !== 'string') throw badRequest(`${field} must be an array of {department, range}`);
  const role = fold(department).replace(/[ -]/g, '_');
  return {
    role: ROLE_SYNONYMS[role] ?? role,
    range: range ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY },
  };
}
