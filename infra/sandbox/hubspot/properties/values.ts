import type { ErrorDetail } from '../door/api-error.ts';
import type { PropertyDefinition } from './property-definition.ts';

/** A value in stored form, or the reason for its refusal. */
export type Normalised =
  | { readonly value: string; readonly note?: string }
  | { readonly code: string; readonly problem: string };

const LONGEST_TEXT = 65_536;
const NORMALISED = 'PROPERTY_VALUE_NORMALIZED';

export interface ValueRules {
  readonly definition: PropertyDefinition;
  readonly formatPhones: boolean;
  readonly lowerCaseEmails: boolean;
  readonly bareDomains: boolean;
  /**
   * Whether the path has version `2026-09`. This version accepts inexact dates and warns about changed values.
   * Earlier versions refuse such dates and give no warning.
   */
  readonly newest: boolean;
  /** The stored value, to which a new value can be appended. */
  readonly current: string;
}

/** Checks a value against its property's type. An empty string clears the value and is always allowed. */
export function normaliseValue(rules: ValueRules, raw: string): Normalised {
  const { definition, current } = rules;
  if (raw === '') return { value: '' };
  switch (definition.type) {
    case 'number':
      return normaliseNumber(raw);
    case 'bool':
      return /^(true|false)$/i.test(raw) ? { value: raw.toLowerCase() } : notAllowed(definition, raw);
    case 'date':
      return normaliseDate(raw, rules);
    case 'datetime':
      return normaliseDateTime(raw);
    case 'enumeration':
      return normaliseOptions({ definition, current }, raw);
    default:
      return noted(rules, { raw, normalised: normaliseText(rules, raw) });
  }
}

/** Adds a warning in the newest version if the stored form differs from the input. */
function noted(
  { newest }: ValueRules,
  { raw, normalised }: { raw: string; normalised: Normalised },
): Normalised {
  if (!newest || !('value' in normalised) || normalised.value === raw) return normalised;
  return { ...normalised, note: NORMALISED };
}

export function problemDetail(
  name: string,
  { code, problem }: { code: string; problem: string },
): ErrorDetail {
  return { message: problem, code, context: { propertyName: [name] } };
}

function normaliseNumber(raw: string): Normalised {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw)) return { value: raw };
  return { code: 'INVALID_NUMBER', problem: `${raw} was not a valid number.` };
}

/** Accepts a day, or milliseconds at midnight UTC. */
function normaliseDate(raw: string, { newest }: ValueRules): Normalised {
  const time = /^-?\d+$/.test(raw) ? Number(raw) : Date.parse(raw);
  const problem = { code: 'INVALID_DATE', problem: `${raw} was not a valid date.` };
  if (Number.isNaN(new Date(time).getTime())) return problem;
  const value = new Date(time).toISOString().slice(0, 10);
  const exact = raw === value || (/^-?\d+$/.test(raw) && time % 86_400_000 === 0);
  if (exact) return { value };
  return newest ? { value, note: NORMALISED } : problem;
}

/** Accepts ISO 8601, or milliseconds. */
function normaliseDateTime(raw: string): Normalised {
  const time = /^-?\d+$/.test(raw)
    ? Number(raw)
    : /^\d{4}-\d\d-\d\d/.test(raw)
      ? Date.parse(raw)
      : Number.NaN;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    return { code: 'INVALID_DATE', problem: `${raw} was not a valid date and time.` };
  }
  return { value: date.toISOString() };
}

/** Reads values that are separated by `;`. If the text begins with `;`, the values are appended to the present ones. */
function normaliseOptions(
  { definition, current }: Pick<ValueRules, 'definition' | 'current'>,
  raw: string,
): Normalised {
  const several = definition.fieldType === 'checkbox';
  const given = several ? raw.split(';').filter((one) => one !== '') : [raw];
  const known = new Set(definition.options.map((option) => option.value));
  const unknown = definition.externalOptions ? undefined : given.find((one) => !known.has(one));
  if (unknown !== undefined) return notAllowed(definition, unknown);
  const kept = several && raw.startsWith(';') ? current.split(';').filter((one) => one !== '') : [];
  return { value: [...new Set([...kept, ...given])].join(';') };
}

function notAllowed(definition: PropertyDefinition, raw: string): Normalised {
  const allowed = definition.options.map((option) => `label: "${option.label}" value: "${option.value}"`);
  return {
    code: 'INVALID_OPTION',
    problem: `${raw} was not one of the allowed options: [${allowed.join(', ')}]`,
  };
}

function normaliseText({ definition, ...forms }: ValueRules, raw: string): Normalised {
  if (raw.length > LONGEST_TEXT) {
    return { code: 'PROPERTY_VALUE_TOO_LONG', problem: `A value of ${raw.length} characters is too long.` };
  }
  if (definition.hubspotDefined && definition.name === 'email') return normaliseEmail(raw, forms);
  if (definition.hubspotDefined && definition.name === 'domain' && forms.bareDomains)
    return { value: bareHost(raw) };
  if (definition.fieldType === 'phonenumber' && forms.formatPhones) {
    return { value: raw.replace(/(?!^\+)[^\d]/g, '') };
  }
  return { value: raw };
}

function normaliseEmail(raw: string, { lowerCaseEmails }: Pick<ValueRules, 'lowerCaseEmails'>): Normalised {
  const value = lowerCaseEmails ? raw.trim().toLowerCase() : raw.trim();
  if (/^[^\s@<>(),;:]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) && !UNKNOWN_ENDING.test(value)) return { value };
  return { code: 'INVALID_EMAIL', problem: `Email address ${raw} is invalid` };
}

/** HubSpot refuses top-level domains that do not exist. These are the usual mistakes; numbers are never one. */
const UNKNOWN_ENDING =
  /\.(?:con|cmo|cim|ocm|comm|coom|vom|xom|cpm|nte|ner|ogr|localhost|local|lan|internal|\d+|.)$/i;

/** Removes scheme, `www` and path from a company's domain. */
function bareHost(raw: string): string {
  const host =
    raw
      .trim()
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .split(/[/?#]/)[0] ?? '';
  return host.replace(/^www\./, '');
}
