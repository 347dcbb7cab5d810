import type { Question } from '#shared/questions';
import type { SearchOperation } from '#shared/vendor';
import { checkedParameters } from '#shared/vendor/adapters';
import { flagsOf, givenIn, type OperationOptions, refuseUnchecked } from './lookup.ts';

export interface Search {
  readonly operation: SearchOperation;
  /** Filters and options by the data service's names, without the page. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Builds a search from the options, in normal form, so that equal searches are the same question. Names have a fixed
 * order, and lists are sorted, without duplicates.
 * @throws CliError that names the option to change
 */
export function searchOf(
  operation: SearchOperation,
  known: OperationOptions,
  typed: Readonly<Record<string, unknown>>,
): Search {
  const given = Object.entries(givenIn(known, typed)).map(
    ([name, value]) => [name, value === true && isAddition(known, name) ? 'include' : value] as const,
  );
  const checked = refuseUnchecked(
    () => checkedParameters(operation, Object.fromEntries(given)),
    flagsOf(known),
  );
  const entries = Object.entries(checked).map(([name, value]) => [name, normalValue(name, value)] as const);
  return { operation, parameters: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function isAddition({ additions }: OperationOptions, name: string): boolean {
  return additions.some(([parameter]) => parameter === name);
}

/** The question for one page of a search. */
export function pageQuestion({ operation, parameters }: Search, page: object): Question {
  return { operation, by: { search: JSON.stringify({ ...parameters, ...page }) }, options: [] };
}

function normalValue(name: string, value: unknown): unknown {
  if (/domains?$/.test(name)) return lowerCase(value);
  return Array.isArray(value) ? sorted(value) : value;
}

function lowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return sorted(value.map(lowerCase));
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function sorted(values: readonly unknown[]): unknown[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
