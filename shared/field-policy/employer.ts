import type { CrmRecord, ObjectType } from '#shared/crm';
import { answerKeyOf } from './coverage.ts';
import { JOB_CHANGE_PROPERTIES } from './enrichment-properties.ts';
import type { FieldRule } from './field-rule.ts';
import type { Proposal } from './mapping/map-answer.ts';
import type { Policy } from './policy.ts';

/** What a contact's employer and the note of a job change are read from, whatever the policy writes. */
const ALWAYS_READ = ['company', 'website', 'jobtitle', ...JOB_CHANGE_PROPERTIES];

const JOB_KEYS: ReadonlySet<string> = new Set(['title', 'seniority', 'job_start_date', 'organization_id']);

/** Whether the rule's source field tells of a person's job or employer. */
export function tellsOfJob(rule: Pick<FieldRule, 'from'>): boolean {
  const key = answerKeyOf(rule);
  return JOB_KEYS.has(key) || key.startsWith('organizations.');
}

function isOfEmployer(rule: Pick<FieldRule, 'from' | 'group'>): boolean {
  return rule.group === undefined ? tellsOfJob(rule) : rule.group === 'employer';
}

function employerGroup(rules: readonly FieldRule[]): string[] {
  return rules.filter(isOfEmployer).map(({ property }) => property);
}

/** Properties of a contact that are read to recognise a change of job and to write it. */
export function employerProperties({ fields }: Pick<Policy, 'fields'>): readonly string[] {
  return [...ALWAYS_READ, ...employerGroup(fields.contacts)];
}

interface Decided {
  readonly writes: Readonly<Record<string, string>>;
  /** Why the other values are not written. */
  readonly kept: readonly { readonly property: string; readonly reason: string }[];
}

/** Reasons that say nothing of whose the employer's values are. */
const NOBODYS_VALUE: ReadonlySet<string> = new Set(['same', 'never', 'declined']);

/**
 * Employer properties move together or not at all: where the answer names another employer than the record, and one of
 * them is a person's, none of them is written.
 */
export function togetherOrNot(
  isAnotherEmployer: boolean,
  proposals: readonly Proposal[],
  { writes, kept }: Decided,
): { readonly writes: Readonly<Record<string, string>>; readonly heldBackBy?: string } {
  const group = new Set(employerGroup(proposals.map(({ rule }) => rule)));
  const isKept = kept.find(({ property, reason }) => group.has(property) && !NOBODYS_VALUE.has(reason));
  if (!isKept || !isAnotherEmployer) return { writes };
  const others = Object.entries(writes).filter(([property]) => !group.has(property));
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
  const ofPolicy = employerGroup(rules.filter(({ write }) => write !== 'never'));
  return [...new Set(ofPolicy)].filter(
    (property) =>
      (properties[property] ?? '') !== '' &&
      !proposals.some((proposal) => proposal.property === property) &&
      isOurs(property),
  );
}

/**
 * Those of a record's new values that may be written at once; the others are proposed. If one value of the employer
 * group is proposed, all of them are.
 */
export function outOfShadow(
  { mode, fields }: Pick<Policy, 'mode' | 'fields'>,
  objectType: ObjectType,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (mode === 'shadow') return {};
  const shadow = new Set(fields[objectType].flatMap((rule) => (rule.shadow ? [rule.property] : [])));
  if (shadow.size === 0) return values;
  const group = objectType === 'contacts' ? employerGroup(fields.contacts) : [];
  const isEmployerHeld = group.some((property) => Object.hasOwn(values, property) && shadow.has(property));
  const ofEmployer: ReadonlySet<string> = new Set([...group, ...JOB_CHANGE_PROPERTIES]);
  const isHeld = (property: string) => shadow.has(property) || (isEmployerHeld && ofEmployer.has(property));
  return Object.fromEntries(Object.entries(values).filter(([property]) => !isHeld(property)));
}
