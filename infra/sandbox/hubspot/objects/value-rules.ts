import type { ValueRule } from '../settings.ts';
import { type ObjectTypeId, singularName } from './object-types.ts';

/** The admin's rules on the values of a type's properties. */
export function rulesOf(rules: readonly ValueRule[], typeId: ObjectTypeId): readonly ValueRule[] {
  return rules.filter(({ objectType }) => objectType === singularName(typeId));
}

/** The first rule that a value breaks, among the rules of the value's property. */
export function brokenValueRule(
  rules: readonly ValueRule[],
  { name, value }: { name: string; value: string },
): { readonly code: string; readonly problem: string } | undefined {
  const broken = rules.find((rule) => rule.propertyName === name && value !== '' && !fulfils(rule, value));
  if (!broken) return undefined;
  const code = broken.ruleType === 'ALPHANUMERIC' ? 'INVALID_ALPHA' : 'INVALID_VALUE';
  const limits = broken.ruleArguments.map((one) => ` ${one}`).join('');
  return { code, problem: `"${name}" breaks a rule of this account: ${broken.ruleType}${limits}.` };
}

function fulfils({ ruleType, ruleArguments: [limit = ''] }: ValueRule, value: string): boolean {
  switch (ruleType) {
    case 'ALPHANUMERIC':
      return /^[\p{L}\p{N} ]*$/u.test(value);
    case 'MAX_LENGTH':
      return value.length <= Number(limit);
    case 'MIN_LENGTH':
      return value.length >= Number(limit);
    case 'MAX_NUMBER':
      return Number(value) <= Number(limit);
    case 'MIN_NUMBER':
      return Number(value) >= Number(limit);
    default:
      return true;
  }
}
