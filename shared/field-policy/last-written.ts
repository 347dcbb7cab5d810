import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import { createExactForm } from './normal-form.ts';

/** Hashes a text under the installation's secret, so that what is stored cannot be guessed back. */
export type Hash = (text: string) => string;

/** By property: the mark of what we wrote last, as HubSpot returned it. */
export type LastWritten = Readonly<Record<string, string>>;

/** A value of a property, blank included, as a keyed hash: what is remembered of it. */
export type Mark = (property: string, value: string | null) => string;

/**
 * The mark names the property, so that equal values of two properties have unequal marks. It is of the value's exact
 * form: whoever corrects an accent or a capital in what we wrote has made it theirs.
 */
export function createMark({ definitions, hash }: { definitions: PropertyDefinitions; hash: Hash }): Mark {
  const exactForm = createExactForm(definitions);
  return (property, value) => hash(`${property}\n${exactForm(property, value ?? '')}`);
}

/**
 * What to store after a write, so that a value can later be recognised as ours without asking HubSpot's history.
 * `written` holds the values as HubSpot returned them, because it rewrites phones, dates and more.
 */
export function lastWrittenMarks(
  written: Readonly<Record<string, string | null>>,
  mark: Mark,
): Record<string, string> {
  const said = Object.entries(written).filter(([, value]) => value !== null && value.trim() !== '');
  return Object.fromEntries(said.map(([property, value]) => [property, mark(property, value)]));
}
