/** How a value of an answer becomes the text of a HubSpot property; see `conversion.ts`. */
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
 * When a property may be written: `fill-blank` only while it is empty; `ours` while it is empty or still holds
 * what we wrote last; `always` whatever is there; `never` not at all.
 */
export const WRITE_MODES = ['fill-blank', 'ours', 'always', 'never'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export const FIELD_GROUPS = ['employer', 'none'] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

/**
 * Where a value is found in an answer. A text is split at `/` only, because the vendor's flat keys contain dots:
 * `organizations.name` is one key, `headquarters/city` is a key within an object. A list is a path of keys.
 */
export type AnswerPath = string | readonly string[];

/** One line of the policy. Several rules may name one property: the first that yields a value is used. */
export interface FieldRule {
  /** HubSpot's internal name of the property. */
  readonly property: string;
  readonly from: AnswerPath;
  readonly convert: Conversion;
  readonly write: WriteMode;
  /**
   * The rule's amount is in the currency that the answer names there, or always in this one: it counts only where that
   * is the account's own, because HubSpot's numbers are.
   */
  readonly currency?: { readonly from: AnswerPath } | { readonly is: string } | undefined;
  /**
   * Of a contact: `employer` properties move to a new employer together or not at all. Default: `employer` if `from`
   * tells of the job, such as `title` or `organizations.name`.
   */
  readonly group?: FieldGroup | undefined;
  /** What would be written is only proposed, and a person accepts it. */
  readonly shadow?: boolean | undefined;
  /** Skipped without a message where the portal lacks the property, or makes it read-only: no account has them all. */
  readonly optional?: boolean | undefined;
}
