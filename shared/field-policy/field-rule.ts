import { isAboutPerson, type ObjectType } from '#shared/crm';
import { LOOKUPS, type Question } from '#shared/questions';
import { COMPANY_FIELDS, FIELD_OF_OPTION, PERSON_FIELDS, type QuestionOption } from '#shared/vendor';

/** Conversions from a value of an answer to the text of a HubSpot property; see `conversion.ts`. */
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
