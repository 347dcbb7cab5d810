import type { ObjectType, PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { foldText } from '#shared/identity';
import { quotedValue } from '../policy-faults.ts';
import { propertyWords } from './admission.ts';
import { timeIn } from './comparison.ts';
import type { PropertyCondition, WhomCondition } from './schemas.ts';

export type Definitions = Readonly<Record<ObjectType, PropertyDefinitions>>;

/** Reasons why a condition can never work in this HubSpot account. */
export function conditionFaults(
  condition: WhomCondition,
  { objectType, definitions }: { readonly objectType: ObjectType; readonly definitions: Definitions },
): string[] {
  if ('email' in condition) return [];
  const { property, companyProperty } = condition;
  const name = property ?? companyProperty ?? '';
  const definition = definitions[companyProperty === undefined ? objectType : 'companies'].get(name);
  if (!definition) return [`it reads ${propertyWords(condition)}, which HubSpot does not have`];
  return [...valueFaults(condition, definition), ...typeFaults(condition, definition)];
}

/** Finds values that the property can never have. */
function valueFaults(condition: PropertyCondition, definition: PropertyDefinition): string[] {
  const possible = possibleValues(definition);
  if (!possible) return [];
  const named = [condition.is, condition.in, condition.not].flat().filter((text) => text !== undefined);
  return named.filter((text) => !possible.has(text)).map((text) => possible.fault(text));
}

interface Possible {
  has(text: string): boolean;
  fault(text: string): string;
}

function possibleValues({ name, type, fieldType, options }: PropertyDefinition): Possible | undefined {
  if (type === 'bool' || fieldType === 'booleancheckbox') {
    const has = (text: string) => ['true', 'false'].includes(foldText(text));
    return { has, fault: (text) => `${name} is "true" or "false" in HubSpot, never ${quotedValue(text)}` };
  }
  if (type === 'enumeration') {
    const known = new Set(options.map(({ value }) => foldText(value)));
    const fault = (text: string) =>
      `${name} has no option ${quotedValue(text)} (an option's internal value is needed)`;
    return { has: (text) => known.has(foldText(text)), fault };
  }
  if (type === 'number')
    return {
      has: (text) => Number.isFinite(Number(text)),
      fault: (text) => `${name} is a number, never ${quotedValue(text)}`,
    };
  if (type === 'date' || type === 'datetime')
    return {
      has: (text) => !Number.isNaN(timeIn(text)),
      fault: (text) => `${name} is a date such as 2026-11-21, never ${quotedValue(text)}`,
    };
  return undefined;
}

/** Types whose values can hold a domain. */
const TEXTS: ReadonlySet<string> = new Set(['string', 'enumeration']);

function typeFaults(
  { above, below, before, domain }: PropertyCondition,
  { name, type, fieldType }: PropertyDefinition,
): string[] {
  const isOf = `${name} is of the type ${type}`;
  if ((above !== undefined || below !== undefined) && type !== 'number')
    return [`above and below need a number, and ${isOf}`];
  if (before !== undefined && type !== 'date' && type !== 'datetime')
    return [`before needs a date, and ${isOf}`];
  if (domain !== undefined && (!TEXTS.has(type) || fieldType === 'booleancheckbox'))
    return [`domain needs an email or web address, and ${isOf}`];
  return [];
}
