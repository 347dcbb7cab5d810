import { DEFAULT_COMPANY_FIELDS, DEFAULT_CONTACT_FIELDS } from '#shared/field-policy/default-fields.ts';
import type { FieldRule } from '#shared/field-policy/field-rule.ts';
import type { PolicyInput } from '#shared/field-policy/policy.ts';
import type { RealVendors } from './settings.ts';

/** The stand-ins are free; with the real services only blanks are filled, and only within the day's budget. */
export function localPolicy(real: RealVendors | undefined): PolicyInput {
  if (!real)
    return { version: 'demonstration-1', budgets: { perDay: 200, purposes: { refresh: { perDay: 50 } } } };
  const fields = {
    contacts: blanksOnly(DEFAULT_CONTACT_FIELDS),
    companies: blanksOnly(DEFAULT_COMPANY_FIELDS),
  };
  const { associate } = real;
  return {
    version: 'local-1',
    fields,
    ...(associate && { associate }),
    budgets: { perDay: real.creditsPerDay },
  };
}

function blanksOnly(rules: readonly FieldRule[]): FieldRule[] {
  return rules.map((rule) => (rule.write === 'never' ? rule : { ...rule, write: 'fill-blank' }));
}
