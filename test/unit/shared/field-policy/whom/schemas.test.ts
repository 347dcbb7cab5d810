import { describe, expect, it } from 'vitest';
import { PolicyError, type PolicyInput, parsePolicy } from '#shared/field-policy';

type Rules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;

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

const REST = { name: 'rest', enrich: false };

describe('a policy with rules', () => {
  it.each<[string, NonNullable<PolicyInput['whom']>, string]>([
    ['two names alike', { contacts: [REST, REST] }, 'whom.contacts.1.name: duplicate-name'],
    [
      'a highest price of nothing',
      { contacts: [{ name: 'a', maxCredits: 0 }] },
      'whom.contacts.0.maxCredits: too-small',
    ],
    [
      'a wait of nothing',
      { contacts: [{ name: 'a', waitMinutes: 0 }] },
      'whom.contacts.0.waitMinutes: too-small',
    ],
    [
      'a wait of more than 30 days',
      { contacts: [{ name: 'a', waitMinutes: 43_201 }] },
      'whom.contacts.0.waitMinutes: too-big',
    ],
    [
      'a number that is none',
      { contacts: [{ name: 'a', maxCredits: Number.NaN }] },
      'whom.contacts.0.maxCredits: wrong-type',
    ],
    [
      'a number without end',
      { contacts: [{ name: 'a', maxCredits: Number.POSITIVE_INFINITY }] },
      'whom.contacts.0.maxCredits: wrong-type',
    ],
    [
      'a date less than no days ago',
      { contacts: [{ name: 'a', when: [{ property: 'closedate', before: -1 }] }] },
      'whom.contacts.0.when.0.before: too-small',
    ],
    [
      'a line break in a key',
      { contacts: [{ name: 'a', ['wait\nMinutes' as never]: 3 }] },
      'whom.contacts.0.wait?Minutes: unknown-key',
    ],
    [
      'a line break in two names alike',
      { contacts: [{ name: 'a\nb' }, { name: 'a\nb' }] },
      'whom.contacts.0.name: wrong-format',
    ],
    [
      'a condition without a comparison',
      { contacts: [{ name: 'a', when: [{ property: 'city' }] }] },
      'whom.contacts.0.when.0: no-comparison',
    ],
    [
      'two comparisons in one condition',
      { contacts: [{ name: 'a', when: [{ property: 'city', is: 'Ulm', filled: true }] }] },
      'whom.contacts.0.when.0: no-comparison',
    ],
    [
      'a condition of no property',
      { contacts: [{ name: 'a', when: [{ is: 'Ulm' }] }] },
      'whom.contacts.0.when.0: no-subject',
    ],
    [
      'orBlank beside filled',
      { contacts: [{ name: 'a', when: [{ property: 'city', filled: true, orBlank: true }] }] },
      'whom.contacts.0.when.0.orBlank: needless-or-blank',
    ],
    [
      "a company's company",
      { companies: [{ name: 'a', when: [{ companyProperty: 'city', is: 'Ulm' }] }] },
      'whom.companies.0.when.0.companyProperty: company-of-company',
    ],
    [
      'a comparison of another type',
      { contacts: [{ name: 'a', when: [{ property: 'email', domain: 'rival.com' as never }] }] },
      'whom.contacts.0.when.0.domain: wrong-type',
    ],
    [
      'an address of a company',
      { companies: [{ name: 'a', when: [{ email: 'role' }] }] },
      'whom.companies.0.when.0.email: address-of-company',
    ],
    [
      'a request where everybody is looked up anyway',
      { contacts: [{ name: 'a', onRequest: true }] },
      'whom.contacts.0.onRequest: needless-on-request',
    ],
    [
      'a kind of address that there is not',
      { contacts: [{ name: 'a', when: [{ property: 'city', is: 'Ulm' }, { email: 'freemail' as never }] }] },
      'whom.contacts.0.when.1.email: wrong-value',
    ],
    [
      'an address beside a comparison',
      { contacts: [{ name: 'a', when: [{ email: 'role', is: 'x' }] }] },
      'whom.contacts.0.when.0.email: email-with-others',
    ],
    [
      'an address and a property',
      { contacts: [{ name: 'a', when: [{ email: 'role', property: 'city', is: 'x' }] }] },
      'whom.contacts.0.when.0: no-subject',
    ],
    [
      'an address that is blank too',
      { contacts: [{ name: 'a', when: [{ email: 'role', orBlank: true }] }] },
      'whom.contacts.0.when.0.email: email-with-others',
    ],
    [
      'a misspelt comparison',
      { contacts: [{ name: 'a', when: [{ property: 'city', equals: 'Ulm' } as never] }] },
      'whom.contacts.0.when.0.equals: unknown-key',
    ],
    [
      'a misspelt setting',
      { contacts: [{ name: 'a', maxCredit: 3 } as never] },
      'whom.contacts.0.maxCredit: unknown-key',
    ],
    [
      'an empty list of values',
      { contacts: [{ name: 'a', when: [{ property: 'city', in: [] }] }] },
      'whom.contacts.0.when.0.in: too-small',
    ],
    [
      'a number in place of a text in a list',
      { contacts: [{ name: 'a', when: [{ property: 'city', in: ['Ulm', 5 as never] }] }] },
      'whom.contacts.0.when.0.in.1: wrong-type',
    ],
    [
      'a wait that is too long',
      { contacts: [{ name: 'a', waitMinutes: 100_000 }] },
      'whom.contacts.0.waitMinutes: too-big',
    ],
    [
      'conditions that are no list',
      { contacts: [{ name: 'a', when: { property: 'city', is: 'Ulm' } as never }] },
      'whom.contacts.0.when: wrong-type',
    ],
    [
      'a rule without a name',
      { contacts: [{ name: 'a' }, { enrich: false } as never] },
      'whom.contacts.1.name: wrong-type',
    ],
    ['an empty name', { contacts: [{ name: ' ' }] }, 'whom.contacts.0.name: too-small'],
    [
      'the name that figures use for records without a rule',
      { contacts: [{ name: 'no rule fits' }] },
      'whom.contacts.0.name: reserved-name',
    ],
    [
      'a name of more than 60 characters',
      { contacts: [{ name: 'x'.repeat(61) }] },
      'whom.contacts.0.name: too-big',
    ],
    [
      'a purchase that no field takes anything from',
      { contacts: [{ name: 'a', wantPhone: true }] },
      'whom.contacts.0.wantPhone: unused-phones',
    ],
  ])('is refused with %s', (_, whom, fault) => {
    expect(faultsOf(whom).map(({ code, key }) => `${key}: ${code}`)).toContain(fault);
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
