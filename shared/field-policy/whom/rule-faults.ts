import type { ObjectType, PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { foldText } from '#shared/identity';
import type { Policy } from '../policy.ts';
import { quotedValue } from '../policy-faults.ts';
import { propertyOf, propertyWords } from './admission.ts';
import { comparisonIn, type PropertyCondition, type WhomCondition, type WhomRule } from './schemas.ts';

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
