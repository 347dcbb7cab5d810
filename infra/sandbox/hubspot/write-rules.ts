import type { ErrorDetail } from './api-error.ts';
import { type ObjectTypeId, singularName } from './object-types.ts';
import type { ValueRule, WriteRule } from './settings.ts';

interface Written {
  readonly typeId: ObjectTypeId;
  readonly creating: boolean;
  /** As it will be after the write; empty for none. */
  readonly readValue: (property: string) => string;
}

/** The admin's rules that a write would leave broken, whether or not it touches the properties they speak of. */
export function brokenRules(rules: readonly WriteRule[], written: Written): ErrorDetail[] {
  return rules
    .filter((rule) => rule.objectType === singularName(written.typeId))
    .filter((rule) => written.readValue(rule.requires) === '' && applies(rule, written))
    .map((rule) => ({
      code: rule.when ? 'MISSING_CONDITIONAL_REQUIRED_PROPERTY' : 'MISSING_REQUIRED_PROPERTY',
      message: `The property ${rule.requires} is required by a rule of this account.`,
      context: { propertyName: [rule.requires] },
    }));
}

interface Valued {
  readonly typeId: ObjectTypeId;
  readonly name: string;
  /** In stored form. */
  readonly value: string;
}

/** Why a value breaks the admin's rules for its property; clearing it breaks none. */
export function valueProblem(rules: readonly ValueRule[], valued: Valued): ErrorDetail | undefined {
  const { typeId, name, value } = valued;
  const broken = rules.find(
    (rule) =>
      rule.objectType === singularName(typeId) &&
      rule.property === name &&
      value !== '' &&
      !new RegExp(`^(?:${rule.pattern})$`, 'u').test(value),
  );
  if (!broken) return undefined;
  const message = `${value} does not keep the validation rules of ${name}.`;
  return { code: broken.code ?? 'INVALID_ALPHA', message, context: { propertyName: [name] } };
}

function applies({ when }: WriteRule, written: Written): boolean {
  return when ? when.values.includes(written.readValue(when.property)) : written.creating;
}
