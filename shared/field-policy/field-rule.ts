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
export type FieldGroup = (typeof FIELD_GROUPS)[number];

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
  /** If the account lacks the property, or if the property is read-only, the rule is skipped without a message. */
  readonly optional?: boolean | undefined;
}
