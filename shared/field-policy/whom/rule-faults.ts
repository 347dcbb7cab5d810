import type { ObjectType } from '#shared/crm';
import { foldText } from '#shared/identity';
import { priceOfQuestion, type QuestionOption, withinPrice } from '#shared/questions';
import { COMPANY_OPTIONS } from '../coverage.ts';
import { enrichmentProperties } from '../enrichment-properties.ts';
import type { Policy } from '../policy.ts';
import { propertyWords } from './admission.ts';
import { conditionFaults, type Definitions } from './condition-faults.ts';
import { fitsBlank, implies } from './implies.ts';
import type { PropertyCondition, WhomCondition, WhomRule } from './schemas.ts';

/** A fault of a rule, for a person. */
export interface RuleFault {
  readonly rule: string;
  /** `broken`: the rule has no effect in this account. `doubtful`: its effect may not be intended. */
  readonly kind: 'broken' | 'doubtful';
  readonly problem: string;
}

interface Place {
  readonly policy: Policy;
  readonly objectType: ObjectType;
  /** Rules above this one. */
  readonly earlier: readonly WhomRule[];
}

/** Checks the rules for one object type against each other and against the HubSpot account. */
export function ruleFaults(policy: Policy, objectType: ObjectType, definitions: Definitions): RuleFault[] {
  const rules: readonly WhomRule[] = policy.whom[objectType] ?? [];
  return rules.flatMap((rule, index) => {
    const place = { policy, objectType, earlier: rules.slice(0, index) };
    const doubtful = [
      ...contradictions(rule),
      ...blankGap(rule, place),
      ...ownEffects(rule, place),
      ...neverReached(rule, place.earlier),
      ...withoutEffect(rule),
      ...tooDearOptions(rule, place),
    ];
    return faultsOf(rule, { objectType, definitions, doubtful });
  });
}

type FittingRule = Pick<WhomRule, 'name' | 'when'>;

/** Checks rules of retention and of notices, which have only conditions. */
export function fittingFaults(
  rules: readonly FittingRule[],
  objectType: ObjectType,
  definitions: Definitions,
): RuleFault[] {
  return rules.flatMap((rule, index) => {
    const doubtful = [...contradictions(rule), ...neverReached(rule, rules.slice(0, index))];
    return faultsOf(rule, { objectType, definitions, doubtful });
  });
}

interface Found {
  readonly objectType: ObjectType;
  readonly definitions: Definitions;
  readonly doubtful: readonly string[];
}

function faultsOf({ name, when }: FittingRule, { doubtful, ...account }: Found): RuleFault[] {
  const broken = when.flatMap((condition) => conditionFaults(condition, account));
  const listed = (kind: RuleFault['kind'], problems: readonly string[]) =>
    [...new Set(problems)].map((problem) => ({ rule: name, kind, problem }));
  return [...listed('broken', broken), ...listed('doubtful', doubtful)];
}

/** Finds conditions on one property that contradict each other. */
function contradictions({ when }: FittingRule): string[] {
  const propertyConditions = when.filter(
    (condition): condition is PropertyCondition => !('email' in condition),
  );
  const addresses = new Set(when.flatMap((condition) => ('email' in condition ? [condition.email] : [])));
  const impossible = [...Map.groupBy(propertyConditions, propertyWords)]
    .filter(([, conditions]) => !canHold(conditions))
    .map(([name]) => name);
  if (addresses.size > 1) impossible.push('email');
  return impossible.map((name) => `it can never fit: its conditions on ${name} contradict each other`);
}

function canHold(conditions: readonly PropertyCondition[]): boolean {
  if (conditions.every(fitsBlank)) return true;
  if (conditions.some(({ blank }) => blank)) return false;
  const lists = conditions.flatMap(({ is, in: among }) =>
    is === undefined ? (among ? [among] : []) : [[is]],
  );
  const sets = lists.map((list) => new Set(list.map(foldText)));
  const refused = new Set(conditions.flatMap(({ not = [] }) => [not].flat()).map(foldText));
  const [first] = sets;
  const isEmpty =
    first && ![...first].some((text) => !refused.has(text) && sets.every((set) => set.has(text)));
  const lowerBound = Math.max(...conditions.map(({ above }) => above ?? Number.NEGATIVE_INFINITY));
  const upperBound = Math.min(...conditions.map(({ below }) => below ?? Number.POSITIVE_INFINITY));
  return !isEmpty && lowerBound < upperBound;
}

/**
 * Finds a gap in a rule that keeps records out. Records with a blank value pass: contacts without a company, or records
 * until the policy fills the property.
 */
function blankGap({ enrich, when }: WhomRule, place: Place): string[] {
  if (enrich) return [];
  return when.flatMap((condition) => {
    if ('email' in condition || fitsBlank(condition) || condition.filled) return [];
    if (place.earlier.some((rule) => keepsOutBlanks(rule, condition))) return [];
    const { property, companyProperty } = condition;
    if (property === undefined)
      return [
        `it keeps contacts out by ${companyProperty} of the company, but not those without a company or where it is blank: add orBlank: true, or put a rule for blank ones above`,
      ];
    if (!isFilledBy(place, property)) return [];
    return [
      `it keeps records out by ${property}, but not those where it is blank, and the policy itself fills it: add orBlank: true`,
    ];
  });
}

function isFilledBy({ policy, objectType }: Place, property: string): boolean {
  return policy.fields[objectType].some((field) => field.property === property && field.write !== 'never');
}

/** Whether the rule keeps out every record with a blank value of the property. */
function keepsOutBlanks({ enrich, when }: WhomRule, { property, companyProperty }: PropertyCondition) {
  const [condition] = when;
  if (enrich || when.length > 1) return false;
  return condition === undefined || implies({ property, companyProperty, blank: true }, condition);
}

/** Finds a rule that keeps records out by values that we write. A lookup then changes which rule fits. */
function ownEffects({ enrich, when }: WhomRule, place: Place): string[] {
  if (enrich) return [];
  return when.flatMap((condition) => {
    if ('email' in condition) return condition.email === 'business' ? filledFault('email', place) : [];
    const { property, companyProperty, filled } = condition;
    const objectType = property === undefined ? 'companies' : place.objectType;
    const name = property ?? companyProperty ?? '';
    const isStatus = enrichmentProperties(objectType).some((own) => own.name === name);
    if (isStatus)
      return [`it keeps records out by ${name}, which the sync itself writes: each run may change what fits`];
    const companyPlace = { ...place, objectType };
    if (place.policy.fields[objectType].some((field) => field.property === name && field.write === 'always'))
      return [
        `it keeps records out by ${name}, which the policy overwrites (write: 'always'): each lookup may change what fits`,
      ];
    return filled && property !== undefined ? filledFault(name, companyPlace) : [];
  });
}

function filledFault(name: string, place: Place): string[] {
  if (!isFilledBy(place, name)) return [];
  return [
    `it keeps records out by ${name}, which the policy itself fills: after its first lookup a record is kept out`,
  ];
}

/** Finds a rule that no record reaches, because an earlier rule fits the same records. */
function neverReached({ when }: FittingRule, earlier: readonly FittingRule[]): string[] {
  const fitsAll = (rule: FittingRule) => rule.when.every((wide) => isImplied(wide, when));
  const coveringRule = earlier.find(fitsAll);
  return coveringRule ? [`no record reaches it: the rule "${coveringRule.name}" above takes them all`] : [];
}

function isImplied(wide: WhomCondition, when: readonly WhomCondition[]): boolean {
  return when.some((narrow) => implies(narrow, wide));
}

/** Options in the order in which they are bought. An option that exceeds the price is left out. */
const OPTIONS = {
  contacts: {
    operation: 'personProfile',
    keys: [
      ['wantEmail', 'email'],
      ['wantPhone', 'phone'],
    ],
  },
  companies: { operation: 'companyProfile', keys: COMPANY_OPTIONS.map((name) => [name, name] as const) },
} as const satisfies Record<
  ObjectType,
  {
    readonly operation: 'personProfile' | 'companyProfile';
    readonly keys: readonly (readonly [keyof WhomRule, QuestionOption])[];
  }
>;

/** Finds settings without effect in a rule that allows no lookups, or only a person's requests. */
function withoutEffect(rule: WhomRule): string[] {
  if (rule.enrich) return [];
  const bought = [...OPTIONS.contacts.keys, ...OPTIONS.companies.keys].map(([key]) => key);
  const ineffective = [
    ...(rule.onRequest ? [] : [...bought, 'maxCredits' as const]).filter((key) => rule[key] !== undefined),
    ...(rule.waitMinutes === undefined ? [] : ['waitMinutes']),
    ...(rule.refresh ? [] : ['refresh']),
  ];
  if (ineffective.length === 0) return [];
  const why = rule.onRequest ? 'a person who requests a lookup does not wait' : 'nothing is looked up';
  return [`${ineffective.join(', ')}: no effect with enrich: false, because ${why}`];
}

/**
 * Finds options that `maxCredits` never covers, and options that `maxCredits` does not cover together with the others.
 */
function tooDearOptions(rule: WhomRule, { policy, objectType }: Place): string[] {
  const { maxCredits } = rule;
  if (maxCredits === undefined || !(rule.enrich || rule.onRequest)) return [];
  const { operation, keys } = OPTIONS[objectType];
  const { questions } = policy;
  const inForce: Partial<Record<keyof WhomRule, boolean>> = { ...questions, ...questions.companies };
  const bought = keys.filter(([key]) => rule[key] ?? inForce[key]);
  const price = (options: QuestionOption[]) => priceOfQuestion({ operation, parameters: {}, options });
  const never = bought.filter(([, option]) => price([option]) > maxCredits);
  const possible = bought.filter((each) => !never.includes(each));
  const together = { operation, parameters: {}, options: possible.map(([, option]) => option) };
  const kept = withinPrice(together, maxCredits)?.options ?? [];
  const leftOut = possible.filter(([, option]) => !kept.includes(option)).map(([key]) => key);
  return [
    ...never.map(
      ([key, option]) =>
        `${key} is never bought: with it a lookup costs ${price([option])} credits, and maxCredits is ${maxCredits}`,
    ),
    ...(leftOut.length === 0
      ? []
      : [
          `its options cost ${priceOfQuestion(together)} credits together, and maxCredits is ${maxCredits}: ${leftOut.join(', ')} is left out where all are needed`,
        ]),
  ];
}
