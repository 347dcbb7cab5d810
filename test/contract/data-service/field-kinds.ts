/** What a value of a record must be. */
export interface FieldKind {
  readonly name: string;
  readonly isMet: (value: unknown) => boolean;
}

/** Key and kind; a key such as `headquarters.*` stands for all of its group. */
export type FieldRow = readonly [key: string, kind: FieldKind];

const kind = (name: string, isMet: (value: unknown) => boolean): FieldKind => ({ name, isMet });
const matching = (name: string, pattern: RegExp) =>
  kind(name, (value) => typeof value === 'string' && pattern.test(value));

/** An empty one would be an absent one. */
export const TEXT = matching('a text', /\S/);
export const DATE = matching('a day as YYYY-MM-DD', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/);
export const COUNTRY_CODE = matching('a two-letter country code', /^[A-Z]{2}$/);
export const REGION = matching('NORAM, EMEA, APAC or LATAM', /^(?:NORAM|EMEA|APAC|LATAM)$/);
export const URL_TEXT = matching('a URL', /^(?:https?:\/\/)?[^\s/]+\.[^\s/]+/);
export const DOMAIN = matching('a domain', /^[^\s/@]+\.[^\s/@]+$/);
export const EMAIL = matching('an email address', /^[^\s@]+@[^\s@]+\.[^\s@]+$/);
export const PHONE = matching('a phone number', /^\+?[\d\s().-]{7,}$/);
export const TEXT_RANGE = matching('a range in words', /\d/);
export const NUMBER = kind('a number', (value) => typeof value === 'number');
export const YEAR = kind('a year', (value) => Number.isInteger(value) && Number(value) > 1000);
export const BOOLEAN = kind('true or false', (value) => typeof value === 'boolean');
export const OBJECT = kind(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
export const TEXTS = kind(
  'an array of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
);
export const OBJECTS = kind(
  'an array of objects',
  (value) => Array.isArray(value) && value.every(OBJECT.isMet),
);
export const TAGS = kind(
  'a text with semicolons between its parts',
  (value) => typeof value === 'string' && value.split(';').every((part) => part.trim() !== ''),
);
