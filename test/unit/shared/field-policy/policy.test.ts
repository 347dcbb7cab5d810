import { describe, expect, it } from 'vitest';
import { type Policy, parsePolicy } from '#shared/field-policy';
import { UpstreamError } from '#shared/kernel';

const budgets = { perDay: 100 };
const rule = { property: 'jobtitle', from: 'title', convert: 'text', write: 'ours' };

function refusal(input: unknown): UpstreamError {
  try {
    parsePolicy(input);
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
  throw new Error('the policy was accepted');
}

describe('parsePolicy', () => {
  it('needs nothing but a budget', () => {
    const policy: Policy = parsePolicy({ budgets: { perMonth: 500 } });
    expect(policy).toMatchObject({
      timeZone: 'UTC',
      questions: {
        contacts: ['personProfile', 'reverseEmail', 'lookUpPerson', 'reversePhone'],
        wantPhone: false,
        allowFirstNameAlone: false,
        fallThrough: false,
        companies: { funding: false, technology: false, contacts: false },
      },
      freshness: { contactsDays: 180, companiesDays: 90 },
      noMatchCost: 'full',
      emptySearchCost: 'none',
      noMatchRetryDays: [30, 90, 180],
      budgets: { perMonth: 500, purposes: {} },
    });
  });

  it('keeps what was written and fills in the rest of each part', () => {
    const policy = parsePolicy({
      version: '2026-11-a',
      timeZone: 'Europe/Berlin',
      fields: { contacts: [rule] },
      questions: { companies: { funding: true } },
      freshness: { contactsDays: 30 },
      budgets: { perDay: 10, purposes: { refresh: { perDay: 4 } } },
    });
    expect(policy.fields.contacts).toEqual([rule]);
    expect(policy.fields.companies.length).toBeGreaterThan(5);
    expect(policy.questions).toMatchObject({
      wantPhone: false,
      companies: { funding: true, technology: false },
    });
    expect(policy.freshness).toEqual({ contactsDays: 30, companiesDays: 90 });
    expect(policy.budgets).toEqual({ perDay: 10, purposes: { refresh: { perDay: 4 } } });
  });

  it.each([
    [{ companies: { contacts: true } }, 'questions.companies.contacts: buys contacts with every company'],
    [{ wantPhone: true }, 'questions.wantPhone: buys phones'],
  ])('refuses to buy by %j what no field takes anything from', (questions, problem) => {
    expect(() => parsePolicy({ budgets, fields: { contacts: [rule] }, questions })).toThrow(problem);
  });

  it('takes a path of keys as text or as a list', () => {
    const fields = { contacts: [{ ...rule, from: ['organizations.name'] }] };
    expect(parsePolicy({ budgets, fields }).fields.contacts[0]?.from).toEqual(['organizations.name']);
  });

  it.each([
    ['no budgets', {}, 'budgets'],
    ['empty budgets', { budgets: {} }, 'budgets.perDay or budgets.perMonth'],
    ['a budget for a purpose alone', { budgets: { purposes: { live: { perDay: 3 } } } }, 'budgets.perDay'],
    ['half a credit', { budgets: { perDay: 1.5 } }, 'budgets.perDay'],
    ['a negative budget', { budgets: { perMonth: -1 } }, 'budgets.perMonth'],
    ['an unknown purpose', { budgets: { perDay: 1, purposes: { other: {} } } }, 'budgets.purposes.other'],
    ['a price of a credit in words', { budgets, creditPrice: { amount: 1, currency: 'euro' } }, 'currency'],
    ['a credit without a price', { budgets, creditPrice: { amount: 0, currency: 'EUR' } }, 'amount'],
    ['an unknown time zone', { budgets, timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a misspelt key', { budgets, freshnes: {} }, 'freshnes'],
    ['a misspelt inner key', { budgets, questions: { wantMail: true } }, 'questions.wantMail'],
    [
      'an unknown conversion',
      { budgets, fields: { contacts: [{ ...rule, convert: 'zip' }] } },
      'fields.contacts, entry 1, convert',
    ],
    [
      'an unknown write mode',
      { budgets, fields: { companies: [{ ...rule, write: 'blank' }] } },
      'fields.companies, entry 1, write',
    ],
    [
      'an empty path',
      { budgets, fields: { contacts: [{ ...rule, from: '' }] } },
      'fields.contacts, entry 1, from',
    ],
    [
      'two write modes',
      { budgets, fields: { contacts: [rule, { ...rule, write: 'always' }] } },
      'fields.contacts, entry 2, write',
    ],
    [
      'a field half in shadow',
      { budgets, fields: { contacts: [rule, { ...rule, shadow: true }] } },
      'fields.contacts, entry 2, shadow',
    ],
    ['an unknown mode', { budgets, mode: 'dark' }, 'mode'],
    ['a shrinking retry list', { budgets, noMatchRetryDays: [90, 30] }, 'noMatchRetryDays'],
    ['an unknown cost', { budgets, noMatchCost: 'half' }, 'noMatchCost'],
    [
      'a question twice',
      { budgets, questions: { contacts: ['reverseEmail', 'reverseEmail'] } },
      'questions.contacts',
    ],
    ['an age of no days', { budgets, freshness: { contactsDays: 0 } }, 'freshness.contactsDays'],
    [
      'a weight for no value',
      { budgets, refresh: { weights: { contacts: [{ property: 'lifecyclestage', weight: 3 }] } } },
      'refresh.weights.contacts, entry 1',
    ],
    [
      'a weight that is not permitted',
      { budgets, refresh: { weights: { contacts: [{ property: 'lifecyclestage', is: 'a', weight: 5 }] } } },
      'refresh.weights.contacts, entry 1, weight',
    ],
    ['no object', 7, 'the policy itself'],
  ])('refuses %s and names the key', (_, input, key) => {
    const error = refusal(input);
    expect(error.code).toBe('POLICY_INVALID');
    expect(error.retryable).toBe(false);
    expect(error.message).toContain(key);
  });

  it('names all keys at once', () => {
    const { message } = refusal({ timeZone: '', noMatchCost: 3, budgets: {} });
    for (const key of ['timeZone', 'noMatchCost', 'budgets.perDay']) expect(message).toContain(key);
  });
});

describe('the policy of who writes none', () => {
  const { fields } = parsePolicy({ budgets });

  it('fills blanks only, but for what goes stale', () => {
    const ours = fields.contacts.filter(({ write }) => write === 'ours').map(({ property }) => property);
    expect(ours).toEqual(['jobtitle', 'start_date', 'hs_seniority', 'company', 'website']);
    const modes = new Set([...fields.contacts, ...fields.companies].map(({ write }) => write));
    expect(modes).toEqual(new Set(['fill-blank', 'ours']));
  });

  it('takes the head count from the number and never from the range', () => {
    const rules = fields.companies.filter(({ property }) => property === 'numberofemployees');
    expect(rules.map(({ from }) => from)).toEqual(['employee_count']);
  });

  it('refuses to be made without a budget', () => {
    expect(() => parsePolicy({ budgets: {} })).toThrow('budgets.perDay');
  });
});
