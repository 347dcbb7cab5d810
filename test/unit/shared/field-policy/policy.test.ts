import { describe, expect, it } from 'vitest';
import { FAULT_TEXTS } from '#inside/field-policy/policy-faults.ts';
import { type Policy, PolicyError, parsePolicy } from '#shared/field-policy';
import { catalogueFaults } from '../../../harness/catalogue.ts';

const budgets = { perDay: 100 };
const rule = { property: 'jobtitle', from: 'title', convert: 'text', write: 'ours' };

function refusal(input: unknown): PolicyError {
  try {
    parsePolicy(input);
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error('the policy was accepted');
}

const faultsOf = (input: unknown) => refusal(input).faults.map(({ code, key }) => `${key}: ${code}`);

it('every fault of a policy has a text', () => {
  expect(catalogueFaults(FAULT_TEXTS)).toEqual([]);
});

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
      emptySearchCost: 'none',
      noMatchRetryDays: [30, 90, 180],
      budgets: { perMonth: 500, purposes: {} },
    });
  });

  it.each([
    [{ companies: { contacts: true } }, 'questions.companies.contacts: unused-option'],
    [{ wantPhone: true }, 'questions.wantPhone: unused-phones'],
  ])('refuses to buy by %j what no field takes anything from', (questions, fault) => {
    expect(faultsOf({ budgets, fields: { contacts: [rule] }, questions })).toEqual([fault]);
  });

  it('takes any name of the vendor after "raw.", and no other unknown name', () => {
    const from = (path: string) => ({ budgets, fields: { contacts: [{ ...rule, from: path }] } });
    expect(parsePolicy(from('raw.shoe.size')).fields.contacts[0]?.from).toBe('raw.shoe.size');
    expect(faultsOf(from('first_name'))).toEqual([expect.stringContaining('unknown-answer-key')]);
  });

  it.each([
    [{}, 'budgets: wrong-type'],
    [{ budgets: {} }, 'budgets.perDay: no-budget'],
    [{ budgets: { purposes: { live: { perDay: 3 } } } }, 'budgets.perDay: no-budget'],
    [{ budgets: { perDay: 1.5 } }, 'budgets.perDay: wrong-type'],
    [{ budgets: { perMonth: -1 } }, 'budgets.perMonth: too-small'],
    [{ budgets: { perDay: 1, purposes: { other: {} } } }, 'budgets.purposes.other: unknown-key'],
    [{ budgets: { perDay: 8, perMonth: 7 } }, 'budgets.perDay: never-refuses'],
    [
      { budgets: { ...budgets, purposes: { refresh: { perDay: 101 } } } },
      'budgets.purposes.refresh.perDay: never-refuses',
    ],
    [
      { budgets: { perMonth: 90, purposes: { refresh: { perDay: 91 } } } },
      'budgets.purposes.refresh.perDay: never-refuses',
    ],
    [
      { budgets: { perMonth: 90, purposes: { refresh: { perMonth: 91 } } } },
      'budgets.purposes.refresh.perMonth: never-refuses',
    ],
    [
      { budgets: { ...budgets, purposes: { live: { perDay: 10, perMonth: 9 } } } },
      'budgets.purposes.live.perDay: never-refuses',
    ],
    [{ budgets, creditPrice: { amount: 1, currency: 'euro' } }, 'creditPrice.currency: wrong-format'],
    [{ budgets, creditPrice: { amount: 0, currency: 'EUR' } }, 'creditPrice.amount: too-small'],
    [{ budgets, timeZone: 'Mars/Olympus' }, 'timeZone: unknown-time-zone'],
    [{ budgets, freshnes: {} }, 'freshnes: unknown-key'],
    [{ budgets, questions: { wantMail: true } }, 'questions.wantMail: unknown-key'],
    [
      { budgets, fields: { contacts: [{ ...rule, convert: 'zip' }] } },
      'fields.contacts.0.convert: wrong-value',
    ],
    [
      { budgets, fields: { companies: [{ ...rule, write: 'blank' }] } },
      'fields.companies.0.write: wrong-value',
    ],
    [{ budgets, fields: { contacts: [{ ...rule, from: '' }] } }, 'fields.contacts.0.from: too-small'],
    [
      { budgets, fields: { contacts: [rule, { ...rule, write: 'always' }] } },
      'fields.contacts.1.write: different-rules',
    ],
    [
      { budgets, fields: { contacts: [rule, { ...rule, shadow: true }] } },
      'fields.contacts.1.shadow: different-rules',
    ],
    [{ budgets, mode: 'dark' }, 'mode: wrong-value'],
    [{ budgets, noMatchRetryDays: [90, 30] }, 'noMatchRetryDays: shrinking-list'],
    [{ budgets, noMatchCost: 'half' }, 'noMatchCost: wrong-value'],
    [
      { budgets, questions: { contacts: ['reverseEmail', 'reverseEmail'] } },
      'questions.contacts: duplicate-question',
    ],
    [{ budgets, freshness: { contactsDays: 0 } }, 'freshness.contactsDays: too-small'],
    [
      { budgets, refresh: { weights: { contacts: [{ property: 'lifecyclestage', weight: 3 }] } } },
      'refresh.weights.contacts.0: weight-without-value',
    ],
    [
      { budgets, refresh: { weights: { contacts: [{ property: 'lifecyclestage', is: 'a', weight: 5 }] } } },
      'refresh.weights.contacts.0.weight: wrong-value',
    ],
    [7, ': wrong-type'],
  ])('refuses %j: %s', (input, fault) => {
    expect(faultsOf(input)).toContain(fault);
    expect(refusal(input)).toMatchObject({ code: 'POLICY_INVALID', retryable: false });
  });

  it('accepts a limit that equals a wider one, and a month of more than a day', () => {
    const refresh = { perDay: 50, perMonth: 900 };
    const limits = { perDay: 50, perMonth: 900, purposes: { refresh } };
    expect(parsePolicy({ budgets: limits }).budgets).toEqual(limits);
    const wide = { perDay: 50, purposes: { refresh: { perMonth: 900 } } };
    expect(parsePolicy({ budgets: wide }).budgets).toEqual(wide);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'three'])('shows the value at fault: %s', (perDay) => {
    expect(refusal({ budgets: { perDay } }).message).toContain(String(perDay));
  });

  it('shows places in the message with positions from 1 and names of rules', () => {
    const fields = { contacts: [rule, { ...rule, write: 'always' }] };
    const whom = {
      contacts: [{ name: 'a', when: [{ property: 'city', in: ['Ulm', 5] }] }, { enrich: true }],
    };
    const { message } = refusal({ budgets, fields, whom });
    for (const place of [
      'fields.contacts, entry 2, write: ',
      'whom.contacts, rule "a", condition 1, in, entry 2: ',
      'whom.contacts, rule 2, name: ',
    ])
      expect(message).toContain(place);
  });

  it('names all keys at once', () => {
    const { faults, message } = refusal({ timeZone: '', noMatchCost: 3, budgets: {} });
    expect(faults.map(({ key }) => key)).toEqual(['timeZone', 'noMatchCost', 'budgets.perDay']);
    for (const { problem } of faults) expect(message).toContain(problem);
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
    expect(rules.map(({ from }) => from)).toEqual(['employeeCount']);
  });
});
