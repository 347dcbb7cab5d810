import type { CrmRecord, ObjectType, PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { foldText, mailOf, registrableDomain, textOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { Policy } from '../policy.ts';
import { quotedValue } from '../policy-faults.ts';
import {
  comparisonIn,
  NO_RULE,
  type PropertyCondition,
  type RetentionRule,
  type WhomCondition,
  type WhomRule,
} from './schemas.ts';

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
function firstThatFits<R extends Pick<WhomRule, 'when'>>(
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

function propertiesIn(rules: readonly Pick<WhomRule, 'when'>[]) {
  const read = rules.flatMap(({ when }) => when).map(propertyOf);
  const namesOf = (ofCompany: boolean) => [
    ...new Set(read.flatMap(({ property, isOfCompany }) => (isOfCompany === ofCompany ? [property] : []))),
  ];
  return { own: namesOf(false), company: namesOf(true) };
}

/** Times of a record's answers, epoch milliseconds. */
export interface AnswerTimes {
  /** The first answer whose values the record may still have. */
  readonly obtainedAtMs: number;
  /** The newest answer. */
  readonly answeredAtMs: number;
}

export type Retention =
  /** No rule fits: the values are kept. */
  | { readonly kind: 'kept' }
  /** HubSpot lacks a property of the rule. Removal is final, so the values are kept until the rule can be evaluated. */
  | { readonly kind: 'unreadable'; readonly rule: string; readonly missing: string }
  | { readonly kind: 'until'; readonly rule: string; readonly endMs: number };

/** Decides by `policy.privacy.retention` how long a record keeps its values. */
export function retentionOf(
  policy: Pick<Policy, 'privacy'>,
  record: Admitting,
  { times, ...looking }: Looking & { readonly times: AnswerTimes },
): Retention {
  const fit = firstThatFits(retentionRules(policy, record.objectType), record, looking);
  if (!fit) return { kind: 'kept' };
  const { rule, missing } = fit;
  if (missing !== undefined) return { kind: 'unreadable', rule: rule.name, missing };
  return { kind: 'until', rule: rule.name, endMs: endOf(rule, times) };
}

/** Whether a record's values may have expired by any rule. Needs no read of the record. */
export function mayHaveExpired(
  policy: Pick<Policy, 'privacy'>,
  objectType: ObjectType,
  { times, nowMs }: { readonly times: AnswerTimes; readonly nowMs: number },
): boolean {
  return retentionRules(policy, objectType).some((rule) => endOf(rule, times) <= nowMs);
}

function endOf(
  { days, refreshProlongs }: RetentionRule,
  { obtainedAtMs, answeredAtMs }: AnswerTimes,
): number {
  return (refreshProlongs ? answeredAtMs : obtainedAtMs) + days * DAY_MS;
}

/** Properties in the rules of retention. */
export function propertiesOfRetention(policy: Pick<Policy, 'privacy'>, objectType: ObjectType) {
  return propertiesIn(retentionRules(policy, objectType));
}

function retentionRules(
  { privacy }: Pick<Policy, 'privacy'>,
  objectType: ObjectType,
): readonly RetentionRule[] {
  return privacy.retention[objectType] ?? [];
}

/** A fault of a rule, for a person. */
export interface RuleFault {
  readonly rule: string;
  /** The first two: the rule has no effect in this account. The others: its effect may not be intended. */
  readonly code: 'unknown-property' | 'unknown-option' | 'never-reached' | 'misses-blanks';
  /** The property, the option or the earlier rule at fault. */
  readonly about: string;
  readonly problem: string;
}

type Fault = Omit<RuleFault, 'rule'>;
type Definitions = Readonly<Record<ObjectType, PropertyDefinitions>>;
type FittingRule = Pick<WhomRule, 'name' | 'when'>;

/** Checks the rules for one object type against each other and against the HubSpot account. */
export function ruleFaults(policy: Policy, objectType: ObjectType, definitions: Definitions): RuleFault[] {
  const rules: readonly WhomRule[] = policy.whom[objectType] ?? [];
  const open = rules.flatMap((rule, index) =>
    named(rule, opensFaults(rule, { policy, objectType, earlier: rules.slice(0, index) })),
  );
  return [...fittingFaults(rules, objectType, definitions), ...open];
}

/** Checks the conditions of rules, which are all that rules of retention and of notices have. */
export function fittingFaults(
  rules: readonly FittingRule[],
  objectType: ObjectType,
  definitions: Definitions,
): RuleFault[] {
  return rules.flatMap((rule, index) =>
    named(rule, [
      ...rule.when.flatMap((condition) => conditionFaults(condition, objectType, definitions)),
      ...neverReached(rule, rules.slice(0, index)),
    ]),
  );
}

function named({ name }: FittingRule, faults: readonly Fault[]): RuleFault[] {
  return faults.map((fault) => ({ rule: name, ...fault }));
}

/** Finds a property that the account does not have, and options that the property does not have. */
function conditionFaults(
  condition: WhomCondition,
  objectType: ObjectType,
  definitions: Definitions,
): readonly Fault[] {
  if ('email' in condition) return [];
  const { property: name, isOfCompany } = propertyOf(condition);
  const definition = definitions[isOfCompany ? 'companies' : objectType].get(name);
  const words = propertyWords(condition);
  if (!definition)
    return [
      { code: 'unknown-property', about: words, problem: `it reads ${words}, which HubSpot does not have` },
    ];
  const options = optionsOf(definition);
  const { row, wanted } = comparisonIn(condition);
  if (!options || !row.isOfOptions) return [];
  const unknown = textsIn(wanted).filter((text) => !options.has(foldText(text)));
  return unknown.map((text) => ({
    code: 'unknown-option',
    about: text,
    problem: `${name} has no option ${quotedValue(text)} (an option's internal value is needed)`,
  }));
}

function optionsOf({ type, fieldType, options }: PropertyDefinition): ReadonlySet<string> | undefined {
  if (type === 'bool' || fieldType === 'booleancheckbox') return new Set(['true', 'false']);
  return type === 'enumeration' ? new Set(options.map(({ value }) => foldText(value))) : undefined;
}

/** Finds a rule that no record reaches, because an earlier rule has no conditions or the same conditions. */
function neverReached(rule: FittingRule, earlier: readonly FittingRule[]): readonly Fault[] {
  const form = formOf(rule);
  const covering = earlier.find((other) => other.when.length === 0 || formOf(other) === form);
  if (!covering) return [];
  const problem = `no record reaches it: the rule "${covering.name}" above takes them all`;
  return [{ code: 'never-reached', about: covering.name, problem }];
}

/** The conditions of a rule, independent of order, case and the two ways to write one value. */
function formOf({ when }: FittingRule): string {
  return JSON.stringify([...new Set(when.map(conditionForm))].sort());
}

function conditionForm(condition: WhomCondition): string {
  const parts = Object.entries(condition).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [[key === 'is' ? 'in' : key, [...new Set(textsIn(value).map(foldText))].sort()]],
  );
  return JSON.stringify(parts.sort());
}

function textsIn(wanted: unknown): string[] {
  return [wanted].flat().map(String);
}

interface Place {
  readonly policy: Policy;
  readonly objectType: ObjectType;
  /** Rules above this one. */
  readonly earlier: readonly WhomRule[];
}

/** Finds a rule with `enrich: false` that lets records in whose value is blank until somebody fills it. */
function opensFaults({ enrich, when }: WhomRule, place: Place): readonly Fault[] {
  if (enrich) return [];
  return when.flatMap((condition): readonly Fault[] => {
    if ('email' in condition || condition.blank || condition.filled || condition.orBlank) return [];
    const { property, isOfCompany } = propertyOf(condition);
    if (!isOfCompany && !isFilledBy(place, property)) return [];
    if (place.earlier.some((rule) => keepsOutBlanks(rule, condition))) return [];
    const words = propertyWords(condition);
    const problem = isOfCompany
      ? `it keeps contacts out by ${words}, but not those without a company or where it is blank: add orBlank: true, or put a rule for blank ones above`
      : `it keeps records out by ${words}, but not those where it is blank, and the policy itself fills it: add orBlank: true`;
    return [{ code: 'misses-blanks', about: words, problem }];
  });
}

function isFilledBy({ policy, objectType }: Place, property: string): boolean {
  return policy.fields[objectType].some((field) => field.property === property && field.write !== 'never');
}

/** Whether the rule keeps out every record with a blank value of the property. */
function keepsOutBlanks(
  { enrich, when }: WhomRule,
  { property, companyProperty }: PropertyCondition,
): boolean {
  if (enrich) return false;
  return when.every((each) => {
    if ('email' in each) return each.email === 'none' && property === 'email';
    if (each.property !== property || each.companyProperty !== companyProperty) return false;
    return each.blank === true || each.orBlank === true;
  });
}
