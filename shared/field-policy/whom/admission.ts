import type { CrmRecord, ObjectType } from '#shared/crm';
import { foldText, mailOf, textOf, toDomain } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { Policy } from '../policy.ts';
import type { PropertyCondition, WhomCondition, WhomRule } from './schemas.ts';

/** What the rules of `policy.whom` say of one record. */
export interface Admission {
  /** Name of the rule that decided. `undefined` where the policy has no rules for its object type. */
  readonly rule: string | undefined;
  /** False where the object type has rules, and none of them fits. */
  readonly fits: boolean;
  /** Whether lookups may be bought for it. */
  readonly enrich: boolean;
  /** Whether a person's own request buys them anyway. */
  readonly onRequest: boolean;
  readonly refresh: boolean;
  /** Whether lookups may be bought again after its values expired or were recalled. */
  readonly afterRetention: boolean;
  /** For so many minutes after the record's creation nothing is bought. */
  readonly waitMinutes: number;
  /** The most that one run may cost, credits; infinite where no rule says. */
  readonly maxCredits: number;
  /** The policy with the options that the rule buys. */
  readonly policy: Policy;
  /** The rule cannot be read: HubSpot does not have this property of the record, or of its company. */
  readonly missing?: string | undefined;
}

export interface Looking {
  /** Epoch milliseconds, for `before`. */
  readonly nowMs: number;
  /** Whether HubSpot has a property. Every property counts as known unless this tells. */
  readonly isKnown?: ((property: string, of: ObjectType) => boolean) | undefined;
}

export type Admitting = Pick<CrmRecord, 'objectType' | 'properties' | 'companyProperties'>;

/** Stands for the rule in figures where none fits. */
const NO_RULE = 'no rule fits';

/** The first rule that fits the record as it was read. Nothing is bought by a rule that cannot be read. */
export function admissionOf(policy: Policy, record: Admitting, { nowMs, isKnown }: Looking): Admission {
  const rules: readonly WhomRule[] | undefined = policy.whom[record.objectType];
  if (!rules) return admissionBy(policy, undefined);
  const found = firstThatFits(rules, record, { nowMs, isKnown });
  if (!found) return { ...admissionBy(policy, undefined), rule: NO_RULE, fits: false, enrich: false };
  const { rule, missing } = found;
  if (missing === undefined) return admissionBy(policy, rule);
  return { ...admissionBy(policy, rule), enrich: false, missing };
}

/** @returns `missing`: a property that the rule reads and HubSpot does not have. It counts as fitting. */
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
    return { rule, missing: first && propertyIn(first) };
  }
  return undefined;
}

/**
 * By when the person of a contact has to be told that data were obtained, epoch milliseconds; `undefined` where the policy
 * says of none, or not of this one.
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
  const isOfCompany = 'companyProperty' in condition && condition.companyProperty !== undefined;
  return isKnown?.(propertyIn(condition), isOfCompany ? 'companies' : objectType) === false;
}

function propertyIn(condition: WhomCondition): string {
  return 'email' in condition ? 'email' : (condition.property ?? condition.companyProperty ?? '');
}

function admissionBy(policy: Policy, rule: WhomRule | undefined): Admission {
  return {
    rule: rule?.name,
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

/** The policy as it is for the records of a rule. */
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

/** What the policy may say of a record of the object type: an entry for each rule, or one for all records. */
export function admissionsOf(policy: Policy, objectType: ObjectType): readonly Admission[] {
  const rules: readonly WhomRule[] | undefined = policy.whom[objectType];
  return rules ? rules.map((rule) => admissionBy(policy, rule)) : [admissionBy(policy, undefined)];
}

function fits(condition: WhomCondition, record: Admitting, nowMs: number): boolean {
  if ('email' in condition) return addressKind(record) === condition.email;
  const value = comparedValue(condition, record);
  if (condition.blank) return value === undefined;
  if (value === undefined) return condition.orBlank === true;
  return holds(condition, value, nowMs);
}

function addressKind(record: Admitting): 'business' | 'free-mail' | 'role' | 'none' {
  const mail = mailOf(record);
  if (!mail) return 'none';
  if (mail.role) return 'role';
  return mail.free ? 'free-mail' : 'business';
}

function comparedValue(
  { property, companyProperty }: PropertyCondition,
  record: Admitting,
): string | undefined {
  if (property !== undefined) return textOf(record, property);
  return textOf({ properties: record.companyProperties ?? {} }, companyProperty ?? '');
}

function holds(condition: PropertyCondition, value: string, nowMs: number): boolean {
  const { is, in: among, not, above, below, before, domain } = condition;
  if (is !== undefined) return isOneOf(value, [is]);
  if (among !== undefined) return isOneOf(value, among);
  if (not !== undefined) return !isOneOf(value, [not].flat());
  if (above !== undefined) return Number(value) > above;
  if (below !== undefined) return Number(value) < below;
  if (before !== undefined) return timeIn(value) <= nowMs - before * DAY_MS;
  if (domain !== undefined) return liesInOne(value, domain);
  return condition.filled === true;
}

/** Case and spaces at the ends do not count. Of several options, which HubSpot joins by semicolons, any may fit. */
function isOneOf(value: string, wanted: readonly string[]): boolean {
  const values = new Set([value, ...value.split(';')].map(foldText));
  return wanted.some((each) => values.has(foldText(each)));
}

/** HubSpot's dates: ISO 8601, or epoch milliseconds. `NaN` for anything else, which no comparison fits. */
function timeIn(value: string): number {
  return /^\d{10,}$/.test(value) ? Number(value) : Date.parse(value);
}

/**
 * The value is an address or a website: an @ in a website's path is no address. `.edu` and `ac.uk`, which no one can
 * register, fit every domain below them.
 */
function liesInOne(value: string, domains: readonly string[]): boolean {
  const own = toDomain(value);
  if (own === undefined) return false;
  return domains.some((domain) => {
    const bare = domain.replace(/^\./, '').toLowerCase();
    const wanted = toDomain(bare) ?? bare;
    return own === wanted || own.endsWith(`.${wanted}`);
  });
}

/** Names of the properties that the rules for an object type read: of the record, and of a contact's company. */
export function propertiesOfRules(
  policy: Pick<Policy, 'whom'>,
  objectType: ObjectType,
): { readonly own: readonly string[]; readonly company: readonly string[] } {
  return propertiesIn(policy.whom[objectType] ?? []);
}

/** The same for the rules of notices, which are about contacts. */
export function propertiesOfNotices({ privacy: { notice } }: Pick<Policy, 'privacy'>) {
  return propertiesIn(notice);
}

export function propertiesIn(rules: readonly Pick<WhomRule, 'when'>[]) {
  const conditions = rules.flatMap(({ when }) => when);
  const named = conditions.filter((condition): condition is PropertyCondition => !('email' in condition));
  const own = [
    ...named.flatMap(({ property }) => property ?? []),
    ...(conditions.length > named.length ? ['email'] : []),
  ];
  return {
    own: [...new Set(own)],
    company: [...new Set(named.flatMap(({ companyProperty }) => companyProperty ?? []))],
  };
}
