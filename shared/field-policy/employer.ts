import { type CrmRecord, isAboutPerson, type ObjectType } from '#shared/crm';
import { countryCode, foldText } from '#shared/identity';
import { JOB_CHANGE_PROPERTIES } from './enrichment-properties.ts';
import { answerKeyOf, type FieldRule, keysOfPath } from './field-rule.ts';
import type { Proposal } from './mapping.ts';
import type { Policy } from './policy.ts';

/** Properties that show a contact's employer and an earlier job change. They are read with every policy. */
const ALWAYS_READ = ['company', 'website', 'jobtitle', ...JOB_CHANGE_PROPERTIES];

const JOB_KEYS: ReadonlySet<string> = new Set(['title', 'seniority', 'jobStartDate']);

/** Whether the rule's source field is about a person's job or employer. */
export function isJobField(rule: Pick<FieldRule, 'from'>): boolean {
  const key = answerKeyOf(rule);
  return JOB_KEYS.has(key) || key.startsWith('employer');
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

interface WriteDecision {
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
  { writes, kept }: WriteDecision,
): { readonly writes: Readonly<Record<string, string>>; readonly heldBackBy?: string } {
  const group = new Set(employerGroup(proposals.map(({ rule }) => rule)));
  const blocking = kept.find(({ property, reason }) => group.has(property) && !NEUTRAL_REASONS.has(reason));
  if (!blocking || !isAnotherEmployer) return { writes };
  const others = Object.entries(writes).filter(([property]) => !group.has(property));
  return { writes: Object.fromEntries(others), heldBackBy: blocking.property };
}

/** A person accepted the new job. So its values replace those that people wrote. */
export function acceptedJob(proposals: readonly Proposal[]): Proposal[] {
  return proposals.map((proposal) => {
    const { rule } = proposal;
    const isAccepted = isOfEmployer(rule) && rule.write !== 'never';
    return isAccepted ? { ...proposal, rule: { ...rule, write: 'always' } } : proposal;
  });
}

interface Moving {
  readonly properties: CrmRecord['properties'];
  readonly proposals: readonly Proposal[];
  readonly rules: readonly FieldRule[];
  readonly isOurs: (property: string) => boolean;
}

/**
 * Finds properties with our value about the old employer, for which the answer has no new value. They are cleared,
 * because the values would seem to describe the new employer.
 */
export function leftBehind({ properties, proposals, rules, isOurs }: Moving): string[] {
  const policyProperties = employerGroup(rules.filter(({ write }) => write !== 'never'));
  return [...new Set(policyProperties)].filter(
    (property) =>
      (properties[property] ?? '') !== '' &&
      !proposals.some((proposal) => proposal.property === property) &&
      isOurs(property),
  );
}

/**
 * Selects the new values that are written now. The other values are proposed to a person. If one value of the employer
 * group is proposed, all values of the group are proposed.
 */
export function outOfShadow(
  { mode, fields }: Pick<Policy, 'mode' | 'fields'>,
  objectType: ObjectType,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (mode === 'shadow') return {};
  const shadowProperties = new Set(
    fields[objectType].flatMap((rule) => (rule.shadow ? [rule.property] : [])),
  );
  if (shadowProperties.size === 0) return values;
  const group = isAboutPerson({ objectType }) ? employerGroup(fields.contacts) : [];
  const isEmployerProposed = group.some(
    (property) => Object.hasOwn(values, property) && shadowProperties.has(property),
  );
  const ofEmployer: ReadonlySet<string> = new Set([...group, ...JOB_CHANGE_PROPERTIES]);
  const isProposed = (property: string) =>
    shadowProperties.has(property) || (isEmployerProposed && ofEmployer.has(property));
  return Object.fromEntries(Object.entries(values).filter(([property]) => !isProposed(property)));
}

/** Keys of an answer that together say one place. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['city', 'state', 'country', 'countryCode', 'headquarters']);

/**
 * Writes the parts of an address together or not at all. If the record has another city, state, postal code or country
 * than the answer, no part is written, because two halves make an address that does not exist.
 */
export function keepAddressTogether(
  properties: CrmRecord['properties'],
  proposals: readonly Proposal[],
  { writes, kept }: WriteDecision,
): Readonly<Record<string, string>> {
  const parts = proposals.filter(({ rule }) => isPlace(rule));
  const isContradicted = parts.some(({ property, value, rule }) => {
    const current = properties[property] ?? '';
    const isKept = kept.some((each) => each.property === property && each.reason !== 'same');
    return isKept && current.trim() !== '' && !isStreet(rule) && !isSamePlace(current, value);
  });
  if (!isContradicted) return writes;
  const names = new Set(parts.map(({ property }) => property));
  return Object.fromEntries(Object.entries(writes).filter(([property]) => !names.has(property)));
}

function isPlace(rule: Pick<FieldRule, 'from'>): boolean {
  return PLACE_KEYS.has(answerKeyOf(rule));
}

/** A street has many spellings, so another one is no contradiction. */
function isStreet({ from }: Pick<FieldRule, 'from'>): boolean {
  return keysOfPath(from).join('/') === 'headquarters/address';
}

function isSamePlace(a: string, b: string): boolean {
  const country = countryCode(a);
  return foldText(a) === foldText(b) || (country !== undefined && country === countryCode(b));
}
