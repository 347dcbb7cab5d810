import type { ObjectType, PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { foldText } from '#shared/identity';
import type { Policy } from '../policy.ts';
import type { PropertyCondition, WhomCondition, WhomRule } from './schemas.ts';

/** What is wrong with a rule of `policy.whom`, for a person. */
export interface RuleFault {
  readonly rule: string;
  /** `broken`: nothing can be bought by it. `doubtful`: it may not do what it says. */
  readonly kind: 'broken' | 'doubtful';
  readonly problem: string;
}

type Definitions = Readonly<Record<ObjectType, PropertyDefinitions>>;

/** Holds the rules for one object type against each other and against the HubSpot account. */
export function ruleFaults(policy: Policy, objectType: ObjectType, definitions: Definitions): RuleFault[] {
  const rules: readonly WhomRule[] = policy.whom[objectType] ?? [];
  return rules.flatMap((rule, index) => {
    const found = [
      ...rule.when.flatMap((condition) => conditionFaults(condition, { objectType, definitions })),
      ...contradictions(rule),
      ...opening(rule, rules.slice(0, index), { policy, objectType }),
      ...neverReached(rule, rules.slice(0, index)),
    ];
    return found.map((fault) => ({ rule: rule.name, ...fault }));
  });
}

type Fault = Omit<RuleFault, 'rule'>;

const broken = (problem: string): Fault => ({ kind: 'broken', problem });
const doubtful = (problem: string): Fault => ({ kind: 'doubtful', problem });

function conditionFaults(
  condition: WhomCondition,
  { objectType, definitions }: { readonly objectType: ObjectType; readonly definitions: Definitions },
): Fault[] {
  if ('email' in condition) return [];
  const { property, companyProperty } = condition;
  const name = property ?? companyProperty ?? '';
  const definition = definitions[companyProperty === undefined ? objectType : 'companies'].get(name);
  if (!definition) return [broken(`it reads ${name}, which HubSpot does not have`)];
  return [...optionFaults(condition, definition), ...typeFaults(condition, definition)];
}

function optionFaults(condition: PropertyCondition, { name, type, options }: PropertyDefinition): Fault[] {
  if (type !== 'enumeration') return [];
  const known = new Set(options.map(({ value }) => foldText(value)));
  const named = [condition.is, condition.in, condition.not].flat().filter((text) => text !== undefined);
  const strange = named.filter((text) => !known.has(foldText(text)));
  return strange.map((text) =>
    broken(`${name} has no option "${text}" (an option's internal value is needed)`),
  );
}

function typeFaults(
  { above, below, before }: PropertyCondition,
  { name, type }: PropertyDefinition,
): Fault[] {
  if ((above !== undefined || below !== undefined) && type !== 'number')
    return [broken(`above and below need a number, and ${name} is of the type ${type}`)];
  if (before !== undefined && type !== 'date' && type !== 'datetime')
    return [broken(`before needs a date, and ${name} is of the type ${type}`)];
  return [];
}

/** Conditions on one property that cannot hold at once. */
function contradictions({ when }: WhomRule): Fault[] {
  const named = when.filter((condition): condition is PropertyCondition => !('email' in condition));
  const addresses = new Set(when.flatMap((condition) => ('email' in condition ? [condition.email] : [])));
  const impossible = [...Map.groupBy(named, nameOf)]
    .filter(([, some]) => !canHold(some))
    .map(([name]) => name);
  if (addresses.size > 1) impossible.push('email');
  return impossible.map((name) =>
    doubtful(`it can never fit: its conditions on ${name} contradict each other`),
  );
}

function nameOf({ property, companyProperty }: PropertyCondition): string {
  return property ?? `${companyProperty} of the company`;
}

function canHold(conditions: readonly PropertyCondition[]): boolean {
  const isBlank = conditions.some(({ blank }) => blank);
  const wantsBlank = (each: PropertyCondition) => each.blank === true || each.orBlank === true;
  if (isBlank) return conditions.every(wantsBlank);
  if (conditions.every(wantsBlank)) return true;
  const lists = conditions.flatMap(({ is, in: among }) =>
    is === undefined ? (among ? [among] : []) : [[is]],
  );
  const sets = lists.map((list) => new Set(list.map(foldText)));
  const refused = new Set(conditions.flatMap(({ not = [] }) => [not].flat()).map(foldText));
  const [first] = sets;
  const isEmpty =
    first && ![...first].some((text) => !refused.has(text) && sets.every((set) => set.has(text)));
  const least = Math.max(...conditions.map(({ above }) => above ?? Number.NEGATIVE_INFINITY));
  const most = Math.min(...conditions.map(({ below }) => below ?? Number.POSITIVE_INFINITY));
  return !isEmpty && least < most;
}

/** A rule that keeps records out lets a blank value in, which the policy itself may fill afterwards. */
function opening(
  { enrich, when }: WhomRule,
  earlier: readonly WhomRule[],
  { policy, objectType }: { readonly policy: Policy; readonly objectType: ObjectType },
): Fault[] {
  if (enrich) return [];
  const filled = new Set(
    policy.fields[objectType].filter(({ write }) => write !== 'never').map(({ property }) => property),
  );
  return when.flatMap((condition) => {
    if ('email' in condition || condition.property === undefined) return [];
    const { property, blank, orBlank } = condition;
    if (blank || orBlank || !filled.has(property)) return [];
    if (earlier.some((rule) => keepsOutBlanks(rule, property))) return [];
    return [
      doubtful(
        `it keeps records out by ${property}, but not those where it is blank, and the policy itself fills it: add orBlank: true`,
      ),
    ];
  });
}

/** No record with a blank value comes past it. */
function keepsOutBlanks({ enrich, when }: WhomRule, property: string): boolean {
  const [only] = when;
  if (enrich || !only || when.length > 1) return false;
  if ('email' in only) return only.email === 'none' && property === 'email';
  return only.property === property && (only.blank === true || only.orBlank === true);
}

/** An earlier rule fits whatever this one fits: it has no other conditions. */
function neverReached({ when }: WhomRule, earlier: readonly WhomRule[]): Fault[] {
  const own = new Set(when.map((condition) => JSON.stringify(condition)));
  const taker = earlier.find((rule) => rule.when.every((condition) => own.has(JSON.stringify(condition))));
  return taker ? [doubtful(`no record reaches it: the rule "${taker.name}" above takes them all`)] : [];
}
