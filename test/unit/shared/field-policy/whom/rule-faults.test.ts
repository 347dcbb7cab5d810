import { describe, expect, it } from 'vitest';
import { propertyWords } from '#inside/field-policy/whom/admission.ts';
import type { PropertyDefinition } from '#shared/crm';
import { fittingFaults, type PolicyInput, parsePolicy, ruleFaults } from '#shared/field-policy';

type ContactRules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;
type RuleCondition = NonNullable<ContactRules[number]['when']>[number];

const DEFINITIONS = {
  contacts: new Map([
    property('stage', 'enumeration', ['customer', 'lead']),
    property('country', 'string'),
    property('consent', 'string'),
    property('age', 'number'),
    property('vip', 'bool'),
    property('email', 'string'),
  ]),
  companies: new Map([property('industry', 'string'), property('domain', 'string'), property('vip', 'bool')]),
};

function property(name: string, type: string, values: readonly string[] = []): [string, PropertyDefinition] {
  const options = values.map((value) => ({ value, label: value }));
  return [name, { name, type, fieldType: 'text', readOnly: false, options }];
}

/** Faults of rules for contacts, as `RULE: CODE ABOUT`. */
function faultsOf(contacts: ContactRules, fields: PolicyInput['fields'] = {}): string[] {
  const policy = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { contacts } });
  return ruleFaults(policy, 'contacts', DEFINITIONS).map(
    ({ rule, code, about }) => `${rule}: ${code} ${about}`,
  );
}

const out = (...when: RuleCondition[]) => ({ name: 'out', enrich: false, when });

describe('the check of the rules', () => {
  it('finds nothing in rules that go together and suit the account', () => {
    expect(
      faultsOf([
        { name: 'a', when: [{ property: 'stage', in: ['Customer', 'lead'] }] },
        { name: 'b', when: [{ property: 'vip', is: 'TRUE' }] },
        { name: 'c', when: [{ companyProperty: 'industry', is: 'SOFTWARE' }] },
        { name: 'rest', enrich: false },
      ]),
    ).toEqual([]);
  });

  it('finds properties and options that the account lacks', () => {
    expect(
      faultsOf([
        { name: 'a', when: [{ property: 'tier', is: 'gold' }] },
        { name: 'b', when: [{ property: 'stage', is: 'custommer' }] },
        { name: 'c', when: [{ property: 'stage', not: ['lead', 'led'] }] },
        { name: 'd', when: [{ companyProperty: 'country', is: 'DE' }] },
        { name: 'e', when: [{ companyProperty: 'vip', in: ['true', '1'] }] },
      ]),
    ).toEqual([
      'a: unknown-property tier',
      'b: unknown-option custommer',
      'c: unknown-option led',
      `d: unknown-property ${propertyWords({ companyProperty: 'country' })}`,
      'e: unknown-option 1',
    ]);
  });

  it.each<[string, RuleCondition[], RuleCondition[]]>([
    [
      'the same conditions in another order',
      [{ property: 'stage', is: 'lead' }, { email: 'role' }],
      [{ email: 'role' }, { property: 'stage', is: 'lead' }],
    ],
    [
      'one value and a list of it',
      [{ property: 'country', is: 'DE' }],
      [{ property: 'country', in: ['de', 'DE'] }],
    ],
    [
      'a list in another order',
      [{ property: 'country', in: ['DE', 'FR'] }],
      [{ property: 'country', in: ['FR', 'DE'] }],
    ],
    [
      'one exception and a list of it',
      [{ property: 'country', not: 'DE' }],
      [{ property: 'country', not: ['DE'] }],
    ],
    ['no condition', [], [{ property: 'age', above: 3 }]],
  ])('finds a rule that no record reaches: %s', (_, above, below) => {
    const rules = [
      { name: 'a', when: above },
      { name: 'b', when: below },
    ];
    expect(faultsOf(rules)).toEqual(['b: never-reached a']);
    expect(fittingFaults(rules, 'contacts', DEFINITIONS)).toMatchObject([
      { rule: 'b', code: 'never-reached', about: 'a' },
    ]);
  });

  it.each<[string, RuleCondition, RuleCondition]>([
    ['another property', { property: 'country', is: 'lead' }, { property: 'consent', is: 'lead' }],
    ['the company', { property: 'vip', is: 'true' }, { companyProperty: 'vip', is: 'true' }],
    ['blanks', { property: 'stage', is: 'lead' }, { property: 'stage', is: 'lead', orBlank: true }],
    ['the opposite', { property: 'country', not: 'DE' }, { property: 'country', is: 'DE' }],
    ['another limit', { property: 'age', above: 3 }, { property: 'age', above: 4 }],
    ['another address', { email: 'role' }, { email: 'business' }],
  ])('lets a rule be reached that fits %s', (_, above, below) => {
    const rules = [
      { name: 'a', when: [above] },
      { name: 'b', when: [below] },
    ];
    expect(faultsOf(rules)).toEqual([]);
  });

  it('warns where a rule lets a blank in that the policy itself fills', () => {
    const country: RuleCondition = { property: 'country', in: ['DE'] };
    expect(faultsOf([out(country)])).toEqual(['out: misses-blanks country']);
    expect(faultsOf([out({ ...country, orBlank: true })])).toEqual([]);
    expect(faultsOf([out({ property: 'consent', is: 'no' })])).toEqual([]);
    expect(faultsOf([out({ property: 'country', blank: true })])).toEqual([]);
    expect(faultsOf([out({ property: 'country', filled: true })])).toEqual([]);
    expect(faultsOf([out({ email: 'business' })])).toEqual([]);
    expect(faultsOf([out(country)], { contacts: { country: { write: 'never' } } })).toEqual([]);
    expect(faultsOf([{ name: 'in', when: [country] }])).toEqual([]);
  });

  it('warns where a rule keeps contacts out by their company, and lets those without one in', () => {
    const rivals: RuleCondition = { companyProperty: 'domain', domain: ['rival.com'] };
    const warning = [`out: misses-blanks ${propertyWords(rivals)}`];
    expect(faultsOf([out(rivals)])).toEqual(warning);
    expect(faultsOf([out({ property: 'country', is: 'DE', orBlank: true }, rivals)])).toEqual(warning);
    expect(faultsOf([out({ ...rivals, orBlank: true })])).toEqual([]);
    expect(faultsOf([{ name: 'rivals', when: [rivals] }])).toEqual([]);
    const alone = { name: 'alone', enrich: false, onRequest: true };
    expect(faultsOf([{ ...alone, when: [{ companyProperty: 'domain', blank: true }] }, out(rivals)])).toEqual(
      [],
    );
    expect(
      faultsOf([{ ...alone, when: [{ companyProperty: 'industry', blank: true }] }, out(rivals)]),
    ).toEqual(warning);
  });

  it('does not warn where a rule above keeps the blanks out', () => {
    const rule = out({ property: 'country', in: ['DE'] });
    const blanks = { name: 'blanks', when: [{ property: 'country', blank: true as const }] };
    expect(faultsOf([{ ...blanks, enrich: false }, rule])).toEqual([]);
    expect(faultsOf([blanks, rule])).toHaveLength(1);
    const narrower = { ...blanks, enrich: false, when: [...blanks.when, { property: 'age', above: 1 }] };
    expect(faultsOf([narrower, rule])).toHaveLength(1);
    const rivals = out({ property: 'email', domain: ['rival.com'] });
    expect(faultsOf([{ name: 'none', enrich: false, when: [{ email: 'none' }] }, rivals])).toEqual([]);
    expect(faultsOf([{ name: 'roles', enrich: false, when: [{ email: 'role' }] }, rivals])).toHaveLength(1);
  });
});
