import { describe, expect, it } from 'vitest';
import { planQuestions } from '#inside/enrichment/ask/plan-record.ts';
import { priceOfAnswer } from '#inside/questions/question.ts';
import type { CrmRecord } from '#shared/crm';
import { parsePolicy } from '#shared/field-policy';
import { identifierKeys, priceOfMiss, priceOfQuestion, type Question, questionKey } from '#shared/questions';
import { callOf } from '#shared/vendor';
import { digest, profile } from './asking.ts';

const policy = parsePolicy({ budgets: { perDay: 100 } });

function keyOf(question: Question): string {
  return questionKey(question, digest);
}

function keyOfCompany(properties: CrmRecord['properties']): string {
  return keyOfFirst({ objectType: 'companies', id: '1', properties, createdAtMs: 0 });
}

function keyOfFirst(record: CrmRecord): string {
  const plan = planQuestions({ record, policy });
  if (plan.kind !== 'ask') throw new Error(plan.reason);
  return keyOf(plan.questions[0]);
}

describe('the key of a question', () => {
  it('is the same for a company by the spellings of its domain', () => {
    const spellings = ['acme.example', 'https://www.ACME.example/', 'http://shop.acme.example/cart?id=1'];
    expect(new Set(spellings.map((domain) => keyOfCompany({ domain }))).size).toBe(1);
  });

  it('does not depend on the options, nor on the order of the parameters', () => {
    expect(keyOf(profile(['email', 'phone']))).toBe(keyOf(profile()));
    const one = { domain: 'acme.example', firstName: 'Zoe' };
    const other = { firstName: 'Zoe', domain: 'acme.example' };
    expect(keyOf({ operation: 'lookUpPerson', by: one, options: [] })).toBe(
      keyOf({ operation: 'lookUpPerson', by: other, options: [] }),
    );
  });

  it('differs by identifier, by value, and between people and companies', () => {
    const keys = [
      keyOf({ operation: 'reverseEmail', by: { email: 'sample@acme.example' }, options: [] }),
      keyOf({ operation: 'reversePhone', by: { phone: 'sample@acme.example' }, options: [] }),
      keyOf({ operation: 'reverseEmail', by: { email: 'other@acme.example' }, options: [] }),
      keyOf({ operation: 'companyProfile', by: { domain: 'acme.example' }, options: [] }),
      keyOf({ operation: 'lookUpPerson', by: { domain: 'acme.example' }, options: [] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same for every lookup by the same identifiers, so that a forgotten person is found by any', () => {
    const by = { email: 'sample@acme.example' };
    const key = keyOf({ operation: 'reverseEmail', by, options: [] });
    expect(keyOf({ operation: 'personProfile', by, options: [] })).toBe(key);
    expect(identifierKeys({ emails: [by.email] }, digest).sure).toEqual([key]);
  });

  it('tells a search by every letter of its request: values may mean something by their case', () => {
    const search = (request: object): Question => ({
      operation: 'searchPeople',
      by: { search: JSON.stringify(request) },
      options: [],
    });
    expect(keyOf(search({ page: 1 }))).not.toBe(keyOf(search({ page: 2 })));
    expect(keyOf(search({ title: 'CTO' }))).not.toBe(keyOf(search({ title: 'cto' })));
  });

  it('cannot be read back, and is another under another secret', () => {
    const key = keyOf(profile());
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const plain = JSON.stringify(['question', 'person', [['profileUrl', profile().by.profileUrl]]]);
    expect(key).not.toBe(digest.sha256(plain));
  });
});

it('the options of a question reach the vendor as include or exclude, never unsaid', () => {
  expect(callOf(profile(['email'])).params).toMatchObject({
    include_email: 'include',
    include_phone: 'exclude',
  });
  const company: Question = {
    operation: 'companyProfile',
    by: { domain: 'acme.example' },
    options: ['contacts'],
  };
  expect(callOf(company).params).toEqual({
    domain: 'acme.example',
    include_funding: 'exclude',
    include_technology: 'exclude',
    include_contacts: 'include',
  });
});

describe('the price of a question', () => {
  const company = (options: Question['options']): Question => ({
    operation: 'companyProfile',
    by: { domain: 'acme.example' },
    options,
  });
  const search: Question = {
    operation: 'searchPeople',
    by: { search: JSON.stringify({ per_page: 50 }) },
    options: [],
  };

  it('is the base and what each option costs', () => {
    expect(priceOfQuestion(profile())).toBe(1);
    expect(priceOfQuestion(profile(['email']))).toBe(3);
    expect(priceOfQuestion(profile(['email', 'phone']))).toBe(6);
    expect(priceOfQuestion(company([]))).toBe(1);
    expect(priceOfQuestion(company(['funding', 'technology', 'contacts']))).toBe(7);
    const email: Question = {
      operation: 'reverseEmail',
      by: { email: 'a@acme.example' },
      options: [],
    };
    expect(priceOfQuestion(email)).toBe(1);
  });

  it('of a search is a full page before, and what was delivered after', () => {
    expect(priceOfQuestion(search)).toBe(50 * priceOfAnswer(search, 1));
    expect(priceOfAnswer(search, 0)).toBe(0);
  });

  it('of a miss follows the assumption about it', () => {
    expect(
      (['none', 'base', 'full'] as const).map((cost) =>
        priceOfMiss(profile(['phone']), cost as 'none' | 'base' | 'full'),
      ),
    ).toEqual([0, 1, 4]);
  });
});
