import { describe, expect, it } from 'vitest';
import { propertyWords } from '#inside/field-policy/whom/admission.ts';
import type { PropertyDefinition } from '#shared/crm';
import { fittingFaults, PolicyError, type PolicyInput, parsePolicy, ruleFaults } from '#shared/field-policy';

type Whom = NonNullable<PolicyInput['whom']>;

type Rules = NonNullable<Whom['contacts']>;

/** Faults of a policy with these rules, and no fields. */
function faultsOf(whom: PolicyInput['whom']): PolicyError['faults'] {
  try {
    parsePolicy({ budgets: { perDay: 1 }, fields: { contacts: [], companies: [] }, whom });
  } catch (error) {
    if (error instanceof PolicyError) return error.faults;
    throw error;
  }
  return [];
}

/** Rules for contacts: one with such settings, or with such a condition. */
const rule = (settings: object): Whom => ({ contacts: [{ name: 'a', ...settings }] });

const when = (...conditions: object[]) => rule({ when: conditions });

const REST = { name: 'rest', enrich: false };

describe('a policy with rules', () => {
  it.each<[Whom, string]>([
    [{ contacts: [REST, REST] }, 'contacts.1.name: duplicate-name'],
    [rule({ maxCredits: 0 }), 'contacts.0.maxCredits: too-small'],
    [rule({ waitMinutes: 0 }), 'contacts.0.waitMinutes: too-small'],
    [rule({ waitMinutes: 43_201 }), 'contacts.0.waitMinutes: too-big'],
    [rule({ maxCredits: Number.NaN }), 'contacts.0.maxCredits: wrong-type'],
    [rule({ maxCredits: Number.POSITIVE_INFINITY }), 'contacts.0.maxCredits: wrong-type'],
    [when({ property: 'closedate', before: -1 }), 'contacts.0.when.0.before: too-small'],
    [rule({ 'wait\nMinutes': 3 }), 'contacts.0.wait?Minutes: unknown-key'],
    [{ contacts: [{ name: 'a\nb' }, { name: 'a\nb' }] }, 'contacts.0.name: wrong-format'],
    [when({ property: 'city' }), 'contacts.0.when.0: no-comparison'],
    [when({ property: 'city', is: 'Ulm', filled: true }), 'contacts.0.when.0: no-comparison'],
    [when({ is: 'Ulm' }), 'contacts.0.when.0: no-subject'],
    [when({ property: 'city', filled: true, orBlank: true }), 'contacts.0.when.0.orBlank: needless-or-blank'],
    [
      { companies: [{ name: 'a', when: [{ companyProperty: 'city', is: 'Ulm' }] }] },
      'companies.0.when.0.companyProperty: company-of-company',
    ],
    [when({ property: 'email', domain: 'rival.com' }), 'contacts.0.when.0.domain: wrong-type'],
    [
      { companies: [{ name: 'a', when: [{ email: 'role' }] }] },
      'companies.0.when.0.email: address-of-company',
    ],
    [rule({ onRequest: true }), 'contacts.0.onRequest: needless-on-request'],
    [when({ property: 'city', is: 'Ulm' }, { email: 'freemail' }), 'contacts.0.when.1.email: wrong-value'],
    [when({ email: 'role', is: 'x' }), 'contacts.0.when.0.email: email-with-others'],
    [when({ email: 'role', property: 'city', is: 'x' }), 'contacts.0.when.0: no-subject'],
    [when({ email: 'role', orBlank: true }), 'contacts.0.when.0.email: email-with-others'],
    [rule({ when: [{ property: 'city', equals: 'Ulm' }] }), 'contacts.0.when.0.equals: unknown-key'],
    [rule({ maxCredit: 3 }), 'contacts.0.maxCredit: unknown-key'],
    [when({ property: 'city', in: [] }), 'contacts.0.when.0.in: too-small'],
    [when({ property: 'city', in: ['Ulm', 5] }), 'contacts.0.when.0.in.1: wrong-type'],
    [rule({ when: { property: 'city', is: 'Ulm' } }), 'contacts.0.when: wrong-type'],
    [{ contacts: [{ name: 'a' }, { enrich: false } as never] }, 'contacts.1.name: wrong-type'],
    [{ contacts: [{ name: ' ' }] }, 'contacts.0.name: too-small'],
    [{ contacts: [{ name: 'no rule fits' }] }, 'contacts.0.name: reserved-name'],
    [{ contacts: [{ name: 'x'.repeat(61) }] }, 'contacts.0.name: too-big'],
    [rule({ wantPhone: true }), 'contacts.0.wantPhone: unused-phones'],
  ])('%j is refused: %s', (whom, fault) => {
    expect(faultsOf(whom).map(({ code, key }) => `${key}: ${code}`)).toContain(`whom.${fault}`);
  });

  it.each([
    ['a newline', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['an escape', 'a\u001b[31mb'],
    ['a bell', 'a\u0007'],
    ['a C1 control character', 'a\u009b31m'],
    ['a line separator', 'a\u2028b'],
    ['an override of the direction', 'a\u202eb'],
    ['a space of no width', 'a\u200bb'],
  ])('is refused with %s in the name of a rule, which the message does not repeat', (_, name) => {
    const [fault] = faultsOf({ contacts: [{ name }] });
    expect(fault).toMatchObject({ code: 'wrong-format', key: 'whom.contacts.0.name' });
    expect(fault?.problem).not.toContain(name);
  });

  it('takes names in any script, with emoji', () => {
    const contacts = ['Kund:innen & Co', 'お客様', 'می\u200cخواهم', '👩\u200d💻'].map((name) => ({ name }));
    const { whom } = parsePolicy({ budgets: { perDay: 1 }, whom: { contacts } });
    expect(whom.contacts?.map(({ name }) => name)).toEqual(contacts.map(({ name }) => name));
  });

  it('is the same when it is read again in its own form', () => {
    const contacts: Rules = [
      { name: 'a', when: [{ email: 'business' }, { property: 'city', not: ['Ulm'], orBlank: true }] },
    ];
    const policy = parsePolicy({ budgets: { perDay: 1 }, whom: { contacts } });
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy);
  });
});

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
function faultsOfRules(contacts: ContactRules, fields: PolicyInput['fields'] = {}): string[] {
  const policy = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { contacts } });
  return ruleFaults(policy, 'contacts', DEFINITIONS).map(
    ({ rule, code, about }) => `${rule}: ${code} ${about}`,
  );
}

const out = (...when: RuleCondition[]) => ({ name: 'out', enrich: false, when });

describe('the check of the rules', () => {
  it('finds nothing in rules that go together and suit the account', () => {
    expect(
      faultsOfRules([
        { name: 'a', when: [{ property: 'stage', in: ['Customer', 'lead'] }] },
        { name: 'b', when: [{ property: 'vip', is: 'TRUE' }] },
        { name: 'c', when: [{ companyProperty: 'industry', is: 'SOFTWARE' }] },
        { name: 'rest', enrich: false },
      ]),
    ).toEqual([]);
  });

  it('finds properties and options that the account lacks', () => {
    expect(
      faultsOfRules([
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

  it.each<[RuleCondition[], RuleCondition[]]>([
    [
      [{ property: 'stage', is: 'lead' }, { email: 'role' }],
      [{ email: 'role' }, { property: 'stage', is: 'lead' }],
    ],
    [[{ property: 'country', is: 'DE' }], [{ property: 'country', in: ['de', 'DE'] }]],
    [[{ property: 'country', in: ['DE', 'FR'] }], [{ property: 'country', in: ['FR', 'DE'] }]],
    [[{ property: 'country', not: 'DE' }], [{ property: 'country', not: ['DE'] }]],
    [[], [{ property: 'age', above: 3 }]],
  ])('finds a rule that no record reaches: below %j, %j', (above, below) => {
    const rules = [
      { name: 'a', when: above },
      { name: 'b', when: below },
    ];
    expect(faultsOfRules(rules)).toEqual(['b: never-reached a']);
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
    expect(faultsOfRules(rules)).toEqual([]);
  });

  it('warns where a rule lets a blank in that the policy itself fills', () => {
    const country: RuleCondition = { property: 'country', in: ['DE'] };
    expect(faultsOfRules([out(country)])).toEqual(['out: misses-blanks country']);
    expect(faultsOfRules([out({ ...country, orBlank: true })])).toEqual([]);
    expect(faultsOfRules([out({ property: 'consent', is: 'no' })])).toEqual([]);
    expect(faultsOfRules([out({ property: 'country', blank: true })])).toEqual([]);
    expect(faultsOfRules([out({ property: 'country', filled: true })])).toEqual([]);
    expect(faultsOfRules([out({ email: 'business' })])).toEqual([]);
    expect(faultsOfRules([out(country)], { contacts: { country: { write: 'never' } } })).toEqual([]);
    expect(faultsOfRules([{ name: 'in', when: [country] }])).toEqual([]);
  });

  it('warns where a rule keeps contacts out by their company, and lets those without one in', () => {
    const rivals: RuleCondition = { companyProperty: 'domain', domain: ['rival.com'] };
    const warning = [`out: misses-blanks ${propertyWords(rivals)}`];
    expect(faultsOfRules([out(rivals)])).toEqual(warning);
    expect(faultsOfRules([out({ property: 'country', is: 'DE', orBlank: true }, rivals)])).toEqual(warning);
    expect(faultsOfRules([out({ ...rivals, orBlank: true })])).toEqual([]);
    expect(faultsOfRules([{ name: 'rivals', when: [rivals] }])).toEqual([]);
    const alone = { name: 'alone', enrich: false, onRequest: true };
    expect(
      faultsOfRules([{ ...alone, when: [{ companyProperty: 'domain', blank: true }] }, out(rivals)]),
    ).toEqual([]);
    expect(
      faultsOfRules([{ ...alone, when: [{ companyProperty: 'industry', blank: true }] }, out(rivals)]),
    ).toEqual(warning);
  });

  it('does not warn where a rule above keeps the blanks out', () => {
    const rule = out({ property: 'country', in: ['DE'] });
    const blanks = { name: 'blanks', when: [{ property: 'country', blank: true as const }] };
    expect(faultsOfRules([{ ...blanks, enrich: false }, rule])).toEqual([]);
    expect(faultsOfRules([blanks, rule])).toHaveLength(1);
    const narrower = { ...blanks, enrich: false, when: [...blanks.when, { property: 'age', above: 1 }] };
    expect(faultsOfRules([narrower, rule])).toHaveLength(1);
    const rivals = out({ property: 'email', domain: ['rival.com'] });
    expect(faultsOfRules([{ name: 'none', enrich: false, when: [{ email: 'none' }] }, rivals])).toEqual([]);
    expect(faultsOfRules([{ name: 'roles', enrich: false, when: [{ email: 'role' }] }, rivals])).toHaveLength(
      1,
    );
  });
});
