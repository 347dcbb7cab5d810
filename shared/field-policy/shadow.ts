import type { ObjectType } from '#shared/crm/crm-record.ts';
import { EMPLOYER_PROPERTIES } from './employer.ts';
import { JOB_CHANGE_PROPERTIES } from './enrichment-properties.ts';
import type { Policy } from './policy.ts';

/** What of a record's new values may be written at once; the rest is proposed. Of an employer all waits, or nothing. */
export function outOfShadow(
  { mode, fields }: Pick<Policy, 'mode' | 'fields'>,
  objectType: ObjectType,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (mode === 'shadow') return {};
  const shadow = new Set(fields[objectType].flatMap((rule) => (rule.shadow ? [rule.property] : [])));
  if (shadow.size === 0) return values;
  const isEmployerHeld =
    objectType === 'contacts' &&
    EMPLOYER_PROPERTIES.some((property) => Object.hasOwn(values, property) && shadow.has(property));
  const isHeld = (property: string) => shadow.has(property) || (isEmployerHeld && OF_EMPLOYER.has(property));
  return Object.fromEntries(Object.entries(values).filter(([property]) => !isHeld(property)));
}

const OF_EMPLOYER: ReadonlySet<string> = new Set([...EMPLOYER_PROPERTIES, ...JOB_CHANGE_PROPERTIES]);
