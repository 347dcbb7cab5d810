import { describe, expect, it } from 'vitest';
import { propertyWords } from '#inside/field-policy/whom/admission.ts';
import { NO_RULE } from '#inside/field-policy/whom/schemas.ts';
import {
  admissionOf,
  admissionsOf,
  type PolicyInput,
  parsePolicy,
  propertiesOfRules,
  retentionOf,
} from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';

type Whom = NonNullable<PolicyInput['whom']>;

type Condition = NonNullable<NonNullable<Whom['contacts']>[number]['when']>[number];

type Values = Readonly<Record<string, string | null>>;

const NOW_MS = Date.UTC(2026, 10, 21);

const policyOf = (whom: Whom, more: Partial<PolicyInput> = {}) =>
  parsePolicy({ budgets: { perDay: 1 }, whom, ...more });

const admit = (whom: Whom, properties: Values, more: { companyProperties?: Values } = {}) =>
  admissionOf(policyOf(whom), { objectType: 'contacts', properties, ...more }, { nowMs: NOW_MS });

const fits = (condition: Condition, properties: Values) =>
  admit({ contacts: [{ name: 'it', when: [condition] }] }, properties).rule === 'it';

describe('a condition', () => {
  it.each(['jo@ac.uk', 'jo@github.io', 'jo@edu'])(
    'of addresses counts %s as none: anybody registers below it',
    (email) => {
      expect(fits({ email: 'none' }, { email })).toBe(true);
      expect(fits({ email: 'business' }, { email })).toBe(false);
    },
  );

  it.each(['jo@ac.uk', 'https://ac.uk/about', 'jo@cs.ac.uk'])('of a shared ending fits %s too', (website) => {
    expect(fits({ property: 'website', domain: ['.ac.uk'] }, { website })).toBe(true);
    expect(fits({ property: 'website', domain: ['ac.uk'] }, { website })).toBe(true);
    expect(fits({ property: 'website', domain: ['c.uk'] }, { website })).toBe(false);
  });

  it.each([
    ['https://rival.example/@team', true],
    ['https://other.example/@rival.example', false],
    ['jo@rival.example', true],
    ['jo@eu.rival.example', true],
    ['http://somebody:secret@www.rival.example:8080/x?y=z@a.example', true],
    ['jo@notrival.example', false],
    ['rival.example.org', false],
    ['no domain', false],
  ])('of a domain reads it from %s', (website, isOne) => {
    expect(fits({ property: 'website', domain: ['rival.example'] }, { website })).toBe(isOne);
  });

  it.each([
    ['2026-11-11', true],
    ['2026-11-12', false],
    ['2027-01-01', false],
    [String(Date.UTC(2026, 10, 11)), true],
    [String(Date.UTC(2026, 10, 11) + 1), false],
    ['soon', false],
    ['2026', true],
  ])('of a date ten days ago holds of %s: %s', (value, isOne) => {
    expect(fits({ property: 'joined', before: 10 }, { joined: value })).toBe(isOne);
  });

  it('of an option holds where one of several is chosen, and its opposite does not', () => {
    const chosen = { hobbies: 'Chess; GO ' };
    expect(fits({ property: 'hobbies', in: ['go', 'poker'] }, chosen)).toBe(true);
    expect(fits({ property: 'hobbies', not: ['poker', 'go'] }, chosen)).toBe(false);
    expect(fits({ property: 'hobbies', is: 'chess; go' }, chosen)).toBe(true);
    expect(fits({ property: 'hobbies', not: ['poker'] }, chosen)).toBe(true);
  });

  it.each([null, '', '  '])('takes %j for blank, which no comparison fits without orBlank', (city) => {
    const comparisons: Condition[] = [
      { property: 'city', is: 'Ulm' },
      { property: 'city', not: 'Ulm' },
      { property: 'city', above: -1 },
      { property: 'city', below: 1 },
      { property: 'city', before: 0 },
      { property: 'city', domain: ['a.example'] },
    ];
    for (const condition of comparisons) {
      expect(fits(condition, { city })).toBe(false);
      expect(fits({ ...condition, orBlank: true }, { city })).toBe(true);
    }
    expect(fits({ property: 'city', filled: true }, { city })).toBe(false);
    expect(fits({ property: 'city', blank: true }, { city })).toBe(true);
  });

  it('compares numbers, not texts, and neither bound fits itself', () => {
    expect(fits({ property: 'size', above: 9 }, { size: '10' })).toBe(true);
    expect(fits({ property: 'size', below: 10 }, { size: '9' })).toBe(true);
    expect(fits({ property: 'size', below: 9 }, { size: '9' })).toBe(false);
    expect(fits({ property: 'size', above: 0 }, { size: 'many' })).toBe(false);
  });

  it('of the address tells each kind', () => {
    for (const [email, kind] of [
      ['jo@firm.example', 'business'],
      ['jo@gmail.com', 'free-mail'],
      ['info@firm.example', 'role'],
      ['info@gmail.com', 'role'],
      ['no address', 'none'],
    ] as const) {
      expect(fits({ email: kind }, { email })).toBe(true);
      for (const other of ['business', 'free-mail', 'role', 'none'] as const)
        expect(fits({ email: other }, { email })).toBe(other === kind);
    }
  });

  it("of a contact's company reads the company and nothing of the contact", () => {
    const whom: Whom = { contacts: [{ name: 'it', when: [{ companyProperty: 'city', is: 'Ulm' }] }] };
    expect(admit(whom, { city: 'Ulm' }).rule).toBe(NO_RULE);
    expect(admit(whom, {}, { companyProperties: { city: 'Ulm' } })).toMatchObject({
      rule: 'it',
      enrich: true,
    });
  });
});

describe('the rule that decides', () => {
  const both: Condition[] = [
    { property: 'city', is: 'Ulm' },
    { property: 'zip', filled: true },
  ];

  it('is the first all of whose conditions hold', () => {
    const whom: Whom = {
      contacts: [
        { name: 'both', when: both, enrich: false },
        { name: 'city', when: both.slice(0, 1) },
      ],
    };
    expect(admit(whom, { city: 'Ulm', zip: '1' })).toMatchObject({ rule: 'both', enrich: false });
    expect(admit(whom, { city: 'Ulm' })).toMatchObject({ rule: 'city', enrich: true });
    expect(admit(whom, { zip: '1' })).toMatchObject({
      rule: NO_RULE,
      enrich: false,
      onRequest: false,
    });
  });

  it('is none where there is no list, and nobody is admitted by an empty one', () => {
    const plain = {
      rule: undefined,
      enrich: true,
      onRequest: false,
      refresh: true,
      waitMinutes: 0,
      maxCredits: Number.POSITIVE_INFINITY,
    };
    expect(admit({ companies: [] }, {})).toMatchObject(plain);
    expect(admit({ contacts: [] }, {})).toMatchObject({ rule: NO_RULE, enrich: false });
  });

  it('gives what it says, and its options instead of the policy', () => {
    const given = {
      enrich: false,
      onRequest: true,
      refresh: false,
      maxCredits: 4,
      waitMinutes: 7,
    };
    const questions = { wantEmail: true, wantPhone: true, companies: { funding: true, technology: true } };
    const whom: Whom = {
      contacts: [
        { name: 'it', ...given, wantEmail: false },
        { name: 'phone', wantPhone: false },
      ],
      companies: [
        { name: 'c', funding: false },
        { name: 'd', technology: false },
      ],
    };
    const policy = policyOf(whom, { questions });
    const [first, second] = admissionsOf(policy, 'contacts');
    expect(first).toMatchObject({ ...given, rule: 'it' });
    expect(first?.policy.questions).toMatchObject({ wantEmail: false, wantPhone: true });
    expect(second?.policy.questions).toMatchObject({ wantEmail: true, wantPhone: false });
    expect(admissionsOf(policy, 'companies')[0]?.policy.questions.companies).toEqual({
      funding: false,
      technology: true,
      contacts: false,
    });
    expect(admissionsOf(policy, 'companies')[1]?.policy.questions.companies).toEqual({
      funding: true,
      technology: false,
      contacts: false,
    });
    expect(admissionsOf(policyOf({}, { questions }), 'contacts')).toHaveLength(1);
  });
});

describe('a rule whose property HubSpot does not have', () => {
  const contacts: Whom['contacts'] = [
    {
      name: 'gold',
      when: [
        { property: 'city', is: 'Ulm' },
        { property: 'tier', is: 'gold' },
      ],
    },
    { name: 'others' },
  ];
  const seen = (whom: Whom, known: readonly string[]) =>
    admissionOf(
      policyOf(whom),
      { objectType: 'contacts', properties: { city: 'Ulm' } },
      { nowMs: NOW_MS, isKnown: (property, of) => known.includes(`${of}.${property}`) },
    );

  it('buys nothing for records that its other conditions fit, and is passed over by the others', () => {
    const unread = seen({ contacts }, ['contacts.city']);
    expect(unread).toMatchObject({ rule: 'gold', enrich: false, missing: 'tier' });
    const known = seen({ contacts }, ['contacts.city', 'contacts.tier']);
    expect(known).toMatchObject({ rule: 'others', enrich: true });
    expect(known.missing).toBeUndefined();
    const elsewhere = admissionOf(
      policyOf({ contacts }),
      { objectType: 'contacts', properties: { city: 'Bonn' } },
      { nowMs: NOW_MS, isKnown: (property) => property === 'city' },
    );
    expect(elsewhere).toMatchObject({ rule: 'others', enrich: true });
  });

  it('looks for it among the properties of the company where it is one of these', () => {
    const whom: Whom = { contacts: [{ name: 'it', when: [{ companyProperty: 'tier', filled: true }] }] };
    expect(seen(whom, ['contacts.tier']).missing).toBe(
      propertyWords({ companyProperty: 'tier', filled: true }),
    );
    expect(seen(whom, ['companies.tier']).missing).toBeUndefined();
    expect(seen({ contacts: [{ name: 'it', when: [{ email: 'none' }] }] }, []).missing).toBe('email');
  });
});

it('the properties of the rules are told once each, those of the company apart', () => {
  const contacts: Whom['contacts'] = [
    {
      name: 'a',
      when: [
        { property: 'city', is: 'Ulm' },
        { companyProperty: 'zip', filled: true },
      ],
    },
    {
      name: 'b',
      when: [
        { property: 'city', is: 'Bonn' },
        { companyProperty: 'zip', blank: true },
      ],
    },
  ];
  expect(propertiesOfRules(policyOf({ contacts }), 'contacts')).toEqual({ own: ['city'], company: ['zip'] });
  const byAddress: Whom['contacts'] = [...contacts, { name: 'c', when: [{ email: 'role' }] }];
  expect(propertiesOfRules(policyOf({ contacts: byAddress }), 'contacts').own).toEqual(['city', 'email']);
  expect(propertiesOfRules(policyOf({ contacts }), 'companies')).toEqual({ own: [], company: [] });
});

const OBTAINED_MS = NOW_MS - 200 * DAY_MS;

const policy = parsePolicy({
  budgets: { perDay: 1 },
  privacy: {
    retention: {
      contacts: [{ name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], days: 100 }],
    },
  },
});

const times = { obtainedAtMs: OBTAINED_MS, answeredAtMs: OBTAINED_MS };

const of = (objectType: 'contacts' | 'companies', lifecyclestage: string) =>
  retentionOf(policy, { objectType, properties: { lifecyclestage } }, { times, nowMs: NOW_MS });

it('a record that the first fitting rule names keeps its values for the days of the rule', () => {
  expect(of('contacts', 'lead')).toEqual({
    kind: 'until',
    rule: 'leads',
    endMs: OBTAINED_MS + 100 * DAY_MS,
  });
});

it('a contact that no rule fits keeps its values', () => {
  expect(of('contacts', 'customer')).toEqual({ kind: 'kept' });
});

it('a company keeps its values where only contacts have rules', () => {
  expect(of('companies', 'lead')).toEqual({ kind: 'kept' });
});
