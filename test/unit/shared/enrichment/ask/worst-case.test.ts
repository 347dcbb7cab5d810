import { describe, expect, it } from 'vitest';
import type { ObjectType } from '#shared/crm';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';

describe('worstCaseOfRefresh', () => {
  it.each<[ObjectType, PolicyInput['questions'], number]>([
    ['contacts', {}, 3],
    ['contacts', { wantPhone: true }, 6],
    ['contacts', { wantEmail: false }, 1],
    ['contacts', { contacts: ['reverseEmail'] }, 1],
    ['contacts', { fallThrough: true }, 8],
    ['companies', {}, 1],
    ['companies', { companies: { funding: true, technology: true } }, 4],
    ['companies', { fallThrough: true }, 2],
    ['companies', { fallThrough: true, companies: { technology: true } }, 4],
  ])('of %s under %j is %i credits', (objectType, questions, credits) => {
    const policy = parsePolicy({ budgets: { perDay: 10 }, questions });
    expect(worstCaseOfRefresh({ objectType }, policy)).toBe(credits);
  });

  it('is that of the rule that decided about the record, or else of the dearest rule that buys', () => {
    const contacts = [
      { name: 'cheap', when: [{ email: 'business' as const }], wantEmail: false },
      { name: 'capped', when: [{ email: 'role' as const }], wantPhone: true, maxCredits: 4 },
      { name: 'on request', when: [{ email: 'none' as const }], enrich: false, onRequest: true },
      { name: 'none', enrich: false, wantPhone: true },
    ];
    const policy = parsePolicy({ budgets: { perDay: 10 }, whom: { contacts } });
    const priceOf = (rule?: string) => worstCaseOfRefresh({ objectType: 'contacts', rule }, policy);
    expect([priceOf('cheap'), priceOf('capped'), priceOf('on request')]).toEqual([1, 4, 3]);
    expect([priceOf(), priceOf('none'), priceOf('of another policy')]).toEqual([4, 4, 4]);
  });
});
