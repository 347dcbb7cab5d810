import type { PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { addressKey, foldText, phoneKey } from '#shared/identity';
import { utcDay } from '#shared/kernel';

/** Returns the normal form of a property's value. Values with the same normal form are equal. */
export type Normalise = (property: string, value: string) => string;

/**
 * Creates normal forms by the account's types: phones in E.164, dates and numbers in one spelling, choices as a sorted
 * set. For texts, case, accents, white space, scheme and trailing slash do not count. HubSpot rewrites phones and dates
 * when it stores them, and a change of case is not new information.
 */
export function createNormalise(definitions: PropertyDefinitions, textForm = normalText): Normalise {
  return (property, value) => normalValue(definitions.get(property), value, textForm);
}

function normalValue(
  definition: PropertyDefinition | undefined,
  value: string,
  textForm: (value: string) => string,
): string {
  switch (definition?.type) {
    case 'number':
      return normalNumber(value);
    case 'date':
      return toCalendarDate(value) ?? textForm(value);
    case 'datetime':
      return String(epochOf(value) ?? textForm(value));
    case 'bool':
      return value.trim().toLowerCase();
    case 'enumeration':
      return holdsSeveral(definition) ? [...new Set(membersOf(value))].sort().join(';') : value.trim();
    case 'phone_number':
      return phoneKey(value);
    default:
      return definition?.fieldType === 'phonenumber' ? phoneKey(value) : textForm(value);
  }
}

function normalNumber(value: string): string {
  const trimmed = value.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? String(Number(trimmed)) : foldText(value);
}

function normalText(value: string): string {
  if (/^\s*\+[\d\s().-]{6,}$/.test(value)) return phoneKey(value);
  return addressKey(foldText(value));
}

/**
 * Returns `YYYY-MM-DD` of an ISO date or date-time (in UTC); `undefined` for other texts and for dates such as 30
 * February.
 */
export function toCalendarDate(text: string): string | undefined {
  const ms = epochOf(text);
  return ms === undefined ? undefined : utcDay(ms);
}

/**
 * Returns epoch milliseconds of an ISO date, an ISO date-time, or milliseconds in digits. HubSpot accepts these three
 * forms.
 */
export function epochOf(text: string): number | undefined {
  const trimmed = text.trim();
  // Fewer digits are not milliseconds of a recent time. 20240131, for example, is a date in a form that HubSpot does
  // not accept.
  if (/^-?\d{11,14}$/.test(trimmed)) return Number(trimmed);
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(trimmed) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // JavaScript parses 30 February as 2 March, but such a date is invalid.
  if (Number.isNaN(midnight) || utcDay(midnight) !== day) return undefined;
  const ms = Date.parse(trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Hashes a text under the installation's secret, so that the value cannot be guessed from the hash. */
export type Hash = (text: string) => string;

/** Returns the keyed hash of a property's value, also of a blank value. Only this hash is stored. */
export type Mark = (property: string, value: string | null) => string;

/** Creates the form for the comparison of a value with our last value. Texts must be equal in every character. */
export function createExactForm(definitions: PropertyDefinitions): Normalise {
  return createNormalise(definitions, (text) => text.normalize('NFC').trim());
}

/**
 * Creates the function for hashes of values. A hash includes the property's name, so that equal values of two properties
 * have different hashes. Dates, numbers, choices and phones are hashed in one spelling, because HubSpot rewrites them. Other
 * texts are hashed exactly: if a person corrects an accent or a capital, the value counts as the person's.
 */
export function createMark({ definitions, hash }: { definitions: PropertyDefinitions; hash: Hash }): Mark {
  const exactForm = createExactForm(definitions);
  return (property, value) => hash(`${property}\n${exactForm(property, value ?? '')}`);
}

/**
 * Computes the hashes to store after a write, so that our values are recognised later without HubSpot's history.
 * @param written values as HubSpot returned them, because HubSpot rewrites phones, dates and others.
 */
export function lastWrittenMarks(
  written: Readonly<Record<string, string | null>>,
  mark: Mark,
): Record<string, string> {
  const filled = Object.entries(written).filter(([, value]) => value !== null && value.trim() !== '');
  return Object.fromEntries(filled.map(([property, value]) => [property, mark(property, value)]));
}

/** Whether the property can have several options at the same time, as `a;b`. */
export function holdsSeveral(definition: PropertyDefinition): boolean {
  return definition.type === 'enumeration' && definition.fieldType === 'checkbox';
}

/** Returns the members of a multiple-choice value. A leading `;` means "append" and is not a member. */
export function membersOf(value: string): string[] {
  return value
    .split(';')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

/**
 * Returns the value to send, so that the property gets the proposed value; `undefined` if the property already has this
 * value.
 */
export function missingPart(
  {
    property,
    value,
    appends,
  }: { readonly property: string; readonly value: string; readonly appends?: boolean | undefined },
  current: string,
  normalise: Normalise,
): string | undefined {
  if (!appends) return normalise(property, current) === normalise(property, value) ? undefined : value;
  // Choices are only added. Without the leading semicolon, HubSpot would replace the record's choices.
  const currentMembers = new Set(membersOf(current));
  const missing = membersOf(value).filter((member) => !currentMembers.has(member));
  return missing.length === 0 ? undefined : `;${missing.join(';')}`;
}
