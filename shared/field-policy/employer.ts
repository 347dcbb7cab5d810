import type { CrmRecord, ObjectType } from '#shared/crm';
import { answerKeyOf } from './coverage.ts';
import { JOB_CHANGE_PROPERTIES } from './enrichment-properties.ts';
import type { FieldRule } from './field-rule.ts';
import type { Proposal } from './mapping/map-answer.ts';
import type { Policy } from './policy.ts';

/** Properties that show a contact's employer and an earlier job change. Read with every policy. */
const ALWAYS_READ = ['company', 'website', 'jobtitle', ...JOB_CHANGE_PROPERTIES];

const JOB_KEYS: ReadonlySet<string> = new Set(['title', 'seniority', 'job_start_date', 'organization_id']);

/** Whether the rule's source field is about a person's job or employer. */
export function isJobField(rule: Pick<FieldRule, 'from'>): boolean {
  const key = answerKeyOf(rule);
  return JOB_KEYS.has(key) || key.startsWith('organizations.');
}

function isOfEmployer(rule: Pick<FieldRule, 'from' | 'group'>): boolean {
  return rule.group === undefined ? isJobField(rule) : rule.group === 'employer';
}

function employerGroup(rules: readonly FieldRule[]): string[] {
  return rules.filter(isOfEmployer).map(({ property }) => property);
}

/** Properties of a contact that are read to recognise and write a job change. */
export function employerProperties({ fields }: Pick<Policy, 'fields'>): readonly string[] {
  return [...ALWAYS_READ, ...employerGroup(fields.contacts)];
}

interface Decided {
  readonly writes: Readonly<Record<string, string>>;
  /** Values that are not written, with the reason. */
  readonly kept: readonly { readonly property: string; readonly reason: string }[];
}

/** Reasons that do not show whether a person or we wrote the employer's values. */
const NEUTRAL_REASONS: ReadonlySet<string> = new Set(['same', 'never', 'declined']);

/**
 * Writes employer properties together or not at all. If the answer names another employer than the record, and a person
 * wrote one of these properties, none is written.
 */
export function keepEmployerTogether(
  isAnotherEmployer: boolean,
  proposals: readonly Proposal[],
  { writes, kept }: Decided,
): { readonly writes: Readonly<Record<string, string>>; readonly heldBackBy?: string } {
  const group = new Set(employerGroup(proposals.map(({ rule }) => rule)));
  const isKept = kept.find(({ property, reason }) => group.has(property) && !NEUTRAL_REASONS.has(reason));
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
 * Properties with our value about the old employer, for which the answer has no new value. They are cleared, because they
 * would seem to describe the new employer.
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
 * Selects the new values that may be written at once; the others are proposed. If one value of the employer group is
 * proposed, all of them are.
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
