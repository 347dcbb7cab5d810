import {
  isAboutPerson,
  type ObjectType,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm';
import { addressKey, foldText, phoneKey } from '#shared/identity';
import { utcDay } from '#shared/kernel';
import { LOOKUPS, type Question } from '#shared/questions';
import { COMPANY_FIELDS, FIELD_OF_OPTION, PERSON_FIELDS, type QuestionOption } from '#shared/vendor';

/** Conversions from a value of an answer to the text of a HubSpot property; see `mapping.ts`. */
export const CONVERSIONS = [
  'text',
  'number',
  'phone',
  'email',
  'domain',
  'url',
  'country-name',
  'country-code',
  'state-code',
  'date',
  'option',
  'year',
  'list',
  'is-public',
] as const;

export type Conversion = (typeof CONVERSIONS)[number];

/**
 * When a property may be written:
 * - `fill-blank`: only if it is empty;
 * - `ours`: if it is empty or has our last value;
 * - `always`: over any value;
 * - `never`: not at all.
 */
export const WRITE_MODES = ['fill-blank', 'ours', 'always', 'never'] as const;

export type WriteMode = (typeof WRITE_MODES)[number];

export const FIELD_GROUPS = ['employer', 'none'] as const;

type FieldGroup = (typeof FIELD_GROUPS)[number];

/**
 * The path to a value in an answer: `headquarters/city` is the key `city` in an object. After `raw.` comes a key of the
 * vendor, which may contain dots. A list is a path of keys.
 */
export type AnswerPath = string | readonly string[];

export function keysOfPath(path: AnswerPath): readonly string[] {
  return typeof path === 'string' ? path.replace(/^raw\./, 'raw/').split('/') : path;
}

/** One rule of the policy. If several rules have the same property, the first one that yields a value is used. */
export interface FieldRule {
  /** HubSpot's internal name of the property. */
  readonly property: string;
  readonly from: AnswerPath;
  readonly convert: Conversion;
  readonly write: WriteMode;
  /**
   * The amount's currency: a path in the answer, or a fixed currency. The rule applies only if this is the account's
   * currency, because a number in HubSpot has no currency.
   */
  readonly currency?: { readonly from: AnswerPath } | { readonly is: string } | undefined;
  /**
   * Only for contacts: after a job change, `employer` properties are written together or not at all. Default:
   * `employer` if `from` is about the job, such as `title` or `employerName`.
   */
  readonly group?: FieldGroup | undefined;
  /** Set if the value is only proposed, and written after a person accepts it. */
  readonly shadow?: boolean | undefined;
  /**
   * If the account lacks the property, or if the property is read-only, the rule is skipped without a message. Only
   * `doctor` warns if the property of a default field is missing.
   */
  readonly optional?: boolean | undefined;
}

/** Returns all keys of canonical records about records of the type. */
export function recordKeys(objectType: ObjectType): readonly string[] {
  return isAboutPerson({ objectType }) ? PERSON_FIELDS : COMPANY_FIELDS;
}

/** Options of a company profile. */
export const COMPANY_OPTIONS = ['funding', 'technology', 'contacts'] as const;

/** The first key of the path from which a rule takes its value. */
export function answerKeyOf({ from }: Pick<FieldRule, 'from'>): string {
  return keysOfPath(from)[0] ?? '';
}

/** Whether an answer to the question can hold the key. */
export function canFill({ operation, options }: Question, key: string): boolean {
  const { yields, search } = LOOKUPS[operation];
  if (key === 'raw') return search === undefined;
  return yields.includes(key) || options.some((option) => adds(option, new Set([key])));
}

/** Whether an option adds any of the keys. */
export function adds(option: QuestionOption, keys: ReadonlySet<string>): boolean {
  return keys.has(FIELD_OF_OPTION[option]);
}

/**
 * Whether a blank of the property is a reason for a lookup. A state code is none: it comes with the state, and most
 * countries have no codes.
 */
export function isWorthLookup({ write, convert }: Pick<FieldRule, 'write' | 'convert'>): boolean {
  return write !== 'never' && convert !== 'state-code';
}

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
