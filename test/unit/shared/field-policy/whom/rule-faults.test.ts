import { describe, expect, it } from 'vitest';
import type { PropertyDefinition } from '#inside/crm/property-definition.ts';
import { type PolicyInput, parsePolicy } from '#inside/field-policy/policy.ts';
import { ruleFaults } from '#inside/field-policy/whom/rule-faults.ts';

type Rules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;

const property = (
  name: string,
  type: string,
  options: readonly string[] = [],
): [string, PropertyDefinition] => [
  name,
  {
    ...{ name, type, fieldType: 'text', readOnly: false },
    options: options.map((value) => ({ value, label: value })),
  },
];

const DEFINITIONS = {
  contacts: new Map([
    property('stage', 'enumeration', ['customer', 'lead']),
    property('country', 'string'),
    property('consent', 'string'),
    property('age', 'number'),
  ]),
  companies: new Map([property('industry', 'string')]),
};

const faultsOf = (contacts: Rules) =>
  ruleFaults(parsePolicy({ budgets: { perDay: 1 }, whom: { contacts } }), 'contacts', DEFINITIONS).map(
    ({ rule, kind, problem }) => `${rule}, ${kind}: ${problem}`,
  );

const REST = { name: 'rest', enrich: false };

describe('the check of the rules', () => {
  it('finds nothing in rules that go together and suit the account', () => {
    expect(
      faultsOf([
        {
          name: 'a',
          when: [
            { property: 'stage', in: ['customer', 'lead'] },
            { property: 'stage', not: 'lead' },
          ],
        },
        {
          name: 'b',
          when: [
            { property: 'age', above: 3 },
            { property: 'age', below: 9, orBlank: true },
          ],
        },
        { name: 'c', when: [{ companyProperty: 'industry', is: 'SOFTWARE' }] },
        REST,
      ]),
    ).toEqual([]);
  });

  it('finds a property and an option that the account lacks, and a comparison that its type does not allow', () => {
    expect(
      faultsOf([
        { name: 'a', when: [{ property: 'tier', is: 'gold' }] },
        { name: 'b', when: [{ property: 'stage', is: 'custommer' }] },
        { name: 'c', when: [{ property: 'country', above: 3 }] },
        { name: 'c2', when: [{ property: 'country', below: 3 }] },
        { name: 'd', when: [{ property: 'country', before: 3 }] },
        { name: 'e', when: [{ companyProperty: 'country', is: 'DE' }] },
      ]),
    ).toEqual([
      'a, broken: it reads tier, which HubSpot does not have',
      'b, broken: stage has no option "custommer" (an option\'s internal value is needed)',
      'c, broken: above and below need a number, and country is of the type string',
      'c2, broken: above and below need a number, and country is of the type string',
      'd, broken: before needs a date, and country is of the type string',
      'e, broken: it reads country, which HubSpot does not have',
    ]);
  });

  it.each<[string, Rules[number]['when']]>([
    [
      'stage',
      [
        { property: 'stage', is: 'lead' },
        { property: 'stage', is: 'customer' },
      ],
    ],
    [
      'stage',
      [
        { property: 'stage', is: 'lead' },
        { property: 'stage', blank: true },
      ],
    ],
    [
      'stage',
      [
        { property: 'stage', in: ['lead'] },
        { property: 'stage', not: ['lead'] },
      ],
    ],
    [
      'age',
      [
        { property: 'age', above: 9 },
        { property: 'age', below: 3 },
      ],
    ],
    [
      'age',
      [
        { property: 'age', above: 3 },
        { property: 'age', below: 3 },
      ],
    ],
    [
      'industry of the company',
      [
        { companyProperty: 'industry', is: 'A' },
        { companyProperty: 'industry', is: 'B' },
      ],
    ],
    ['email', [{ email: 'business' }, { email: 'role' }]],
  ])('finds conditions on %s that contradict each other', (name, when = []) => {
    expect(faultsOf([{ name: 'a', when }])).toEqual([
      `a, doubtful: it can never fit: its conditions on ${name} contradict each other`,
    ]);
  });

  it.each<[string, Rules[number]['when']]>([
    [
      'both fit a blank',
      [
        { property: 'stage', is: 'lead', orBlank: true },
        { property: 'stage', is: 'customer', orBlank: true },
      ],
    ],
    [
      'one is of blanks and the other fits them too',
      [
        { property: 'stage', blank: true },
        { property: 'stage', is: 'lead', orBlank: true },
      ],
    ],
    [
      'a choice is left',
      [
        { property: 'stage', in: ['lead', 'customer'] },
        { property: 'stage', in: ['Customer'], orBlank: true },
      ],
    ],
    [
      'they are of the contact and of its company',
      [
        { property: 'industry_of_ours', is: 'A' },
        { companyProperty: 'industry', is: 'B' },
      ],
    ],
  ])('finds no contradiction where %s', (_, when = []) => {
    expect(faultsOf([{ name: 'a', when }]).filter((fault) => fault.includes('contradict'))).toEqual([]);
  });

  it('finds rules that no record reaches', () => {
    const stage = { property: 'stage', is: 'lead' };
    expect(
      faultsOf([
        { name: 'a', when: [stage] },
        { name: 'b', when: [{ property: 'country', filled: true }, stage] },
        { name: 'c' },
        { name: 'd', when: [{ email: 'none' }] },
      ]),
    ).toEqual([
      'b, doubtful: no record reaches it: the rule "a" above takes them all',
      'd, doubtful: no record reaches it: the rule "c" above takes them all',
    ]);
  });

  it('warns where a rule lets a blank in that the policy itself fills', () => {
    const rule = { name: 'EU', enrich: false };
    expect(faultsOf([{ ...rule, when: [{ property: 'country', in: ['DE'] }] }])).toEqual([
      'EU, doubtful: it keeps records out by country, but not those where it is blank, and the policy itself fills it: add orBlank: true',
    ]);
    expect(faultsOf([{ ...rule, when: [{ property: 'country', in: ['DE'], orBlank: true }] }])).toEqual([]);
    expect(faultsOf([{ ...rule, when: [{ property: 'consent', is: 'no' }] }])).toEqual([]);
    expect(faultsOf([{ ...rule, when: [{ property: 'country', blank: true }] }])).toEqual([]);
    const fields = { contacts: { country: { write: 'never' as const } } };
    const contacts = [{ ...rule, when: [{ property: 'country', in: ['DE'] }] }];
    const unwritten = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { contacts } });
    expect(ruleFaults(unwritten, 'contacts', DEFINITIONS)).toEqual([]);
    expect(faultsOf([{ name: 'in', when: [{ property: 'country', in: ['DE'] }] }])).toEqual([]);
  });

  it('does not warn where a rule above keeps the blanks out', () => {
    const rule = { name: 'EU', enrich: false, when: [{ property: 'country', in: ['DE'] }] };
    const blanks = { name: 'blanks', when: [{ property: 'country', blank: true as const }] };
    expect(faultsOf([{ ...blanks, enrich: false }, rule])).toEqual([]);
    expect(faultsOf([blanks, rule])).toHaveLength(1);
    const narrower = { ...blanks, enrich: false, when: [...blanks.when, { property: 'age', above: 1 }] };
    expect(faultsOf([narrower, rule])).toHaveLength(1);
  });
});

describe('a policy with rules', () => {
  it.each<[string, NonNullable<PolicyInput['whom']>, string]>([
    [
      'two names alike',
      { contacts: [REST, REST] },
      'whom.contacts, rule "rest", name: two rules are called "rest"',
    ],
    [
      'a condition without a comparison',
      { contacts: [{ name: 'a', when: [{ property: 'city' }] }] },
      'whom.contacts, rule "a", condition 1: say once what the value is compared with',
    ],
    [
      'two comparisons in one condition',
      { contacts: [{ name: 'a', when: [{ property: 'city', is: 'Ulm', filled: true }] }] },
      'whom.contacts, rule "a", condition 1: say once what the value is compared with',
    ],
    [
      'a condition of no property',
      { contacts: [{ name: 'a', when: [{ is: 'Ulm' }] }] },
      'whom.contacts, rule "a", condition 1: name one property: property or companyProperty',
    ],
    [
      'orBlank beside filled',
      { contacts: [{ name: 'a', when: [{ property: 'city', filled: true, orBlank: true }] }] },
      'whom.contacts, rule "a", condition 1, orBlank: says nothing beside blank or filled',
    ],
    [
      "a company's company",
      { companies: [{ name: 'a', when: [{ companyProperty: 'city', is: 'Ulm' }] }] },
      'whom.companies, rule "a", condition 1, companyProperty: is for contacts; say property',
    ],
    [
      'a comparison of another type',
      { contacts: [{ name: 'a', when: [{ property: 'email', domain: 'rival.com' as never }] }] },
      'Change whom.contacts, rule "a", condition 1, domain: expected a list, not "rival.com".',
    ],
    [
      'an address of a company',
      { companies: [{ name: 'a', when: [{ email: 'role' }] }] },
      'whom.companies, rule "a", condition 1, email: companies have no address',
    ],
    [
      'a request where everybody is looked up anyway',
      { contacts: [{ name: 'a', onRequest: true }] },
      'whom.contacts, rule "a", onRequest: is for rules with enrich: false',
    ],
    [
      'a kind of address that there is not',
      { contacts: [{ name: 'a', when: [{ property: 'city', is: 'Ulm' }, { email: 'freemail' as never }] }] },
      'Change whom.contacts, rule "a", condition 2, email: expected one of business, free-mail, role, none, not "freemail".',
    ],
    [
      'an address beside a comparison',
      { contacts: [{ name: 'a', when: [{ email: 'role', is: 'x' }] }] },
      'whom.contacts, rule "a", condition 1, email: stands alone in its condition',
    ],
    [
      'an address and a property',
      { contacts: [{ name: 'a', when: [{ email: 'role', property: 'city', is: 'x' }] }] },
      'whom.contacts, rule "a", condition 1: name one property: property or companyProperty; or email (business, free-mail, role, none) alone',
    ],
    [
      'an address that is blank too',
      { contacts: [{ name: 'a', when: [{ email: 'role', orBlank: true }] }] },
      'whom.contacts, rule "a", condition 1, email: stands alone',
    ],
    [
      'a misspelt comparison',
      { contacts: [{ name: 'a', when: [{ property: 'city', equals: 'Ulm' } as never] }] },
      'whom.contacts, rule "a", condition 1, equals: is unknown here; known are property, companyProperty, email, is, in, not,',
    ],
    [
      'a misspelt setting',
      { contacts: [{ name: 'a', maxCredit: 3 } as never] },
      'whom.contacts, rule "a", maxCredit: is unknown here; known are name, when, enrich,',
    ],
    [
      'an empty list of values',
      { contacts: [{ name: 'a', when: [{ property: 'city', in: [] }] }] },
      'whom.contacts, rule "a", condition 1, in: expected at least one entry, not []',
    ],
    [
      'a number in place of a text in a list',
      { contacts: [{ name: 'a', when: [{ property: 'city', in: ['Ulm', 5 as never] }] }] },
      'whom.contacts, rule "a", condition 1, in, entry 2: expected a text in quotes, not 5',
    ],
    [
      'a wait that is too long',
      { contacts: [{ name: 'a', waitMinutes: 100_000 }] },
      'whom.contacts, rule "a", waitMinutes: expected 43200 or less, not 100000',
    ],
    [
      'conditions that are no list',
      { contacts: [{ name: 'a', when: { property: 'city', is: 'Ulm' } as never }] },
      'whom.contacts, rule "a", when: expected a list, not {"property":"city","is":"Ulm"}',
    ],
    [
      'a rule without a name',
      { contacts: [{ name: 'a' }, { enrich: false } as never] },
      'whom.contacts, rule 2, name: expected a text in quotes, and it is missing',
    ],
    [
      'an empty name',
      { contacts: [{ name: ' ' }] },
      'whom.contacts, rule 1, name: expected a text that is not empty, not " "',
    ],
    [
      'the name that figures use for records without a rule',
      { contacts: [{ name: 'no rule fits' }] },
      'whom.contacts, rule "no rule fits", name: "no rule fits" is what figures call records without a rule',
    ],
    [
      'a name of more than 60 characters',
      { contacts: [{ name: 'x'.repeat(61) }] },
      'name: expected at most 60 characters, not "xxx',
    ],
    [
      'a purchase that no field takes anything from',
      { contacts: [{ name: 'a', wantPhone: true }] },
      'whom.contacts, rule "a", wantPhone: buys phones',
    ],
  ])('is refused with %s', (_, whom, message) => {
    const fields = { contacts: [], companies: [] };
    expect(() => parsePolicy({ budgets: { perDay: 1 }, fields, whom })).toThrow(message);
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
    const parse = () => parsePolicy({ budgets: { perDay: 1 }, whom: { contacts: [{ name }] } });
    expect(parse).toThrow('name: expected a name in one line, without control characters');
    expect(parse).not.toThrow(name);
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
