import type { CrmRecord, ObjectType } from '#shared/crm';
import { mailOf, registrableDomain, textOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { Policy } from '../policy.ts';
import { comparisonIn, NO_RULE, type WhomCondition, type WhomRule } from './schemas.ts';

/** The decision of `policy.whom` for one record. */
export interface Admission {
  /** Name of the rule that decided; `undefined` if the policy has no rules for the object type. */
  readonly rule: string | undefined;
  /** The rule's name with the object type, for the ledger and for figures. */
  readonly countedAs: string | undefined;
  /** False if the object type has rules and no rule fits. */
  readonly fits: boolean;
  /** Whether lookups may be bought for the record. */
  readonly enrich: boolean;
  /** Whether a person's own request may buy lookups in spite of `enrich: false`. */
  readonly onRequest: boolean;
  readonly refresh: boolean;
  /** Whether lookups may be bought again after the record's values expired or were recalled. */
  readonly afterRetention: boolean;
  /** Minutes after the record's creation during which nothing is bought. */
  readonly waitMinutes: number;
  /** Limit for the cost of one run, credits. Infinite if the rule has no limit. */
  readonly maxCredits: number;
  /** The policy with the options that the rule buys. */
  readonly policy: Policy;
  /**
   * The property, for a person, because of which the rule cannot be evaluated. HubSpot does not have this property of
   * the record or its company.
   */
  readonly missing?: string | undefined;
}

export interface Looking {
  /** Epoch milliseconds, for `before`. */
  readonly nowMs: number;
  /** Whether HubSpot has a property. Without this function, every property counts as known. */
  readonly isKnown?: ((property: string, of: ObjectType) => boolean) | undefined;
}

export type Admitting = Pick<CrmRecord, 'objectType' | 'properties' | 'companyProperties'>;

/** Decides by the first rule that fits the record. A rule that cannot be evaluated buys nothing. */
export function admissionOf(policy: Policy, record: Admitting, { nowMs, isKnown }: Looking): Admission {
  const { objectType } = record;
  const rules: readonly WhomRule[] | undefined = policy.whom[objectType];
  if (!rules) return admissionBy(policy, objectType);
  const found = firstThatFits(rules, record, { nowMs, isKnown });
  if (!found) {
    const noRule = { rule: NO_RULE, countedAs: countedAs(objectType, NO_RULE) };
    return { ...admissionBy(policy, objectType), ...noRule, fits: false, enrich: false };
  }
  const { rule, missing } = found;
  if (missing === undefined) return admissionBy(policy, objectType, rule);
  return { ...admissionBy(policy, objectType, rule), enrich: false, missing };
}

/**
 * @returns the first rule that fits, and `missing`: a property of the rule that HubSpot does not have. A condition on
 * such a property counts as met.
 */
export function firstThatFits<R extends Pick<WhomRule, 'when'>>(
  rules: readonly R[],
  record: Admitting,
  { nowMs, isKnown }: Looking,
): { readonly rule: R; readonly missing: string | undefined } | undefined {
  for (const rule of rules) {
    const missing = rule.when.filter((condition) => isMissing(condition, record.objectType, isKnown));
    const others = rule.when.filter((condition) => !missing.includes(condition));
    if (!others.every((condition) => fits(condition, record, nowMs))) continue;
    const [first] = missing;
    return { rule, missing: first && propertyWords(first) };
  }
  return undefined;
}

/**
 * Returns the time by which a contact's person must be informed that data were obtained, epoch milliseconds;
 * `undefined` if no rule requires this.
 */
export function noticeDueMs(
  { privacy: { notice } }: Policy,
  record: Admitting,
  { firstAtMs, ...looking }: Looking & { readonly firstAtMs: number },
): number | undefined {
  const rule = firstThatFits(notice, record, looking)?.rule;
  return rule?.due ? firstAtMs + rule.days * DAY_MS : undefined;
}

function isMissing(condition: WhomCondition, objectType: ObjectType, isKnown: Looking['isKnown']): boolean {
  const { property, isOfCompany } = propertyOf(condition);
  return isKnown?.(property, isOfCompany ? 'companies' : objectType) === false;
}

/** The property that a condition reads: of the record, or of a contact's company. */
export function propertyOf(condition: WhomCondition): {
  readonly property: string;
  readonly isOfCompany: boolean;
} {
  if ('email' in condition) return { property: 'email', isOfCompany: false };
  const { property, companyProperty = '' } = condition;
  return { property: property ?? companyProperty, isOfCompany: property === undefined };
}

/** The property that a condition reads, for a person. */
export function propertyWords(condition: WhomCondition): string {
  const { property, isOfCompany } = propertyOf(condition);
  return isOfCompany ? `${property} of the company` : property;
}

function countedAs(objectType: ObjectType, rule: string): string {
  return `${objectType}: ${rule}`;
}

function admissionBy(policy: Policy, objectType: ObjectType, rule?: WhomRule): Admission {
  return {
    rule: rule?.name,
    countedAs: rule && countedAs(objectType, rule.name),
    fits: true,
    enrich: rule?.enrich ?? true,
    onRequest: rule?.onRequest ?? false,
    refresh: rule?.refresh ?? true,
    afterRetention: rule?.afterRetention ?? false,
    waitMinutes: rule?.waitMinutes ?? 0,
    maxCredits: rule?.maxCredits ?? Number.POSITIVE_INFINITY,
    policy: rule ? withOptions(policy, rule) : policy,
  };
}

/** Returns the policy with the options of a rule. */
function withOptions(
  policy: Policy,
  { wantEmail, wantPhone, funding, technology, contacts }: WhomRule,
): Policy {
  const { questions } = policy;
  const companies = {
    funding: funding ?? questions.companies.funding,
    technology: technology ?? questions.companies.technology,
    contacts: contacts ?? questions.companies.contacts,
  };
  return {
    ...policy,
    questions: {
      ...questions,
      wantEmail: wantEmail ?? questions.wantEmail,
      wantPhone: wantPhone ?? questions.wantPhone,
      companies,
    },
  };
}

/** Returns all possible decisions for an object type: one for each rule, or one for all records. */
export function admissionsOf(policy: Policy, objectType: ObjectType): readonly Admission[] {
  const rules: readonly WhomRule[] | undefined = policy.whom[objectType];
  return rules
    ? rules.map((rule) => admissionBy(policy, objectType, rule))
    : [admissionBy(policy, objectType)];
}

/** Whether the policy refreshes the record, by the rule that decided about it at its last read. */
export function isRefreshed(
  policy: Policy,
  { objectType, rule }: { readonly objectType: ObjectType; readonly rule?: string | undefined },
): boolean {
  const own = admissionsOf(policy, objectType).find((admission) => admission.rule === rule);
  return own ? own.enrich && own.refresh : rule !== NO_RULE;
}

function fits(condition: WhomCondition, record: Admitting, nowMs: number): boolean {
  if ('email' in condition) return addressKind(record) === condition.email;
  const { property, isOfCompany } = propertyOf(condition);
  const value = textOf(isOfCompany ? { properties: record.companyProperties ?? {} } : record, property);
  const { row, wanted } = comparisonIn(condition);
  if (value === undefined) return row.isOfBlanks === true || condition.orBlank === true;
  return row.holds(value, wanted, nowMs);
}

/**
 * Returns the kind of a contact's address. A domain that is only a public suffix, such as `ac.uk` or `github.io`,
 * belongs to no business, so the result is `none`.
 */
function addressKind(record: Admitting): 'business' | 'free-mail' | 'role' | 'none' {
  const mail = mailOf(record);
  if (!mail || registrableDomain(mail.domain) === undefined) return 'none';
  if (mail.role) return 'role';
  return mail.free ? 'free-mail' : 'business';
}

/** Returns the properties in the rules for an object type: of the record, and of a contact's company. */
export function propertiesOfRules(
  policy: Pick<Policy, 'whom'>,
  objectType: ObjectType,
): { readonly own: readonly string[]; readonly company: readonly string[] } {
  return propertiesIn(policy.whom[objectType] ?? []);
}

/** Properties in the rules of notices, which are about contacts. */
export function propertiesOfNotices({ privacy: { notice } }: Pick<Policy, 'privacy'>) {
  return propertiesIn(notice);
}

export function propertiesIn(rules: readonly Pick<WhomRule, 'when'>[]) {
  const read = rules.flatMap(({ when }) => when).map(propertyOf);
  const namesOf = (ofCompany: boolean) => [
    ...new Set(read.flatMap(({ property, isOfCompany }) => (isOfCompany === ofCompany ? [property] : []))),
  ];
  return { own: namesOf(false), company: namesOf(true) };
}
