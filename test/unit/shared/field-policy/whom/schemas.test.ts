import { describe, expect, it } from 'vitest';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';

type Rules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;

const REST = { name: 'rest', enrich: false };

describe('a policy with rules', () => {
  it.each<[string, NonNullable<PolicyInput['whom']>, string]>([
    [
      'two names alike',
      { contacts: [REST, REST] },
      'whom.contacts, rule "rest", name: two rules are called "rest"',
    ],
    [
      'a highest price of nothing',
      { contacts: [{ name: 'a', maxCredits: 0 }] },
      'whom.contacts, rule "a", maxCredits: expected more than 0, not 0.',
    ],
    [
      'a wait of nothing',
      { contacts: [{ name: 'a', waitMinutes: 0 }] },
      'whom.contacts, rule "a", waitMinutes: expected more than 0, not 0.',
    ],
    [
      'a wait of more than 30 days',
      { contacts: [{ name: 'a', waitMinutes: 43_201 }] },
      'whom.contacts, rule "a", waitMinutes: expected 43200 or less, not 43201.',
    ],
    [
      'a number that is none',
      { contacts: [{ name: 'a', maxCredits: Number.NaN }] },
      'whom.contacts, rule "a", maxCredits: expected a number, not NaN.',
    ],
    [
      'a number without end',
      { contacts: [{ name: 'a', maxCredits: Number.POSITIVE_INFINITY }] },
      'not Infinity.',
    ],
    [
      'a date less than no days ago',
      { contacts: [{ name: 'a', when: [{ property: 'closedate', before: -1 }] }] },
      'whom.contacts, rule "a", condition 1, before: expected 0 or more, not -1.',
    ],
    [
      'a line break in a key',
      { contacts: [{ name: 'a', ['wait\nMinutes' as never]: 3 }] },
      'whom.contacts, rule "a", wait?Minutes: is unknown here',
    ],
    [
      'a line break in two names alike',
      { contacts: [{ name: 'a\nb' }, { name: 'a\nb' }] },
      'rule "a\\nb", name: expected a name in one line',
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
