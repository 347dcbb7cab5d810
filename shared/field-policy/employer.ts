import type { CrmRecord, ObjectType } from '#shared/crm';
import { JOB_CHANGE_PROPERTIES } from './enrichment-properties.ts';
import type { FieldRule } from './field-rule.ts';
import type { Proposal } from './mapping/map-answer.ts';
import type { WriteDecision } from './overwrite.ts';
import type { Policy } from './policy.ts';

/** What a contact says of where and as what the person works. */
export const EMPLOYER_PROPERTIES = ['company', 'website', 'jobtitle', 'start_date', 'hs_seniority'] as const;
const EMPLOYER: ReadonlySet<string> = new Set(EMPLOYER_PROPERTIES);

/**
 * Employer properties move together or not at all: where the answer names another employer than the record, and one of
 * them is a person's, none of them is written.
 */
export function togetherOrNot(
  isAnotherEmployer: boolean,
  { writes, kept }: WriteDecision,
): { readonly writes: Readonly<Record<string, string>>; readonly heldBackBy?: string } {
  const isKept = kept.find(
    ({ property, reason }) => EMPLOYER.has(property) && reason !== 'same' && reason !== 'never',
  );
  if (!isKept || !isAnotherEmployer) return { writes };
  const others = Object.entries(writes).filter(([property]) => !EMPLOYER.has(property));
  return { writes: Object.fromEntries(others), heldBackBy: isKept.property };
}

export interface Moving {
  readonly properties: CrmRecord['properties'];
  readonly proposals: readonly Proposal[];
  readonly rules: readonly FieldRule[];
  readonly isOurs: (property: string) => boolean;
}

/**
 * What we wrote of the old employer and the answer does not know of the new one: left there, it would be said of the
 * new one.
 */
export function leftBehind({ properties, proposals, rules, isOurs }: Moving): string[] {
  const ofPolicy = rules.filter(({ property, write }) => EMPLOYER.has(property) && write !== 'never');
  return [...new Set(ofPolicy.map(({ property }) => property))].filter(
    (property) =>
      (properties[property] ?? '') !== '' &&
      !proposals.some((proposal) => proposal.property === property) &&
      isOurs(property),
  );
}

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
