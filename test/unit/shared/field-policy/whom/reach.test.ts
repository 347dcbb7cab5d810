import { describe, expect, it } from 'vitest';
import { contactRuleFaults, type RuleCondition } from './contact-rules.ts';

describe('the check of which rules are reached', () => {
  it.each<[string, RuleCondition, RuleCondition]>([
    ['a longer list', { property: 'stage', in: ['lead', 'customer'] }, { property: 'stage', is: 'Lead' }],
    [
      'a list that lies in it',
      { property: 'country', in: ['DE', 'FR', 'IT'] },
      { property: 'country', in: ['FR', 'DE'] },
    ],
    ['an ending', { property: 'email', domain: ['.edu'] }, { property: 'email', domain: ['mit.edu'] }],
    [
      'the same ending',
      { property: 'email', domain: ['edu.pl'] },
      { property: 'email', domain: ['.edu.pl'] },
    ],
    [
      'an ending of an address',
      { property: 'email', domain: ['.edu'] },
      { property: 'email', is: 'a@mit.edu' },
    ],
    ['a lower bound', { property: 'age', above: 10 }, { property: 'age', above: 100 }],
    ['a lower bound of a value', { property: 'age', above: 10 }, { property: 'age', in: ['11', '12'] }],
    ['an upper bound', { property: 'age', below: 100 }, { property: 'age', below: 10 }],
    ['a later date', { property: 'seen', before: 10 }, { property: 'seen', before: 90 }],
    ['any value', { property: 'stage', filled: true }, { property: 'stage', is: 'lead' }],
    ['any value of a number', { property: 'age', filled: true }, { property: 'age', above: 1 }],
    ['fewer exceptions', { property: 'country', not: 'DE' }, { property: 'country', not: ['FR', 'de'] }],
    ['blanks too', { property: 'age', above: 1, orBlank: true }, { property: 'age', blank: true }],
    [
      'blanks beside a list',
      { property: 'country', in: ['DE', 'FR'], orBlank: true },
      { property: 'country', is: 'DE', orBlank: true },
    ],
    ['no address', { email: 'none' }, { property: 'email', blank: true }],
    ['any address', { property: 'email', filled: true }, { email: 'role' }],
    [
      'the same of the company',
      { companyProperty: 'industry', in: ['A', 'B'] },
      { companyProperty: 'industry', is: 'A' },
    ],
  ])('finds rules below a wider one: %s', (_, wide, narrow) => {
    const taken = 'b, doubtful: no record reaches it: the rule "a" above takes them all';
    const when = [{ property: 'country', filled: true } as const, narrow];
    expect(
      contactRuleFaults([
        { name: 'a', when: [wide] },
        { name: 'b', when },
      ]),
    ).toContain(taken);
    expect(
      contactRuleFaults([
        { name: 'a', when },
        { name: 'b', when: [wide] },
      ]),
    ).toEqual([]);
  });

  it.each<[string, RuleCondition, RuleCondition]>([
    ['another property', { property: 'stage', in: ['lead'] }, { property: 'country', is: 'lead' }],
    ['the company', { property: 'vip', is: 'true' }, { companyProperty: 'vip', is: 'true' }],
    ['one more value', { property: 'country', in: ['DE'] }, { property: 'country', in: ['DE', 'FR'] }],
    ['blanks', { property: 'stage', filled: true }, { property: 'stage', is: 'lead', orBlank: true }],
    ['only blanks', { property: 'stage', blank: true }, { property: 'stage', is: 'lead', orBlank: true }],
    ['any value', { property: 'stage', is: 'lead' }, { property: 'stage', filled: true }],
    ['an unknown distance', { property: 'seen', before: 10 }, { property: 'seen', is: '2020-01-01' }],
    ['several options at once', { property: 'stage', not: 'lead' }, { property: 'stage', is: 'customer' }],
    ['a bound on the other side', { property: 'age', above: 10 }, { property: 'age', below: 100 }],
    ['another ending', { property: 'email', domain: ['mit.edu'] }, { property: 'email', domain: ['.edu'] }],
    ['an address that is none', { property: 'email', filled: true }, { email: 'none' }],
    ['more exceptions', { property: 'country', not: ['DE', 'FR'] }, { property: 'country', not: 'DE' }],
  ])('lets a rule be reached that fits %s', (_, above, below) => {
    expect(
      contactRuleFaults([
        { name: 'a', when: [above] },
        { name: 'b', when: [below] },
      ]),
    ).toEqual([]);
  });
});
