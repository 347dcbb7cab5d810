import { describe, expect, it } from 'vitest';
import { priceOfAnswer } from '#inside/questions/question.ts';
import { isFree } from '#inside/vendor/data-service/operations.ts';
import { priceOfMiss, priceOfQuestion } from '#shared/questions';
import { OPERATIONS, type OperationName } from '#shared/vendor';
import { type Call, questionOf } from '../../../harness/questions-of-calls.ts';

const URL_ONLY = { network_url: 'network.example/in/jane-roe' };
const BOTH = { include_email: 'include', include_phone: 'include' } as const;
const FILTER = { person_titles: ['CTO'] };

const worstCase = (call: Call) => priceOfQuestion(questionOf(call));

/** What each answer costs is held against the stand-in's own bill, in `test/contract/data-service`. */
it('the price of a single record of a reverse lookup is 1, and of the key check nothing', () => {
  expect(worstCase({ operation: 'reverseEmail', params: { email: 'jane@acme.example' } })).toBe(1);
  expect(worstCase({ operation: 'reversePhone', params: { phone: '4000' } })).toBe(1);
  expect(Object.keys(OPERATIONS).filter((name) => isFree(name as OperationName))).toEqual(['checkKey']);
});

describe('the price of a search', () => {
  it('cannot be told without its results', () => {
    expect(() =>
      priceOfAnswer(questionOf({ operation: 'searchPeople', params: FILTER }), Number.NaN),
    ).toThrow('results');
    expect(() => priceOfAnswer(questionOf({ operation: 'searchPeople', params: FILTER }), -1)).toThrow(
      'results',
    );
  });

  it.each([
    [{}, 25, 10],
    [{ per_page: 1, limit: 2 }, 1, 2],
    [{ per_page: 100, limit: 100 }, 100, 100],
    [{ per_page: 0, limit: 1_000 }, 100, 100],
  ])('with the sizes %j is at most that of %i people or %i employees', (sizes, people, employees) => {
    const { per_page, limit } = { per_page: undefined, limit: undefined, ...sizes };
    const paged = { ...FILTER, ...BOTH, ...(per_page !== undefined && { per_page }) };
    expect(worstCase({ operation: 'searchPeople', params: paged })).toBe(people * 6);
    const limited = { company_domain: 'acme.example', ...(limit !== undefined && { limit }) };
    expect(worstCase({ operation: 'searchEmployees', params: limited })).toBe(employees);
  });

  it('with every option is at most 7 a company', () => {
    const options = {
      funding: 'include',
      extra: 'include',
      technology: 'include',
      website_traffic: 'include',
      headcount_growth: 'include',
    } as const;
    expect(worstCase({ operation: 'searchCompanies', params: { ...FILTER, ...options, per_page: 10 } })).toBe(
      70,
    );
  });
});

it.each([
  ['none', 0, 0],
  ['base', 1, 1],
  ['full', 6, 6],
  [undefined, 6, 6],
] as const)(
  'the price of no match is by the setting %s %i for a record and %i for a company without employees',
  (cost, one, list) => {
    expect(
      priceOfMiss(questionOf({ operation: 'personProfile', params: { ...URL_ONLY, ...BOTH } }), cost),
    ).toBe(one);
    const params = { company_domain: 'acme.example', limit: 50, ...BOTH };
    expect(priceOfMiss(questionOf({ operation: 'searchEmployees', params }), cost)).toBe(list);
  },
);
