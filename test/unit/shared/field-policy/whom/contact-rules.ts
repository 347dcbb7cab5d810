import type { PropertyDefinition } from '#inside/crm/property-definition.ts';
import { type PolicyInput, parsePolicy } from '#inside/field-policy/policy.ts';
import { ruleFaults } from '#inside/field-policy/whom/rule-faults.ts';

type ContactRules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;
export type RuleCondition = NonNullable<ContactRules[number]['when']>[number];

/** Properties of the account that the rules are checked against. */
export const DEFINITIONS = {
  contacts: new Map([
    property('stage', 'enumeration', ['customer', 'lead']),
    property('country', 'string'),
    property('consent', 'string'),
    property('age', 'number'),
    property('seen', 'datetime'),
    property('vip', 'bool'),
    property('email', 'string'),
    property('jobtitle', 'string'),
    property('enrichment_status', 'enumeration', ['skipped']),
  ]),
  companies: new Map([property('industry', 'string'), property('domain', 'string'), property('vip', 'bool')]),
};

/** Faults of rules for contacts, as `RULE, KIND: PROBLEM`. */
export function contactRuleFaults(contacts: ContactRules): string[] {
  const policy = parsePolicy({ budgets: { perDay: 1 }, whom: { contacts } });
  return ruleFaults(policy, 'contacts', DEFINITIONS).map(
    ({ rule, kind, problem }) => `${rule}, ${kind}: ${problem}`,
  );
}

function property(name: string, type: string, options: readonly string[] = []): [string, PropertyDefinition] {
  return [
    name,
    {
      ...{ name, type, fieldType: 'text', readOnly: false },
      options: options.map((value) => ({ value, label: value })),
    },
  ];
}
