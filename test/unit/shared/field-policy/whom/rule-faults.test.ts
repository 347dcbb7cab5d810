import { describe, expect, it } from 'vitest';
import { parsePolicy } from '#inside/field-policy/policy.ts';
import { ruleFaults } from '#inside/field-policy/whom/rule-faults.ts';
import { contactRuleFaults, DEFINITIONS, type RuleCondition } from './contact-rules.ts';

const REST = { name: 'rest', enrich: false };

describe('the check of the rules', () => {
  it('finds nothing in rules that go together and suit the account', () => {
    expect(
      contactRuleFaults([
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
      contactRuleFaults([
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
      'e, broken: it reads country of the company, which HubSpot does not have',
    ]);
  });

  it.each<[string, RuleCondition[]]>([
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
    expect(contactRuleFaults([{ name: 'a', when }])).toEqual([
      `a, doubtful: it can never fit: its conditions on ${name} contradict each other`,
    ]);
  });

  it.each<[string, RuleCondition[]]>([
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
    expect(contactRuleFaults([{ name: 'a', when }]).filter((fault) => fault.includes('contradict'))).toEqual(
      [],
    );
  });

  it('finds rules that no record reaches', () => {
    const stage = { property: 'stage', is: 'lead' };
    expect(
      contactRuleFaults([
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
    expect(contactRuleFaults([{ ...rule, when: [{ property: 'country', in: ['DE'] }] }])).toEqual([
      'EU, doubtful: it keeps records out by country, but not those where it is blank, and the policy itself fills it: add orBlank: true',
    ]);
    expect(
      contactRuleFaults([{ ...rule, when: [{ property: 'country', in: ['DE'], orBlank: true }] }]),
    ).toEqual([]);
    expect(contactRuleFaults([{ ...rule, when: [{ property: 'consent', is: 'no' }] }])).toEqual([]);
    expect(contactRuleFaults([{ ...rule, when: [{ property: 'country', blank: true }] }])).toEqual([]);
    const fields = { contacts: { country: { write: 'never' as const } } };
    const contacts = [{ ...rule, when: [{ property: 'country', in: ['DE'] }] }];
    const unwritten = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { contacts } });
    expect(ruleFaults(unwritten, 'contacts', DEFINITIONS)).toEqual([]);
    expect(contactRuleFaults([{ name: 'in', when: [{ property: 'country', in: ['DE'] }] }])).toEqual([]);
  });

  it('finds values that a property can never have', () => {
    const named = (condition: RuleCondition) => contactRuleFaults([{ name: 'a', when: [condition] }]);
    expect(named({ property: 'vip', is: 'yes' })).toEqual([
      'a, broken: vip is "true" or "false" in HubSpot, never "yes"',
    ]);
    expect(named({ companyProperty: 'vip', in: ['true', '1'] })).toEqual([
      'a, broken: vip is "true" or "false" in HubSpot, never "1"',
    ]);
    expect(named({ property: 'age', not: 'old' })).toEqual(['a, broken: age is a number, never "old"']);
    expect(named({ property: 'seen', is: 'yesterday' })).toEqual([
      'a, broken: seen is a date such as 2026-11-21, never "yesterday"',
    ]);
    expect(named({ property: 'age', domain: ['rival.com'] })).toEqual([
      'a, broken: domain needs an email or web address, and age is of the type number',
    ]);
    const possible: RuleCondition[] = [
      { property: 'vip', is: 'TRUE' },
      { property: 'age', in: ['4', '5.5'] },
      { property: 'seen', not: '2026-11-21' },
      { property: 'country', is: 'yes' },
      { property: 'email', domain: ['rival.com'] },
    ];
    for (const condition of possible) expect(named(condition)).toEqual([]);
  });

  it('warns where a rule keeps contacts out by their company, and lets those without one in', () => {
    const rivals: RuleCondition = { companyProperty: 'domain', domain: ['rival.com'] };
    const out = { name: 'rivals', enrich: false };
    const warning =
      'rivals, doubtful: it keeps contacts out by domain of the company, but not those without a company or where it is blank: add orBlank: true, or put a rule for blank ones above';
    expect(contactRuleFaults([{ ...out, when: [rivals] }])).toEqual([warning]);
    const country: RuleCondition = { property: 'country', is: 'DE', orBlank: true };
    expect(contactRuleFaults([{ ...out, when: [country, rivals] }])).toEqual([warning]);
    expect(contactRuleFaults([{ ...out, when: [{ ...rivals, orBlank: true }] }])).toEqual([]);
    expect(contactRuleFaults([{ name: 'rivals', when: [rivals] }])).toEqual([]);
    const alone: RuleCondition = { companyProperty: 'domain', blank: true };
    const above = { name: 'alone', enrich: false, onRequest: true };
    expect(
      contactRuleFaults([
        { ...above, when: [alone] },
        { ...out, when: [rivals] },
      ]),
    ).toEqual([]);
    const other: RuleCondition = { companyProperty: 'industry', blank: true };
    expect(
      contactRuleFaults([
        { ...above, when: [other] },
        { ...out, when: [rivals] },
      ]),
    ).toEqual([warning]);
  });

  it('finds options that the maximum of the rule does not pay for', () => {
    expect(contactRuleFaults([{ name: 'a', wantEmail: false, wantPhone: true, maxCredits: 3 }])).toEqual([
      'a, doubtful: wantPhone is never bought: with it a lookup costs 4 credits, and maxCredits is 3',
    ]);
    expect(contactRuleFaults([{ name: 'a', wantPhone: true, maxCredits: 5 }])).toEqual([
      'a, doubtful: its options cost 6 credits together, and maxCredits is 5: wantPhone is left out where all are needed',
    ]);
    expect(contactRuleFaults([{ name: 'a', maxCredits: 2 }])).toEqual([
      'a, doubtful: wantEmail is never bought: with it a lookup costs 3 credits, and maxCredits is 2',
    ]);
    expect(contactRuleFaults([{ name: 'a', wantPhone: true, maxCredits: 6 }])).toEqual([]);
    expect(contactRuleFaults([{ name: 'a', wantEmail: false, maxCredits: 1 }])).toEqual([]);
    const fields = { companies: { total_money_raised: {} } };
    const companies = [{ name: 'a', funding: true, maxCredits: 2 }];
    const policy = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { companies } });
    expect(ruleFaults(policy, 'companies', DEFINITIONS).map(({ problem }) => problem)).toEqual([
      'funding is never bought: with it a lookup costs 3 credits, and maxCredits is 2',
    ]);
  });

  it('names each option that the maximum never pays for, and those left out beside others', () => {
    const fields = {
      companies: {
        total_money_raised: {},
        web_technologies: {},
        about_us: { from: 'contacts/email', convert: 'text', write: 'fill-blank' },
      },
    };
    const all = { funding: true, technology: true, contacts: true };
    const problems = (maxCredits: number) => {
      const companies = [{ name: 'a', ...all, maxCredits }];
      const policy = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { companies } });
      return ruleFaults(policy, 'companies', DEFINITIONS).map(({ problem }) => problem);
    };
    expect(problems(3)).toEqual([
      'contacts is never bought: with it a lookup costs 4 credits, and maxCredits is 3',
      'its options cost 4 credits together, and maxCredits is 3: technology is left out where all are needed',
    ]);
    expect(problems(2)).toEqual([
      'funding is never bought: with it a lookup costs 3 credits, and maxCredits is 2',
      'contacts is never bought: with it a lookup costs 4 credits, and maxCredits is 2',
    ]);
    expect(problems(5)).toEqual([
      'its options cost 7 credits together, and maxCredits is 5: contacts is left out where all are needed',
    ]);
  });

  it('finds settings that do nothing beside enrich: false', () => {
    expect(
      contactRuleFaults([
        {
          name: 'a',
          when: [{ email: 'role' }],
          enrich: false,
          wantPhone: true,
          maxCredits: 6,
          refresh: false,
        },
        {
          name: 'b',
          when: [{ email: 'free-mail' }],
          enrich: false,
          onRequest: true,
          waitMinutes: 5,
          maxCredits: 3,
        },
        {
          name: 'c',
          when: [{ email: 'none' }],
          enrich: false,
          onRequest: true,
          wantPhone: true,
          maxCredits: 6,
        },
      ]),
    ).toEqual([
      'a, doubtful: wantPhone, maxCredits, refresh: no effect with enrich: false, because nothing is looked up',
      'b, doubtful: waitMinutes: no effect with enrich: false, because a person who requests a lookup does not wait',
    ]);
  });

  it('warns where a rule keeps records out by values that the sync itself writes', () => {
    const out = (condition: RuleCondition) =>
      contactRuleFaults([{ name: 'a', when: [condition], enrich: false }]);
    expect(out({ property: 'enrichment_status', is: 'skipped' })).toEqual([
      'a, doubtful: it keeps records out by enrichment_status, which the sync itself writes: each run may change what fits',
    ]);
    const filled = 'which the policy itself fills: after its first lookup a record is kept out';
    expect(out({ property: 'jobtitle', filled: true })).toEqual([
      `a, doubtful: it keeps records out by jobtitle, ${filled}`,
    ]);
    expect(out({ email: 'business' })).toEqual([`a, doubtful: it keeps records out by email, ${filled}`]);
    const none: RuleCondition[] = [
      { email: 'role' },
      { property: 'consent', filled: true },
      { email: 'none' },
    ];
    for (const condition of none) expect(out(condition)).toEqual([]);
    const contacts = [
      { name: 'a', when: [{ property: 'jobtitle', is: 'CEO', orBlank: true as const }], enrich: false },
    ];
    const fields = { contacts: { jobtitle: { write: 'always' as const } } };
    const policy = parsePolicy({ budgets: { perDay: 1 }, fields, whom: { contacts } });
    expect(ruleFaults(policy, 'contacts', DEFINITIONS).map(({ problem }) => problem)).toEqual([
      "it keeps records out by jobtitle, which the policy overwrites (write: 'always'): each lookup may change what fits",
    ]);
    expect(
      contactRuleFaults([{ name: 'in', when: [{ property: 'enrichment_status', is: 'skipped' }] }]),
    ).toEqual([]);
  });

  it('does not warn where a rule above keeps the blanks out', () => {
    const rule = { name: 'EU', enrich: false, when: [{ property: 'country', in: ['DE'] }] };
    const blanks = { name: 'blanks', when: [{ property: 'country', blank: true as const }] };
    expect(contactRuleFaults([{ ...blanks, enrich: false }, rule])).toEqual([]);
    expect(contactRuleFaults([blanks, rule])).toHaveLength(1);
    const narrower = { ...blanks, enrich: false, when: [...blanks.when, { property: 'age', above: 1 }] };
    expect(contactRuleFaults([narrower, rule])).toHaveLength(1);
  });
});
