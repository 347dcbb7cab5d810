import type { PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { addressKey, foldText, toE164 } from '#shared/identity';
import { utcDay } from '#shared/kernel';

/** The normal form of a property's value: two values with one normal form say the same thing. */
export type Normalise = (property: string, value: string) => string;

/**
 * Normal forms by the portal's types: phones in E.164, dates and numbers in one spelling, choices as a sorted set.
 * Texts ignore case, accents, white space, scheme and trailing slash. HubSpot rewrites phones and dates when it stores
 * them, and a change of capitals is no new information.
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
      return normalPhone(value);
    default:
      return definition?.fieldType === 'phonenumber' ? normalPhone(value) : textForm(value);
  }
}

function normalNumber(value: string): string {
  const trimmed = value.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? String(Number(trimmed)) : foldText(value);
}

// Without a country a national number cannot be completed; its digits still ignore its punctuation.
function normalPhone(value: string): string {
  const digits = value.replace(/\D/g, '');
  return toE164(value) ?? (digits === '' ? foldText(value) : digits);
}

function normalText(value: string): string {
  if (/^\s*\+[\d\s().-]{6,}$/.test(value)) return normalPhone(value);
  return addressKey(foldText(value));
}

/** `YYYY-MM-DD` of an ISO date or date-time (in UTC); `undefined` for anything else, also for 30 February. */
export function toCalendarDate(text: string): string | undefined {
  const ms = epochOf(text);
  return ms === undefined ? undefined : utcDay(ms);
}

/** Epoch milliseconds of an ISO date or date-time, or of milliseconds in digits, as HubSpot takes all three. */
export function epochOf(text: string): number | undefined {
  const trimmed = text.trim();
  // Fewer digits are no milliseconds of our time: 20240131 is a date in a form that HubSpot does not take.
  if (/^-?\d{11,14}$/.test(trimmed)) return Number(trimmed);
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(trimmed) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // JavaScript reads 30 February as 2 March; such a date is a damaged one.
  if (Number.isNaN(midnight) || utcDay(midnight) !== day) return undefined;
  const ms = Date.parse(trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Hashes a text under the installation's secret, so that what is stored cannot be guessed back. */
export type Hash = (text: string) => string;

/** A value of a property, blank included, as a keyed hash: what is remembered of it. */
export type Mark = (property: string, value: string | null) => string;

/** The form by which a value is told from what we wrote: texts count to the letter. */
export function createExactForm(definitions: PropertyDefinitions): Normalise {
  return createNormalise(definitions, (text) => text.normalize('NFC').trim());
}

/**
 * The mark names the property, so that equal values of two properties have unequal marks. Dates, numbers, choices and
 * phones count in one spelling, because HubSpot rewrites them by itself, and every other text to the letter: a person who
 * corrects an accent or a capital in what we wrote has made it theirs.
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

/** Whether the property holds several of its options at once, as `a;b`. */
export function holdsSeveral(definition: PropertyDefinition): boolean {
  return definition.type === 'enumeration' && definition.fieldType === 'checkbox';
}

/** The members of a multiple-choice value; a leading `;` means "append" and is no member. */
export function membersOf(value: string): string[] {
  return value
    .split(';')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

/** What has to be sent for the property to say what is proposed; `undefined` when it says so already. */
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
  // Choices are only ever added: without the leading semicolon HubSpot would drop those that are there.
  const present = new Set(membersOf(current));
  const missing = membersOf(value).filter((member) => !present.has(member));
  return missing.length === 0 ? undefined : `;${missing.join(';')}`;
}
