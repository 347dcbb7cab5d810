import type { ErrorDetail } from '../door/api-error.ts';
import type { WriteRule } from '../settings.ts';
import { type ObjectTypeId, singularName } from './object-types.ts';

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

function applies({ when }: WriteRule, written: Written): boolean {
  return when ? when.values.includes(written.readValue(when.property)) : written.creating;
}
